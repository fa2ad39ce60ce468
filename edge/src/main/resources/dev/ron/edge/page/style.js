// A style for any pack: known layer names get the colours a map reader expects, others a colour of their own.
const PALETTE = ['#7c6fcd', '#d26a5c', '#4c9f70', '#c59a3d', '#4f8bc9', '#b0609f', '#6b8e23', '#5f9ea0'];
const KNOWN = { water: '#a9d3e8', ocean: '#a9d3e8', land: '#eef1e3', earth: '#eef1e3', landuse: '#dfe9d0', landcover: '#dfe9d0',
  roads: '#c8a26b', transportation: '#c8a26b', places: '#26323a', place: '#26323a', boundaries: '#9a86b8', buildings: '#d8cfc4' };
const LINES = /road|transport|way|line|bound|contour/, POINTS = /place|poi|label|name|point|peak|housenumber/;

export const colourOf = (id, i) => KNOWN[id] ?? PALETTE[i % PALETTE.length];

export function styleFor(name, tilejson, type, tiles, origin) {
  if (type !== 'mvt' && type !== 'mlt') {
    return { version: 8, sources: { pack: { type: 'raster', tiles, tileSize: 256, minzoom: tilejson.minzoom, maxzoom: tilejson.maxzoom,
      bounds: tilejson.bounds, attribution: tilejson.attribution ?? '' } }, layers: [{ id: 'raster', type: 'raster', source: 'pack' }] };
  }
  const layers = [{ id: 'ground', type: 'background', paint: { 'background-color': '#cfe5ef' } }];
  const ids = (tilejson.vector_layers ?? []).map(l => l.id);
  ids.forEach((id, i) => {
    const colour = colourOf(id, i), line = LINES.test(id), point = POINTS.test(id);
    const base = { source: 'pack', 'source-layer': id, metadata: { layer: id } };
    if (!line && !point) {
      layers.push({ ...base, id: `${id}-fill`, type: 'fill', filter: ['==', ['geometry-type'], 'Polygon'],
        paint: { 'fill-color': ['match', ['get', 'class'], 'lake', '#9fcbe3', colour], 'fill-opacity': .9 } });
      layers.push({ ...base, id: `${id}-edge`, type: 'line', filter: ['==', ['geometry-type'], 'Polygon'],
        paint: { 'line-color': id === 'water' ? '#7fb2cf' : '#b9bfa6', 'line-width': .8, 'line-opacity': .8 } });
    }
    if (line) layers.push({ ...base, id: `${id}-case`, type: 'line', layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: { 'line-color': '#fff', 'line-width': ['interpolate', ['linear'], ['zoom'], 1, 1.4, 6, 4.5] } });
    if (line) layers.push({ ...base, id: `${id}-line`, type: 'line', layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: { 'line-color': colour, 'line-width': ['interpolate', ['linear'], ['zoom'], 1, .7, 6, 2.4] } });
    if (point) {
      layers.push({ ...base, id: `${id}-dot`, type: 'circle', filter: ['==', ['geometry-type'], 'Point'],
        paint: { 'circle-radius': ['interpolate', ['linear'], ['zoom'], 1, 2, 6, 4], 'circle-color': colour, 'circle-stroke-color': '#fff', 'circle-stroke-width': 1.2 } });
      layers.push({ ...base, id: `${id}-name`, type: 'symbol', filter: ['has', 'name'],
        layout: { 'text-field': ['get', 'name'], 'text-font': ['DejaVu Sans'], 'text-size': ['interpolate', ['linear'], ['zoom'], 1, 11, 6, 14], 'text-anchor': 'top', 'text-offset': [0, .5],
          'symbol-sort-key': ['coalesce', ['get', 'rank'], 9] },
        paint: { 'text-color': '#26323a', 'text-halo-color': '#ffffffd9', 'text-halo-width': 1.4 } });
    }
  });
  // Areas first, then lines, then points, whatever order the pack lists them in.
  const rank = l => ({ background: 0, fill: 1, line: 2, circle: 3, symbol: 4 })[l.type] + (l.id.startsWith('water') || l.id.startsWith('ocean') ? -.4 : 0);
  layers.sort((a, b) => rank(a) - rank(b));
  const lakes = layers.find(l => l.id === 'water-fill');
  if (lakes && ids.includes('land')) { // the sea lies under the land, lakes lie on it
    layers.splice(layers.findIndex(l => l.id === 'land-edge') + 1, 0, { ...lakes, id: 'water-lakes', filter: ['==', ['get', 'class'], 'lake'] });
  }
  return { version: 8, name, glyphs: `${origin}/edge/fonts/{fontstack}/{range}.pbf`, layers,
    sources: { pack: { type: 'vector', tiles, minzoom: tilejson.minzoom, maxzoom: tilejson.maxzoom, bounds: tilejson.bounds, attribution: tilejson.attribution ?? '' } } };
}
