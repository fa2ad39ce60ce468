import { batch, computed, effect, signal } from '@preact/signals';
import type { AuditRecord, ConfigChanged, FleetView, MetricsPoint, NodeRow } from '../api/types';
import { getIfChanged, me, Problem, uiConfig } from './api';
import { now, paused } from './clock';
import { Stream, type StreamState } from './stream';

/** The fleet as this browser knows it, and how well it knows it. */
export const rows = signal<ReadonlyMap<string, NodeRow>>(new Map());
/** When each row came: ages are counted from there. */
export const seenAt = signal<ReadonlyMap<string, number>>(new Map());
export const loaded = signal(false);
export const fleetError = signal<Problem | null>(null);
export const stream = signal<StreamState>('connecting');
/** When the console last answered anything. */
export const heardAt = signal(0);
export const lastAudit = signal<AuditRecord | null>(null);
export const lastConfig = signal<ConfigChanged | null>(null);
export const keysState = signal<string>('fresh');
/** The newest points of nodes that somebody looks at; pages append them. */
export const points = signal<MetricsPoint | null>(null);
/** When the console will be asked again, after it fell silent. */
export const nextTry = signal(0);

export const statusMs = (): number => uiConfig.value?.poll.statusMs ?? 10_000;
export const metricsMs = (): number => uiConfig.value?.poll.metricsMs ?? 5000;

/** The console itself does not answer: nothing on the page is about now. */
export const silent = computed(() => fleetError.value?.silent === true || (loaded.value && now.value - heardAt.value > 3 * statusMs() + 5000));
export const all = computed(() => [...rows.value.values()]);

const SEVERITY = ['danger', 'warn', 'muted', 'info', 'ok'];
const STATES = ['unreachable', 'down', 'not_ready', 'degraded', 'stale', 'unknown', 'draining', 'ready'];

export interface Shown {
  state: string;
  tone: string;
  /** What we see is the last we knew, not what is. */
  old: boolean;
}

/** How a row may be shown now: never greener than how sure we are. */
export function shown(row: NodeRow): Shown {
  if (silent.value) {
    return { state: row.state, tone: 'muted', old: true };
  }
  const age = statusAge(row);
  if (row.tone === 'ok' && age !== null && age > 3 * statusMs() + 2000) {
    return { state: 'stale', tone: 'muted', old: true };
  }
  return { state: row.state, tone: row.tone, old: row.state === 'stale' || row.state === 'unreachable' };
}

export function statusAge(row: NodeRow): number | null {
  return row.statusAgeMs === null ? null : row.statusAgeMs + Math.max(0, now.value - Math.max(seenAt.value.get(row.id) ?? 0, confirmedAt));
}

/** The console said at this time that nothing had changed since; what it keeps is as fresh as it was then. */
let confirmedAt = 0;

/** Worst first, then by name. */
export function byWorst(a: NodeRow, b: NodeRow): number {
  const x = shown(a);
  const y = shown(b);
  return SEVERITY.indexOf(x.tone) - SEVERITY.indexOf(y.tone) || STATES.indexOf(x.state) - STATES.indexOf(y.state) || a.displayName.localeCompare(b.displayName);
}

export const worstFirst = computed(() => [...all.value].sort(byWorst));

function put(changed: NodeRow[], whole: boolean): void {
  const at = Date.now();
  const next = whole ? new Map<string, NodeRow>() : new Map(rows.value);
  const seen = whole ? new Map<string, number>() : new Map(seenAt.value);
  for (const row of changed) {
    next.set(row.id, row);
    seen.set(row.id, at);
  }
  batch(() => {
    rows.value = next;
    seenAt.value = seen;
  });
}

let tag: string | null = null;
let timer = 0;
let misses = 0;

/** Reads the whole fleet; the tag makes it cheap where nothing changed. */
export async function reread(): Promise<void> {
  clearTimeout(timer);
  let wait = stream.value === 'failed' ? Math.min(statusMs(), metricsMs()) : statusMs();
  try {
    const answer = await getIfChanged<FleetView>('/api/nodes', tag);
    batch(() => {
      if (answer) {
        tag = answer.tag;
        if (!paused.value || !loaded.value) {
          put(answer.body.nodes, true);
        }
      }
      confirmedAt = Date.now();
      heardAt.value = confirmedAt;
      loaded.value = true;
      fleetError.value = null;
    });
    misses = 0;
  } catch (cause) {
    const problem = cause instanceof Problem ? cause : new Problem(0, 'unreadable', String(cause), null, null);
    fleetError.value = problem;
    wait = (problem.retryAfter ?? Math.min(30, 2 ** misses++)) * 1000;
    nextTry.value = Date.now() + wait;
  }
  timer = window.setTimeout(tick, wait);
}

function tick(): void {
  if (document.hidden) {
    timer = window.setTimeout(tick, 1000);
  } else {
    void reread();
  }
}

const live = new Stream({
  event(type, data) {
    heardAt.value = Date.now();
    if (data === null || (paused.value && type !== 'config')) {
      return;
    }
    switch (type) {
      case 'hello':
        void reread();
        break;
      case 'node':
        put((data as { rows: NodeRow[] }).rows, false);
        break;
      case 'gone': {
        const next = new Map(rows.value);
        (data as { ids: string[] }).ids.forEach((id) => next.delete(id));
        rows.value = next;
        break;
      }
      case 'metrics':
        points.value = data as MetricsPoint;
        break;
      case 'audit':
        lastAudit.value = (data as { record: AuditRecord }).record;
        break;
      case 'config':
        lastConfig.value = data as ConfigChanged;
        void reread();
        break;
      case 'auth':
        keysState.value = (data as { state: string }).state;
        break;
      case 'lagged':
        tag = null;
        void reread();
        break;
    }
  },
  state(state) {
    stream.value = state;
    if (state === 'open') {
      heardAt.value = Date.now();
    }
    if (state === 'failed') {
      void reread();
    }
  },
});

let started = false;

/** Begins once somebody is known. */
effect(() => {
  if (me.value && uiConfig.value && !started) {
    started = true;
    void reread();
    live.start();
  }
});

document.addEventListener('visibilitychange', () => {
  if (!document.hidden && started) {
    void reread();
  }
});

effect(() => {
  if (!paused.value && started) {
    tag = null;
    void reread();
  }
});

export const follow = (nodes: string[]): void => live.want(nodes);
