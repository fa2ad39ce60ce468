// Generated from the records of the API; `./ron docs` writes it anew.

export interface ActionAsked {
  confirm: string;
  reason?: string;
}

export interface ActionResult {
  actionId: string;
  nodeId: string;
  action: string;
  outcome: string;
  accepted: boolean | null;
  nodeStatus: number | null;
  message: string | null;
  auditSeq: number;
}

export interface AuditPage {
  records: AuditRecord[];
  nextBefore: number | null;
  chainOk: boolean;
  chainCause: string | null;
  durable: boolean;
}

export interface AuditRecord {
  seq: number;
  at: string;
  actionId: string;
  phase: string;
  subject: string;
  roles: string[];
  authMode: string;
  peer: string;
  nodeId: string;
  environment: string;
  action: string;
  reason: string;
  result: string;
  nodeStatus: number | null;
  code: string | null;
  corrId: string;
  prevHash: string;
  hash: string;
}

export interface Audited {
  record: AuditRecord;
}

export interface AuthChanged {
  state: string;
}

export interface Bye {
  reason: string;
}

export interface Cause {
  key: string;
  args: string[];
  text: string;
}

export interface ConfigChanged {
  version: number;
  ok: boolean;
  error: string | null;
}

export interface ConsoleView {
  readiness: Record<string, boolean>;
  queues: NodeDetailQueue[];
  samplers: ConsoleViewSamplers;
  keySet: ConsoleViewKeySet | null;
  config: ConsoleViewConfigState;
  streams: ConsoleViewStreams;
  heapBytes: number;
  heapMaxBytes: number;
  ringBytes: number;
  startedAt: string;
  version: string;
}

export interface ConsoleViewConfigState {
  version: number;
  lastOutcome: string | null;
  lastError: string | null;
}

export interface ConsoleViewKeySet {
  ageSeconds: number | null;
  keys: number;
  state: string;
  lastError: string | null;
}

export interface ConsoleViewSamplers {
  alive: number;
  lagging: number;
  stretched: number;
}

export interface ConsoleViewStreams {
  open: number;
  limit: number;
  lagged: number;
}

export interface FacetMetrics {
  nodeId: string;
  updatedAt: string | null;
  ageMs: number | null;
  state: string;
  facets: FacetMetricsFacet[];
}

export interface FacetMetricsFacet {
  facet: string;
  service: string | null;
  rps: number | null;
  errorRate: number | null;
  p50Ms: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
  inflight: number | null;
  spark: (number | null)[];
}

export interface FleetView {
  version: number;
  generatedAt: string;
  configVersion: number;
  nodes: NodeRow[];
  totals: Record<string, number>;
}

export interface Gone {
  ids: string[];
}

export interface Hello {
  version: number;
  configVersion: number;
  resumed: boolean;
}

export interface Lagged {
  dropped: number;
}

export interface Me {
  subject: string;
  displayName: string;
  roles: string[];
  groups: string[];
  authMode: string;
  expiresAt: string | null;
  csrfToken: string;
}

export interface MetricsPoint {
  nodeId: string;
  series: SeriesView;
  totals: MetricsSummaryTotals;
}

export interface MetricsSummary {
  nodeId: string;
  windowSeconds: number;
  intervalSeconds: number;
  updatedAt: string | null;
  ageMs: number | null;
  state: string;
  lastError: MetricsSummaryLastError | null;
  resets: number;
  seriesTracked: number;
  seriesDropped: number;
  totals: MetricsSummaryTotals;
  services: MetricsSummaryServiceLine[];
  routes: MetricsSummaryRouteLine[];
  rejects: MetricsSummaryRejectLine[];
  queues: MetricsSummaryQueueLine[];
  series: SeriesView;
}

export interface MetricsSummaryLastError {
  code: string;
  detail: string;
  at: string;
}

export interface MetricsSummaryQueueLine {
  service: string;
  queue: string;
  depth: number | null;
  max: number | null;
  droppedPerSec: number | null;
}

export interface MetricsSummaryRejectLine {
  service: string;
  reason: string;
  perSec: number | null;
}

export interface MetricsSummaryRouteLine {
  service: string;
  route: string;
  rps: number | null;
  errorRate: number | null;
  p95Ms: number | null;
}

export interface MetricsSummaryServiceLine {
  name: string;
  rps: number | null;
  errorRate: number | null;
  p50Ms: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
  inflight: number | null;
}

export interface MetricsSummaryTotals {
  rps: number | null;
  errorRate: number | null;
  p50Ms: number | null;
  p95Ms: number | null;
  p99Ms: number | null;
  inflight: number | null;
  rejectedPerSec: number | null;
  busyPerSec: number | null;
}

export interface NodeChange {
  rows: NodeRow[];
}

export interface NodeDetail {
  row: NodeRow;
  instanceId: string | null;
  gitSha: string | null;
  buildTs: string | null;
  runtime: string | null;
  capabilities: string[];
  draining: boolean;
  phase: string | null;
  config: NodeDetailConfigState | null;
  planes: NodeDetailPlane[];
  queues: NodeDetailQueue[];
  tasks: NodeDetailTask[];
  readyKeys: Record<string, boolean>;
  serviceData: Record<string, unknown>;
  probes: NodeDetailProbe[];
  partial: boolean;
  observedAt: string | null;
}

export interface NodeDetailConfigState {
  version: number | null;
  hash: string | null;
  loadedAt: string | null;
}

export interface NodeDetailPlane {
  name: string;
  health: string;
  ready: boolean;
  restartCount: number;
  notes: string | null;
}

export interface NodeDetailProbe {
  path: string;
  ok: boolean;
  status: number | null;
  ms: number | null;
  bodyBytes: number | null;
  error: string | null;
  detail: string | null;
}

export interface NodeDetailQueue {
  name: string;
  depth: number;
  capacity: number | null;
  droppedTotal: number | null;
}

export interface NodeDetailTask {
  name: string;
  state: string;
  restarts: number;
}

export interface NodeRow {
  id: string;
  displayName: string;
  environment: string;
  service: string | null;
  profile: string | null;
  version: string | null;
  labels: Record<string, string>;
  state: string;
  tone: string;
  ready: boolean | null;
  writeReady: boolean | null;
  amnesia: boolean | null;
  causes: Cause[];
  planes: NodeRowPlaneCount;
  restarts: number;
  uptimeSeconds: number | null;
  rps: number | null;
  errorRate: number | null;
  p95Ms: number | null;
  spark: (number | null)[];
  metrics: string;
  statusAgeMs: number | null;
  metricsAgeMs: number | null;
  insecureHttp: boolean;
  actions: NodeRowActions;
}

export interface NodeRowActions {
  reload: boolean;
  drain: boolean;
  resume: boolean;
  shutdown: boolean;
}

export interface NodeRowPlaneCount {
  total: number;
  ready: number;
  failing: string[];
}

export interface Panels {
  nodeId: string;
  gateway: PanelsGateway;
  edge: PanelsEdge;
  passport: PanelsPassport;
  registry: PanelsRegistry;
}

export interface PanelsEdge {
  available: boolean;
  cause: string | null;
  hitRatio: number | null;
  hitsPerSec: number | null;
  missesPerSec: number | null;
  bytesOutPerSec: number | null;
  casBytes: number | null;
  casMaxBytes: number | null;
  fills: PanelsFillHost[];
  packs: Record<string, unknown>[];
  hitRatioSpark: (number | null)[];
}

export interface PanelsFillHost {
  host: string;
  attemptsPerSec: number | null;
  successRatio: number | null;
}

export interface PanelsGateway {
  available: boolean;
  cause: string | null;
  degraded: boolean | null;
  contended: boolean | null;
  jain: number | null;
  shareError: number | null;
  tenants: PanelsTenant[];
  upstreams: PanelsUpstream[];
}

export interface PanelsPassport {
  available: boolean;
  cause: string | null;
  issuedPerSec: number | null;
  verifiedPerSec: number | null;
  revokedPerSec: number | null;
  issueP95Ms: number | null;
  issueP99Ms: number | null;
  epoch: number | null;
  revocations: number | null;
  kmsOk: boolean | null;
  kmsBreaker: string | null;
  keys: string[];
  policyVersion: number | null;
  rejects: MetricsSummaryRejectLine[];
}

export interface PanelsProposal {
  proposalId: string;
  title: string | null;
  approvals: number | null;
  quorum: number | null;
  ageSeconds: number | null;
  approveCommand: string;
}

export interface PanelsRegistry {
  available: boolean;
  cause: string | null;
  headVersion: number | null;
  headHash: string | null;
  commitsPerSec: number | null;
  commitP95Ms: number | null;
  checkpointAgeSeconds: number | null;
  verifyOk: boolean | null;
  pendingCount: number | null;
  pending: PanelsProposal[];
}

export interface PanelsTenant {
  id: string;
  quantum: number | null;
  depth: number | null;
  servedPerSec: number | null;
  droppedPerSec: number | null;
  share: number | null;
  fairShare: number | null;
}

export interface PanelsUpstream {
  id: string;
  inflight: number | null;
  limit: number | null;
  waiting: number | null;
  trouble: string | null;
  targets: PanelsUpstreamTarget[];
}

export interface PanelsUpstreamTarget {
  url: string;
  healthy: boolean | null;
  circuit: string | null;
}

export interface ProbeView {
  nodeId: string;
  path: string;
  ok: boolean;
  status: number | null;
  ms: number | null;
  error: string | null;
  value: Record<string, unknown>;
}

export interface Refreshed {
  nodeId: string;
  queued: boolean;
  coalesced: boolean;
}

export interface Reloaded {
  accepted: boolean;
  outcome: string | null;
  configVersion: number | null;
  message: string | null;
}

export interface SeriesKeys {
  nodeId: string;
  keys: SeriesKeysKey[];
}

export interface SeriesKeysKey {
  key: string;
  family: string;
  kind: string;
  last: number | null;
}

export interface SeriesView {
  nodeId: string;
  t: number[];
  cols: Record<string, (number | null)[]>;
  unknown: string[];
}

export interface SessionAsked {
  token: string;
}

export interface UiConfig {
  defaultTheme: string;
  availableThemes: string[];
  defaultLanguage: string;
  availableLanguages: string[];
  readOnly: boolean;
  actions: UiConfigActionSwitches;
  authMode: string;
  loginUrl: string | null;
  poll: UiConfigPoll;
  windowSeconds: number;
  version: string;
  instanceName: string | null;
  banner: UiConfigBanner | null;
}

export interface UiConfigActionSwitches {
  reload: boolean;
  drain: boolean;
  shutdown: boolean;
}

export interface UiConfigBanner {
  level: string;
  text: string;
}

export interface UiConfigPoll {
  statusMs: number;
  metricsMs: number;
}
