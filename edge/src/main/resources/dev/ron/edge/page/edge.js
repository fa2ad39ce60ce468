// The list of packs, a map of the chosen one, and what the server said about each tile.
import * as maplibregl from '/edge/ui/maplibre-gl.mjs';
import { colourOf, styleFor } from '/edge/ui/style.js';

const $ = id => document.getElementById(id);
const el = (tag, props = {}, ...children) => { const e = Object.assign(document.createElement(tag), props); e.append(...children); return e; };
const counts = { hits: 0, misses: 0, empty: 0 }, times = [];
let map, chosen, heard = '', catalogue = [], faults = [];

maplibregl.setWorkerUrl('/edge/ui/maplibre-gl-worker.mjs');

// Tiles go through here, so that their fields can be shown: Cache-Status says whether the server had them in memory.
// The server is asked each time: what the browser kept would tell again what was so when it came.
maplibregl.addProtocol('ron', async (request, abort) => {
  const began = performance.now();
  const answer = await fetch(request.url.slice('ron://'.length), { cache: 'no-cache', signal: abort.signal });
  if (answer.status !== 200 && answer.status !== 204) throw new Error(`${answer.status} for ${request.url}`);
  const data = await answer.arrayBuffer();
  note(request.url, answer, data.byteLength, performance.now() - began);
  return { data };
});

function note(url, answer, bytes, ms) {
  const status = answer.headers.get('Cache-Status') ?? '';
  const kind = answer.status === 204 ? 'none' : status.includes('hit') ? 'hit' : 'miss';
  counts[{ hit: 'hits', miss: 'misses', none: 'empty' }[kind]]++;
  for (const key in counts) $(key).textContent = counts[key];
  times.push(ms); if (times.length > 50) times.shift();
  $('median').textContent = [...times].sort((a, b) => a - b)[times.length >> 1].toFixed(1);
  const tile = url.match(/(\d+\/\d+\/\d+)\.\w+/)?.[1] ?? '?';
  const body = document.querySelector('#tiles tbody');
  body.prepend(el('tr', { title: `${status}\n${answer.headers.get('ETag') ?? ''}` },
    el('td', { textContent: tile }), el('td', { textContent: bytes }), el('td', { textContent: ms.toFixed(1) }), el('td', { className: kind, textContent: kind })));
  while (body.rows.length > 14) body.deleteRow(-1);
}

const size = n => n < 1024 ? `${n} B` : n < 1 << 20 ? `${(n / 1024).toFixed(1)} KiB` : n < 1 << 30 ? `${(n / (1 << 20)).toFixed(1)} MiB` : `${(n / (1 << 30)).toFixed(2)} GiB`;

function entry(pack) {
  const facts = el('dl');
  const fact = (name, value) => facts.append(el('dt', { textContent: name }), el('dd', { textContent: value }));
  fact('tiles', `${pack.type}${pack.coding ? ' in ' + pack.coding : ''}, zoom ${pack.minzoom} to ${pack.maxzoom}`);
  fact('bounds', pack.bounds.map(d => +d.toFixed(3)).join(', '));
  fact('size', size(pack.bytes) + (pack.tiles ? `, ${pack.tiles.toLocaleString('en')} tiles` : ''));
  fact('digest', pack.digest ? `b3:${pack.digest.slice(0, 16)}…` : 'not computed');
  fact('state', pack.fault ?? (pack.checked ? 'every directory checked' : 'being checked'));
  const button = el('button', { type: 'button', title: pack.description }, el('strong', { textContent: pack.title }),
    el('span', { className: 'file', textContent: `${pack.name}.${pack.kind}` }), facts);
  button.setAttribute('aria-pressed', String(pack.name === chosen));
  button.addEventListener('click', () => choose(pack.name));
  const links = el('div', { className: 'links' }, el('a', { href: `/edge/tiles/${pack.name}.json`, textContent: 'TileJSON' }),
    el('a', { href: `/edge/assets/${pack.name}.${pack.kind}`, textContent: 'archive', download: '' }));
  return el('li', {}, button, ...(pack.name === chosen ? [links] : []));
}

async function refresh() {
  const said = await (await fetch('/edge/catalog')).text();
  if (said !== heard) {
    ({ packs: catalogue, faults } = JSON.parse(said));
    heard = said;
    show();
  }
  if (!chosen && catalogue.length) {
    const wanted = new URLSearchParams(location.search).get('pack');
    await choose((catalogue.find(p => p.name === wanted) ?? catalogue[0]).name);
  } else if (chosen) {
    const now = catalogue.find(p => p.name === chosen);
    if (now && map && now.etag !== map.packTag) await choose(chosen); // the pack was replaced: draw the new one
  }
}

function show() {
  $('packs').replaceChildren(...faults.map(f => el('li', { className: 'fault', textContent: `${f.name}: ${f.detail}` })), ...catalogue.map(entry));
  $('nopacks').hidden = catalogue.length > 0;
}

async function choose(name) {
  chosen = name;
  const pack = catalogue.find(p => p.name === name);
  show();
  const tilejson = await (await fetch(`/edge/tiles/${name}.json`)).json();
  const tiles = tilejson.tiles.map(t => 'ron://' + location.origin + new URL(t.replace(/[{}]/g, c => c === '{' ? '%7B' : '%7D'), location.href).pathname
    .replace(/%7B/g, '{').replace(/%7D/g, '}') + new URL(t, location.href).search);
  const style = styleFor(name, tilejson, pack.type, tiles, location.origin);
  if (!map) {
    map = new maplibregl.Map({ container: 'map', style, hash: true, attributionControl: { compact: false },
      center: tilejson.center?.[2] ? tilejson.center.slice(0, 2) : [4, 14], zoom: Math.max(tilejson.center?.[2] ?? 1, Math.min(1.35, pack.maxzoom)) });
    map.addControl(new maplibregl.NavigationControl());
    map.addControl(new maplibregl.ScaleControl());
    map.on('click', pick);
    map.on('idle', () => document.body.dataset.drawn = 'yes');
    map.on('error', e => console.error(e.error ?? e));
    globalThis.ronMap = map;
  } else {
    map.setStyle(style);
    map.fitBounds(pack.bounds, { maxZoom: pack.maxzoom, duration: 0 });
  }
  map.packTag = pack.etag;
  layers(tilejson.vector_layers ?? []);
}

function layers(list) {
  $('layersection').hidden = !list.length;
  $('layers').replaceChildren(...list.map((layer, i) => {
    const box = el('input', { type: 'checkbox', checked: true });
    box.addEventListener('change', () => map.getStyle().layers.filter(l => l.metadata?.layer === layer.id)
      .forEach(l => map.setLayoutProperty(l.id, 'visibility', box.checked ? 'visible' : 'none')));
    const swatch = el('span', { className: 'swatch' }); swatch.style.background = colourOf(layer.id, i);
    const fields = Object.keys(layer.fields ?? {});
    return el('li', {}, el('label', { title: fields.join(', ') }, box, swatch, layer.id, el('span', { className: 'count', textContent: `${fields.length} field${fields.length === 1 ? '' : 's'}` })));
  }));
}

function pick(event) {
  const z = Math.min(Math.floor(map.getZoom()), catalogue.find(p => p.name === chosen).maxzoom), n = 2 ** z;
  const { lng, lat } = event.lngLat, s = Math.sin(lat * Math.PI / 180);
  const x = Math.floor((lng + 180) / 360 * n), y = Math.floor((.5 - Math.log((1 + s) / (1 - s)) / (4 * Math.PI)) * n);
  const seen = new Set(), found = map.queryRenderedFeatures(event.point).filter(f => { const k = f.sourceLayer + (f.properties.name ?? ''); return f.sourceLayer && !seen.has(k) && seen.add(k); });
  const list = found.slice(0, 8).map(f => { const d = el('dl'); for (const [k, v] of Object.entries(f.properties)) d.append(el('dt', { textContent: k }), el('dd', { textContent: v }));
    return el('div', { className: 'feature' }, el('h3', { textContent: f.sourceLayer }), d); });
  $('picked').replaceChildren(el('div', { textContent: `tile ${z}/${x}/${y} at ${lng.toFixed(4)}, ${lat.toFixed(4)}` }), ...list, ...(found.length ? [] : [el('div', { textContent: 'nothing is drawn here' })]));
}

$('grid').addEventListener('change', e => { map.showTileBoundaries = e.target.checked; });
const loop = async () => { try { await refresh(); } catch (e) { console.warn(e); } setTimeout(loop, 2000); };
loop();
