// A console without a server: answers the API from made-up data that moves, for work on the pages and for their tests.
// `node dev/fixture.mjs [port] [scene]`; scenes: one, trouble, fleet, thousand, empty, viewer, signin.
import { createServer } from 'node:http';
import { readFileSync } from 'node:fs';
import { extname, join, normalize } from 'node:path';
import { gzipSync } from 'node:zlib';

const dist = join(import.meta.dirname, '../dist');
const TYPES = { '.html': 'text/html; charset=utf-8', '.js': 'text/javascript', '.css': 'text/css', '.svg': 'image/svg+xml' };
// The policy of the real server, word for word: what it forbids must fail here too.
export const POLICY =
  "default-src 'none'; script-src 'self'; style-src 'self'; img-src 'self' data:; font-src 'self'; connect-src 'self'; " +
  "manifest-src 'self'; base-uri 'none'; form-action 'self'; frame-ancestors 'none'; require-trusted-types-for 'script'";
const STEP = 5000;
const SLOTS = 61;

const wave = (at, base, swing, period, phase = 0) =>
  Math.max(0, base + swing * Math.sin((at / 1000 / period) * 6.283 + phase) + swing * 0.35 * Math.sin((at / 1000 / period) * 19 + phase * 3));

function times(now) {
  const end = now - (now % STEP);
  return Array.from({ length: SLOTS }, (_, i) => end - (SLOTS - 1 - i) * STEP);
}

function column(now, base, swing, period, phase, gap = false) {
  return times(now).map((at, i) => (gap && i > 30 && i < 36 ? null : Math.round(wave(at, base, swing, period, phase) * 1000) / 1000));
}

const hash = (text) => [...text].reduce((h, c) => (h * 31 + c.charCodeAt(0)) >>> 0, 7);
const cause = (key, text, ...args) => ({ key, args, text });

/** The nodes of a scene. */
export function nodesOf(scene) {
  const node = (id, name, more = {}) => ({ id, name, env: 'dev', service: 'ron', version: '0.1.0', state: 'ready', tone: 'ok', causes: [], ...more });
  const bad = cause('plane.degraded', 'gateway.upstreams is degraded: demo: 127.0.0.1:8086 refuses connections', 'gateway.upstreams', ': demo: 127.0.0.1:8086 refuses connections');
  switch (scene) {
    case 'empty':
      return [];
    case 'trouble':
      return [node('self', 'This node', { state: 'degraded', tone: 'warn', causes: [bad], failing: 'gateway' })];
    case 'fleet':
      return [
        node('eu-gateway-1', 'EU gateway 1', { env: 'prod', service: 'svc-gateway' }),
        node('eu-gateway-2', 'EU gateway 2', { env: 'prod', service: 'svc-gateway', state: 'degraded', tone: 'warn', causes: [bad], failing: 'gateway' }),
        node('eu-edge-1', 'EU edge 1', { env: 'prod', service: 'svc-edge' }),
        node('eu-passport', 'EU passport', { env: 'prod', service: 'svc-passport', state: 'not_ready', tone: 'danger', causes: [cause('readyz.missing', 'kms is missing: no answer from the key service in 3 s', 'kms', 'no answer from the key service in 3 s')] }),
        node('eu-registry', 'EU registry', { env: 'prod', service: 'svc-registry', state: 'draining', tone: 'info', causes: [cause('phase', 'the node is draining', 'draining')] }),
        node('staging', 'Staging', { env: 'staging', version: '0.2.0-rc1' }),
        node('lab', 'Lab', { state: 'unreachable', tone: 'danger', causes: [cause('probe.failed', '/healthz: connection refused', '/healthz', 'connect', 'connection refused')], silent: true }),
        node('self', 'This node'),
      ];
    case 'thousand':
      return Array.from({ length: 1000 }, (_, i) => {
        const h = hash(`n${i}`) % 100;
        return node(`node-${String(i).padStart(4, '0')}`, `Node ${i}`, {
          env: ['dev', 'staging', 'prod'][i % 3],
          service: ['svc-gateway', 'svc-edge', 'svc-passport', 'svc-registry'][i % 4],
          ...(h < 2 ? { state: 'unreachable', tone: 'danger', causes: [cause('probe.failed', '/healthz: connection refused', '/healthz', 'connect', 'connection refused')], silent: true } : h < 6 ? { state: 'degraded', tone: 'warn', causes: [bad] } : {}),
        });
      });
    case 'hostile':
      return [node('self', '<img src=x onerror=alert(1)>', { version: '"><script>alert(1)</script>', state: 'degraded', tone: 'warn', causes: [cause('plane.fail', '<b>bold</b> \u202e fails', '<b>bold</b>', '')] })];
    default:
      return [node('self', 'This node')];
  }
}

const PARTS = {
  gateway: ['ingress', 'scheduler', 'workers', 'upstreams'],
  edge: ['ingress', 'fill', 'packs', 'cas'],
  passport: ['http', 'issuance', 'revocation', 'kms'],
  registry: ['http', 'commit', 'publisher', 'checkpoint', 'verifier'],
  admin: ['http', 'samplers', 'auth', 'audit'],
};
// What a series swings about, and where in its swing it begins; in keeping with the numbers of the panels.
const LEVELS = [
  ['latency_seconds:p95', 0.0064, 1], ['seconds', 0.004, 2], ['acme', 82, 0], ['globex', 41, 0.2], ['kind="pack"', 29, 0], ['kind="cas"', 14, 2], ['cause="absent"', 1.6, 1],
  ['alg="EdDSA"', 11.2, 0], ['result="committed"', 0.4, 0], ['result="refused"', 0.05, 2], ['service="gateway",status="2xx"', 164, 0], ['4xx', 1.2, 1], ['service="edge"', 44, 2], ['service="passport"', 11.2, 3], ['heap', 61e6, 0],
];
// What each service has to do, in keeping with the charts.
const WORK = {
  gateway: { rps: 167.4, errorRate: 0, p50Ms: 2.4, p95Ms: 9.1, p99Ms: 15.2, inflight: 5 }, edge: { rps: 43.7, errorRate: 0, p50Ms: 0.4, p95Ms: 1.1, p99Ms: 2.6, inflight: 0 },
  passport: { rps: 11.2, errorRate: 0.002, p50Ms: 3.1, p95Ms: 6.8, p99Ms: 11.9, inflight: 0 }, registry: { rps: 2.1, errorRate: 0, p50Ms: 0.9, p95Ms: 3.4, p99Ms: 4.2, inflight: 0 },
  admin: { rps: 4.3, errorRate: 0, p50Ms: 1.2, p95Ms: 6.2, p99Ms: 9.7, inflight: 2 },
};
const servicesOf = (node) => (node.service === 'ron' ? Object.keys(PARTS) : [node.service.slice(4)]);

function planes(node) {
  return servicesOf(node).flatMap((service) => [
    { name: service, health: node.failing === service ? 'degraded' : 'ok', ready: true, restartCount: 0, notes: null },
    ...PARTS[service].map((part) => ({
      name: `${service}.${part}`,
      health: node.failing === service && part === 'upstreams' ? 'degraded' : 'ok',
      ready: true,
      restartCount: 0,
      notes: node.failing === service && part === 'upstreams' ? 'demo: 127.0.0.1:8086 refuses connections' : null,
    })),
  ]);
}

export class Fixture {
  constructor(scene = 'one') {
    this.scene = scene;
    this.nodes = nodesOf(scene);
    this.streams = new Set();
    this.version = 1;
    this.streamsOpened = 0;
    this.actions = [];
    this.audit = [];
    this.signedIn = scene !== 'signin';
    this.metricsState = 'fresh';
    this.frozen = null;
  }

  now() {
    return this.frozen ?? Date.now();
  }

  row(node) {
    const now = this.now();
    const h = hash(node.id) % 7;
    const silent = node.silent === true;
    const list = planes(node);
    const tops = list.filter((plane) => !plane.name.includes('.'));
    return {
      id: node.id, displayName: node.name, environment: node.env, service: silent ? null : node.service, profile: 'macro', version: silent ? null : node.version,
      labels: { region: node.id.startsWith('eu') ? 'eu' : 'local' }, state: node.state, tone: node.tone,
      ready: node.state === 'ready' || node.state === 'degraded', writeReady: node.state === 'ready', amnesia: false, causes: node.causes,
      planes: { total: silent ? 0 : tops.length, ready: silent ? 0 : tops.filter((p) => p.health === 'ok').length, failing: node.failing ? [node.failing] : [] },
      restarts: 0, uptimeSeconds: silent ? null : 86_400 * 3 + 7200 + h * 60, rps: silent ? null : Math.round(wave(now, 180 + h * 60, 40, 90, h) * 10) / 10,
      errorRate: silent ? null : node.tone === 'warn' ? 0.034 : 0.0004, p95Ms: silent ? null : 8.4 + h,
      spark: silent ? [] : column(now, 180 + h * 60, 40, 90, h), metrics: silent ? 'unavailable' : this.metricsState, statusAgeMs: silent ? 64_000 : 1200, metricsAgeMs: silent ? null : 2100,
      insecureHttp: false, actions: { reload: !silent, drain: !silent, resume: node.state === 'draining', shutdown: !silent },
    };
  }

  fleet() {
    const totals = {};
    for (const node of this.nodes) {
      totals[node.state] = (totals[node.state] ?? 0) + 1;
    }
    return { version: this.version, generatedAt: new Date(this.now()).toISOString(), configVersion: 3, nodes: this.nodes.map((node) => this.row(node)), totals };
  }

  status(node) {
    const silent = node.silent === true;
    return {
      row: this.row(node), instanceId: silent ? null : '01JD7K3Q8M4Y', gitSha: silent ? null : '42a85a7f19c0', buildTs: null, runtime: silent ? null : '25.0.1+8 Temurin',
      capabilities: silent ? [] : ['admin_api_v1', 'reload', 'drain', 'shutdown'], draining: node.state === 'draining', phase: silent ? null : node.state === 'draining' ? 'draining' : 'running',
      config: silent ? null : { version: 3, hash: 'b1946ac92492', loadedAt: '2026-11-15T05:10:00Z' }, planes: silent ? [] : planes(node),
      queues: silent ? [] : [
        { name: 'gateway.work', depth: node.failing ? 311 : 6, capacity: 512, droppedTotal: node.failing ? 1204 : 0 },
        { name: 'gateway.sched', depth: 2, capacity: 512, droppedTotal: 0 },
        { name: 'passport.issue', depth: 0, capacity: 512, droppedTotal: 0 },
        { name: 'passport.revoke', depth: 0, capacity: 256, droppedTotal: 0 },
        { name: 'admin.metrics_cmd', depth: 0, capacity: 256, droppedTotal: 0 },
        { name: 'admin.events', depth: 41, capacity: 1024, droppedTotal: 0 },
      ],
      tasks: silent ? [] : [{ name: 'gateway.listener', state: 'running', restarts: 0 }, { name: 'passport.issuer-1', state: 'running', restarts: 0 }, { name: 'registry.committer', state: 'running', restarts: 0 }, { name: 'admin.sampler.self', state: 'running', restarts: 1 }],
      readyKeys: silent ? {} : { config_loaded: true, listeners_bound: true, keys_loaded: node.state !== 'not_ready', upstreams: node.tone !== 'warn' }, serviceData: {},
      probes: ['/healthz', '/readyz', '/api/v1/status', '/version', '/metrics'].map((path, i) =>
        silent ? { path, ok: false, status: null, ms: 2, bodyBytes: null, error: 'connect', detail: 'connection refused: 10.0.0.9:8085' } : { path, ok: true, status: 200, ms: 2 + i, bodyBytes: [88, 412, 6210, 190, 48_122][i], error: null, detail: null },
      ),
      partial: silent, observedAt: new Date(this.now() - 1200).toISOString(),
    };
  }

  series(node, last = SLOTS) {
    const now = this.now();
    const h = hash(node.id) % 7;
    const cut = (list) => list.slice(-last);
    return {
      nodeId: node.id, t: cut(times(now)), unknown: [],
      cols: {
        rps: cut(column(now, 180 + h * 60, 40, 90, h)), errorRate: cut(column(now, node.tone === 'warn' ? 0.03 : 0.0004, node.tone === 'warn' ? 0.02 : 0.0004, 60, h)),
        p50Ms: cut(column(now, 2.1, 0.4, 70, h)), p95Ms: cut(column(now, 8.4 + h, 1.6, 80, h)), p99Ms: cut(column(now, 15 + h, 4, 60, h)), inflight: cut(column(now, 7, 4, 45, h).map(Math.round)),
        ...(servicesOf(node).length > 1 ? Object.fromEntries(servicesOf(node).map((name, i) => [`rps.${name}`, cut(column(now, WORK[name].rps, WORK[name].rps * 0.2, 90, h + i))])) : {}),
      },
    };
  }

  totals() {
    return { rps: 182.4, errorRate: 0.0004, p50Ms: 2.1, p95Ms: 8.4, p99Ms: 15.2, inflight: 7, rejectedPerSec: 1.2, busyPerSec: 0 };
  }

  summary(node) {
    const silent = node.silent === true;
    return {
      nodeId: node.id, windowSeconds: 300, intervalSeconds: 5, updatedAt: new Date(this.now() - 2100).toISOString(), ageMs: silent ? null : this.metricsState === 'stale' ? 74_000 : 2100, state: silent ? 'unavailable' : this.metricsState,
      lastError: silent || this.metricsState === 'stale' ? { code: 'connect', detail: 'connection refused: 10.0.0.9:8085', at: new Date(this.now()).toISOString() } : null, resets: 0, seriesTracked: silent ? 0 : 148, seriesDropped: 0,
      totals: silent ? Object.fromEntries(Object.keys(this.totals()).map((key) => [key, null])) : this.totals(),
      services: silent ? [] : servicesOf(node).map((name) => ({ name, ...WORK[name] })), queues: [],
      routes: silent ? [] : [
        { service: 'gateway', route: '/demo/**', rps: 121.4, errorRate: node.tone === 'warn' ? 0.05 : 0, p95Ms: 9.1 }, { service: 'gateway', route: '/edge/**', rps: 44.9, errorRate: 0, p95Ms: 3.2 },
        { service: 'edge', route: '/tiles/{pack}/{z}/{x}/{y}', rps: 43.7, errorRate: 0, p95Ms: 1.1 }, { service: 'passport', route: '/v1/passport/issue', rps: 11.2, errorRate: 0.002, p95Ms: 6.8 },
      ],
      rejects: silent ? [] : [{ service: 'gateway', reason: 'rate_limit', perSec: 1.1 }, { service: 'gateway', reason: 'body_cap', perSec: 0.1 }],
      series: silent ? { nodeId: node.id, t: [], cols: {}, unknown: [] } : this.series(node),
    };
  }

  panels(node) {
    const now = this.now();
    const has = (service) => node.silent !== true && servicesOf(node).includes(service);
    const no = (service) => `this node does not run svc-${service}`;
    const acme = Math.round(wave(now, 82, 8, 40) * 10) / 10;
    const globex = Math.round(wave(now, 41, 4, 40, 0.2) * 10) / 10;
    const share = (v) => Math.round((v / (acme + globex)) * 1000) / 1000;
    return {
      nodeId: node.id,
      gateway: has('gateway')
        ? { available: true, cause: null, degraded: node.failing === 'gateway', contended: true, jain: 0.998, shareError: 0.01,
            tenants: [
              { id: 'acme', quantum: 2, depth: 3, servedPerSec: acme, droppedPerSec: 0, share: share(acme), fairShare: 0.667 },
              { id: 'globex', quantum: 1, depth: 11, servedPerSec: globex, droppedPerSec: 1.1, share: share(globex), fairShare: 0.333 },
            ],
            upstreams: [
              { id: 'demo', inflight: 5, targets: [{ url: 'http://127.0.0.1:8086', healthy: node.failing !== 'gateway', circuit: node.failing === 'gateway' ? 'open' : 'closed' }] },
              { id: 'edge', inflight: 1, targets: [{ url: 'http://127.0.0.1:8081', healthy: true, circuit: 'closed' }] },
            ] }
        : { available: false, cause: no('gateway'), degraded: null, contended: null, jain: null, shareError: null, tenants: [], upstreams: [] },
      edge: has('edge')
        ? { available: true, cause: null, hitRatio: 0.964, hitsPerSec: 43.1, missesPerSec: 1.6, bytesOutPerSec: 2_411_000, casBytes: 412e6, casMaxBytes: 1024 ** 3,
            fills: [{ host: 'assets.example.org', attemptsPerSec: 1.6, successRatio: 0.99 }],
            packs: [{ name: 'demo', kind: 'pmtiles', size: 18_204_112, verified: true, b3: '9f1ac02be4d77c10aa', tiles: 21_845 }, { name: 'fonts', kind: 'raw', size: 2_204_112, verified: true, b3: '77aa02be4d9f1a', tiles: null }],
            hitRatioSpark: column(now, 0.955, 0.02, 120) }
        : { available: false, cause: no('edge'), hitRatio: null, hitsPerSec: null, missesPerSec: null, bytesOutPerSec: null, casBytes: null, casMaxBytes: null, fills: [], packs: [], hitRatioSpark: [] },
      passport: has('passport')
        ? { available: true, cause: null, issuedPerSec: 11.2, verifiedPerSec: 166.3, revokedPerSec: 0.02, issueP95Ms: 6.8, issueP99Ms: 11.9, epoch: 4, revocations: 17, kmsOk: true, kmsBreaker: 'closed', keys: ['k-2026-11a', 'k-2026-11b'], policyVersion: 2, rejects: [{ service: 'passport', reason: 'policy_denied', perSec: 0.4 }, { service: 'passport', reason: 'rate_limit', perSec: 0.1 }] }
        : { available: false, cause: no('passport'), issuedPerSec: null, verifiedPerSec: null, revokedPerSec: null, issueP95Ms: null, issueP99Ms: null, epoch: null, revocations: null, kmsOk: null, kmsBreaker: null, keys: [], policyVersion: null, rejects: [] },
      registry: has('registry')
        ? { available: true, cause: null, headVersion: 1284, headHash: 'c2f09be1a77d4410e5', commitsPerSec: 0.4, commitP95Ms: 4.2, checkpointAgeSeconds: 312, verifyOk: true, pendingCount: 2,
            pending: [
              { proposalId: 'prop-7f3a19c2', title: 'route: send /demo/** to demo v2', approvals: 1, quorum: 2, ageSeconds: 640, approveCommand: 'ron registry approve prop-7f3a19c2 --key data/demo/keys/bob.key --at http://127.0.0.1:8083' },
              { proposalId: 'prop-1b80e4d7', title: 'descriptor: add pack "harbour"', approvals: 0, quorum: 2, ageSeconds: 75, approveCommand: 'ron registry approve prop-1b80e4d7 --key data/demo/keys/bob.key --at http://127.0.0.1:8083' },
            ] }
        : { available: false, cause: no('registry'), headVersion: null, headHash: null, commitsPerSec: null, commitP95Ms: null, checkpointAgeSeconds: null, verifyOk: null, pendingCount: null, pending: [] },
    };
  }

  keys(node) {
    const of = (family, kind, labels) => labels.map((label, i) => ({ key: `${family}${label}`, family, kind, last: 12.5 / (i + 1) }));
    const key = node.silent ? [] : [
      ...of('http_requests_total', 'rate', ['{service="gateway",status="2xx"}', '{service="gateway",status="4xx"}', '{service="edge",status="2xx"}', '{service="passport",status="2xx"}']),
      ...of('gateway_drr_dispatched_total', 'rate', ['{tenant="acme"}', '{tenant="globex"}']),
      ...of('edge_cache_hits_total', 'rate', ['{kind="pack",range="no"}', '{kind="cas",range="no"}']), ...of('edge_cache_misses_total', 'rate', ['{cause="absent"}']),
      ...of('svc_passport_tokens_issued_total', 'rate', ['{alg="EdDSA"}']), ...of('svc_passport_issue_latency_seconds', 'quantile', [':p50', ':p95', ':p99']),
      ...of('registry_updates_total', 'rate', ['{result="committed"}', '{result="refused"}']), ...of('queue_depth', 'gauge', ['{service="gateway",queue="work"}', '{service="gateway",queue="sched"}', '{service="passport",queue="issue"}']),
      ...of('request_latency_seconds', 'quantile', ['{service="gateway"}:p50', '{service="gateway"}:p95', '{service="gateway"}:p99']), ...of('jvm_memory_used_bytes', 'gauge', ['{area="heap"}', '{area="nonheap"}']),
    ];
    return { nodeId: node.id, keys: key };
  }

  columns(node, wanted) {
    const now = this.now();
    const cols = {};
    for (const key of wanted) {
      const h = hash(key) % 9;
      const [, base, phase] = LEVELS.find(([part]) => key.includes(part)) ?? ['', 14 + h * 6, h];
      cols[key] = column(now, base, base * 0.15, 55 + h * 4, phase, key.includes('4xx'));
    }
    return { nodeId: node.id, t: times(now), cols, unknown: [] };
  }

  facets(node) {
    const names = node.silent ? [] : ['checkout', 'map view', 'search', 'sign in', 'tiles'];
    return {
      nodeId: node.id, updatedAt: new Date(this.now()).toISOString(), ageMs: 2100, state: 'fresh',
      facets: names.map((facet, i) => ({ facet, service: null, rps: 12.5 + i * 7, errorRate: i === 0 ? 0.021 : 0.0002 * i, p50Ms: 2 + i, p95Ms: 9 + i * 3, p99Ms: 21 + i * 4, inflight: i + 1, spark: column(this.now(), 12 + i * 7, 3, 50, i) })),
    };
  }

  console() {
    return {
      readiness: { config_loaded: true, node_registry_loaded: true, http_listener_bound: true, auth_ready: true, audit_ready: true, samplers_running: true },
      queues: [{ name: 'metrics_cmd', depth: 0, capacity: 256, droppedTotal: 0 }, { name: 'auth_refresh', depth: 0, capacity: 32, droppedTotal: 0 }, { name: 'events', depth: 41, capacity: 1024, droppedTotal: 0 }, { name: 'audit_in', depth: 0, capacity: 64, droppedTotal: 0 }],
      samplers: { alive: this.nodes.length, lagging: 0, stretched: 0 }, keySet: null, config: { version: 3, lastOutcome: 'applied', lastError: null }, streams: { open: this.streams.size, limit: 256, lagged: 0 },
      heapBytes: 61e6, heapMaxBytes: 268_435_456, ringBytes: 71_680 * this.nodes.length, startedAt: new Date(this.now() - 3 * 86_400_000).toISOString(), version: '0.1.0',
    };
  }

  auditPage(query) {
    const all = this.audit.filter((r) => ['node:nodeId', 'subject:subject', 'action:action', 'result:result'].every((pair) => { const [q, f] = pair.split(':'); return !query.get(q) || r[f] === query.get(q); }));
    return { records: all, nextBefore: null, chainOk: this.chainBroken !== true, chainCause: this.chainBroken ? 'record 7 does not follow from record 6' : null, durable: true };
  }

  record(more) {
    const seq = this.audit.length + 1;
    const record = { seq, at: new Date(this.now() - (12 - seq) * 61_000).toISOString(), actionId: `a-${seq}`, phase: 'outcome', subject: 'dev-operator', roles: ['admin'], authMode: 'none', peer: '127.0.0.1', nodeId: 'self', environment: 'dev', action: 'reload', reason: '', result: 'ok', nodeStatus: 202, code: null, corrId: 'corr-0001', prevHash: 'aa', hash: 'bb', ...more };
    this.audit.unshift(record);
    return record;
  }

  emit(type, data) {
    for (const stream of this.streams) {
      stream.write(`event: ${type}\nid: ${++this.version}\ndata: ${JSON.stringify(data)}\n\n`);
    }
  }

  change(id, more) {
    const node = this.nodes.find((one) => one.id === id);
    Object.assign(node, more);
    this.version++;
    this.emit('node', { rows: [this.row(node)] });
  }

  handle(request, response) {
    const url = new URL(request.url, 'http://x');
    const json = (body, status = 200, headers = {}) => {
      const text = Buffer.from(JSON.stringify(body));
      response.writeHead(status, { 'Content-Type': status >= 400 ? 'application/problem+json' : 'application/json', 'Cache-Control': 'no-store', 'X-Corr-ID': 'fixture-0123456789', 'Content-Encoding': 'gzip', ...headers });
      response.end(gzipSync(text));
    };
    const problem = (status, reason, detail) => json({ type: `urn:ron:problem:${reason}`, title: reason, status, detail, code: reason, reason }, status);
    const path = url.pathname;
    if (!path.startsWith('/api/')) {
      return this.asset(path, response);
    }
    if (path === '/api/ui-config') {
      return json({ defaultTheme: 'system', availableThemes: ['system', 'light', 'dark', 'contrast'], defaultLanguage: 'en-US', availableLanguages: ['en-US', 'es-ES'], readOnly: false, actions: { reload: true, drain: true, shutdown: true }, authMode: this.scene === 'signin' ? 'passport' : 'none', loginUrl: null, poll: { statusMs: this.statusMs ?? 10_000, metricsMs: 5000 }, windowSeconds: 300, version: '0.1.0', instanceName: null, banner: this.banner ?? null });
    }
    if (path === '/api/session' && request.method === 'POST') {
      return this.body(request).then((body) => (body.token === 'good' ? ((this.signedIn = true), response.writeHead(204).end()) : problem(401, 'unauthenticated', 'the token is not valid')));
    }
    if (!this.signedIn) {
      return problem(401, 'unauthenticated', 'sign in first');
    }
    if (path === '/api/me') {
      const viewer = this.scene === 'viewer';
      return json({ subject: viewer ? 'ana' : 'dev-operator', displayName: viewer ? 'Ana' : 'Dev Operator', roles: viewer ? ['viewer'] : ['viewer', 'operator', 'admin'], groups: [], authMode: this.scene === 'signin' ? 'passport' : 'none', expiresAt: null, csrfToken: 'csrf' });
    }
    if (path === '/api/nodes') {
      const tag = `"${this.version}"`;
      if (request.headers['if-none-match'] === tag) {
        return response.writeHead(304).end();
      }
      return json(this.fleet(), 200, { ETag: tag });
    }
    if (path === '/api/events') {
      response.writeHead(200, { 'Content-Type': 'text/event-stream', 'Cache-Control': 'no-store' });
      response.write(`retry: 2000\n\nevent: hello\nid: ${this.version}\ndata: ${JSON.stringify({ version: this.version, configVersion: 3, resumed: false })}\n\n`);
      this.streamsOpened++;
      this.streams.add(response);
      const wanted = (url.searchParams.get('nodes') ?? '').split(',');
      const timer = setInterval(() => {
        for (const node of this.nodes.filter((one) => wanted.includes(one.id) && !one.silent)) {
          response.write(`event: metrics\nid: ${this.version}\ndata: ${JSON.stringify({ nodeId: node.id, series: this.series(node, 1), totals: this.totals() })}\n\n`);
        }
      }, 1000);
      request.on('close', () => {
        clearInterval(timer);
        this.streams.delete(response);
      });
      return undefined;
    }
    if (path === '/api/audit') {
      return json(this.auditPage(url.searchParams));
    }
    if (path === '/api/console') {
      return json(this.console());
    }
    if (path === '/api/console/reload') {
      return json({ accepted: true, outcome: null, configVersion: 3, message: null }, 202);
    }
    const found = /^\/api\/nodes\/([^/]+)(?:\/(.*))?$/.exec(path);
    const node = found && this.nodes.find((one) => one.id === found[1]);
    if (!node) {
      return problem(404, 'not_found', `there is no ${path}`);
    }
    const what = found[2] ?? '';
    if (request.method === 'POST') {
      if (what === 'refresh') {
        return json({ nodeId: node.id, queued: true, coalesced: false }, 202);
      }
      return this.body(request).then((body) => {
        if (request.headers['x-csrf-token'] !== 'csrf' || !request.headers['idempotency-key']) {
          return problem(403, 'csrf', 'the request does not come from our own page');
        }
        this.actions.push({ node: node.id, action: what, ...body });
        const record = this.record({ nodeId: node.id, action: what, reason: body.reason ?? '' });
        this.emit('audit', { record });
        return this.actionAnswer ? problem(...this.actionAnswer) : json({ actionId: record.actionId, nodeId: node.id, action: what, outcome: 'ok', accepted: true, nodeStatus: 202, message: null, auditSeq: record.seq });
      });
    }
    switch (what) {
      case '': return json(this.row(node));
      case 'status': return json(this.status(node));
      case 'metrics/summary': return json(this.summary(node));
      case 'metrics/facets': return json(this.facets(node));
      case 'metrics/keys': return json(this.keys(node));
      case 'metrics/series': return json(this.columns(node, url.searchParams.getAll('key')));
      case 'panels': return json(this.panels(node));
      default: return problem(404, 'not_found', `there is no ${path}`);
    }
  }

  async body(request) {
    let text = '';
    for await (const piece of request) {
      text += piece;
    }
    return JSON.parse(text || '{}');
  }

  asset(path, response) {
    const file = extname(path) ? normalize(path) : '/index.html';
    try {
      const bytes = readFileSync(join(dist, file));
      response.writeHead(200, { 'Content-Type': TYPES[extname(file)] ?? 'application/octet-stream', 'Content-Security-Policy': POLICY, 'X-Content-Type-Options': 'nosniff' });
      response.end(bytes);
    } catch {
      response.writeHead(404).end('not found');
    }
  }

  listen(port = 0) {
    this.server = createServer((request, response) => void this.handle(request, response));
    return new Promise((resolve) => this.server.listen(port, '127.0.0.1', () => resolve(`http://127.0.0.1:${this.server.address().port}`)));
  }

  close() {
    this.server.closeAllConnections();
    return new Promise((resolve) => this.server.close(resolve));
  }

  withHistory() {
    const me = { subject: 'marta', roles: ['admin'] };
    this.record({ ...me, action: 'reload', phase: 'intent', result: 'pending', reason: 'new quota for globex' });
    this.record({ ...me, action: 'reload', phase: 'outcome', result: 'ok', reason: 'new quota for globex' });
    this.record({ subject: 'jon', action: 'shutdown', phase: 'rejected', result: 'denied', code: 'forbidden', reason: 'disk is full' });
    this.record({ ...me, action: 'drain', phase: 'intent', result: 'pending', reason: 'kernel update on this host' });
    this.record({ ...me, action: 'drain', phase: 'outcome', result: 'ok', reason: 'kernel update on this host' });
    this.record({ ...me, action: 'resume', phase: 'outcome', result: 'unknown', code: 'timeout', reason: 'kernel update done' });
    return this;
  }
}

if (process.argv[1] === import.meta.filename) {
  const fixture = new Fixture(process.argv[3] ?? 'one').withHistory();
  console.log(await fixture.listen(Number(process.argv[2] ?? 27070)));
}
