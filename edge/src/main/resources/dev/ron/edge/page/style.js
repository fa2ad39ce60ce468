// A style for any pack: known layer names get the colours a map reader expects, others a colour of their own.
const PALETTE = ['#7c6fcd', '#d26a5c', '#4c9f70', '#c59a3d', '#4f8bc9', '#b0609f', '#6b8e23', '#5f9ea0'];
const KNOWN = { water: '#a9d3e8', ocean: '#a9d3e8', land: '#eef1e3', earth: '#eef1e3', landuse: '#dfe9d0', landcover: '#dfe9d0',
  roads: '#c8a26b', transportation: '#c8a26b', places: '#26323a', place: '#26323a', boundaries: '#9a86b8', buildings: '#d8cfc4' };
// Classes that say how high the land or how deep the water is.
const TINTS = { ocean: '#8fc1dc', shelf: '#a3d0e5', shallow: '#bbe0ee', lake: '#9fd0e6', land: '#dbe7c0', hills: '#ece6bd', upland: '#e6cf9c', mountain: '#cfab80', snow: '#f7f7f5' };
const tinted = colour => ['match', ['get', 'class'], ...Object.entries(TINTS).flat(), colour];
const LINES = /road|transport|way|line|bound|contour/, POINTS = /place|poi|label|name|point|peak|housenumber/;

export const colourOf = (id, i) => KNOWN[id] ?? PALETTE[i % PALETTE.length];

export function styleFor(name, tilejson, type, tiles, origin) {
  if (type !== 'mvt' && type !== 'mlt') {
    return { version: 8, sources: { pack: { type: 'raster', tiles, tileSize: 256, minzoom: tilejson.minzoom, maxzoom: tilejson.maxzoom,
      bounds: tilejson.bounds, attribution: tilejson.attribution ?? '' } }, layers: [{ id: 'raster', type: 'raster', source: 'pack' }] };
  }
  const layers = [{ id: 'ground', type: 'background', paint: { 'background-color': '#8fc1dc' } }];
  const ids = (tilejson.vector_layers ?? []).map(l => l.id);
  ids.forEach((id, i) => {
    const colour = colourOf(id, i), line = LINES.test(id), point = POINTS.test(id);
    const base = { source: 'pack', 'source-layer': id, metadata: { layer: id } };
    if (!line && !point) {
      layers.push({ ...base, id: `${id}-fill`, type: 'fill', filter: ['==', ['geometry-type'], 'Polygon'],
        paint: { 'fill-color': tinted(colour) } });
      layers.push({ ...base, id: `${id}-edge`, type: 'line', filter: ['all', ['==', ['geometry-type'], 'Polygon'], ['!', ['in', ['get', 'class'], ['literal', ['ocean', 'shelf', 'shallow', 'hills', 'upland', 'mountain', 'snow']]]]],
        paint: { 'line-color': id === 'water' ? '#6fa9c6' : '#7d9a86', 'line-width': ['interpolate', ['linear'], ['zoom'], 1, .6, 6, 1.4], 'line-opacity': .8 } });
      if (id === 'water') layers.push({ ...base, id: 'rivers-line', type: 'line', filter: ['==', ['geometry-type'], 'LineString'], layout: { 'line-cap': 'round', 'line-join': 'round' },
        paint: { 'line-color': '#7fb6d2', 'line-width': ['interpolate', ['linear'], ['zoom'], 1, .6, 6, 2.6] } });
    }
    if (line) layers.push({ ...base, id: `${id}-case`, type: 'line', layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: { 'line-color': '#fffdf6', 'line-width': ['match', ['get', 'class'], 'street', 2, 'primary', 2.6, 3.6], 'line-opacity': ['interpolate', ['linear'], ['zoom'], 2, .4, 4, 1] } });
    if (line) layers.push({ ...base, id: `${id}-line`, type: 'line', layout: { 'line-cap': 'round', 'line-join': 'round' },
      paint: { 'line-color': ['match', ['get', 'class'], 'motorway', '#d9773c', 'primary', '#c99a4b', 'street', '#b8aa93', colour], 'line-width': ['match', ['get', 'class'], 'street', .7, 'primary', 1.2, 1.9] } });
    if (point) {
      layers.push({ ...base, id: `${id}-dot`, type: 'circle', filter: ['==', ['geometry-type'], 'Point'],
        paint: { 'circle-radius': ['match', ['get', 'class'], 'city', 4.5, 'town', 3, 2], 'circle-color': colour, 'circle-stroke-color': '#fff', 'circle-stroke-width': 1.2 } });
      layers.push({ ...base, id: `${id}-name`, type: 'symbol', filter: ['has', 'name'],
        layout: { 'text-field': ['get', 'name'], 'text-font': ['DejaVu Sans'], 'text-size': ['match', ['get', 'class'], 'city', 15, 'town', 12, 11], 'text-anchor': 'top', 'text-offset': [0, .5],
          'symbol-sort-key': ['coalesce', ['get', 'rank'], 9] },
        paint: { 'text-color': '#26323a', 'text-halo-color': '#ffffffd9', 'text-halo-width': 1.4 } });
    }
  });
  // Areas first, then lines, then points, whatever order the pack lists them in.
  const rank = l => ({ background: 0, fill: 1, line: 2, circle: 3, symbol: 4 })[l.type] + (l.id.startsWith('water') || l.id.startsWith('ocean') || l.id.startsWith('rivers') ? -.4 : 0);
  layers.sort((a, b) => rank(a) - rank(b));
  const lakes = layers.find(l => l.id === 'water-fill');
  if (lakes && ids.includes('land')) { // the sea lies under the land, lakes lie on it
    layers.splice(layers.findIndex(l => l.id === 'land-edge') + 1, 0, { ...lakes, id: 'water-lakes', filter: ['==', ['get', 'class'], 'lake'] });
  }
  return { version: 8, name, glyphs: `${origin}/edge/fonts/{fontstack}/{range}.pbf`, layers,
    sources: { pack: { type: 'vector', encoding: type, tiles, minzoom: tilejson.minzoom, maxzoom: tilejson.maxzoom, bounds: tilejson.bounds, attribution: tilejson.attribution ?? '' } } };
}
