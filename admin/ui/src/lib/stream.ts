/**
 * The stream of events, one per browser: of all tabs that are looked at, the one that holds the lock has the connection
 * and passes everything on. A browser allows six connections to one HTTP/1.1 server; a stream per tab would use them up.
 */
export type StreamState = 'connecting' | 'open' | 'failed';

export interface StreamEvents {
  event(type: string, data: unknown): void;
  state(state: StreamState): void;
}

const TYPES = ['hello', 'node', 'gone', 'metrics', 'audit', 'config', 'auth', 'lagged', 'bye'];
const HIDDEN_MS = 60_000;
const MOST_NODES = 16;
const LOCK = 'ron-events';

type Message = { kind: 'event'; type: string; data: unknown } | { kind: 'state'; state: StreamState } | { kind: 'want'; tab: string; nodes: string[] } | { kind: 'who' };

export class Stream {
  private readonly tab = Math.random().toString(36).slice(2);
  private readonly channel = 'BroadcastChannel' in window ? new BroadcastChannel('ron-events') : null;
  private readonly wants = new Map<string, string[]>();
  private source: EventSource | null = null;
  private sourceNodes = '';
  private failures = 0;
  private retry = 0;
  private reopen = 0;
  private release: (() => void) | null = null;
  private waiting: AbortController | null = null;
  private hidden = 0;
  private state: StreamState = 'connecting';

  constructor(private readonly listener: StreamEvents) {}

  start(): void {
    this.channel?.addEventListener('message', (message: MessageEvent<Message>) => this.heard(message.data));
    document.addEventListener('visibilitychange', () => this.looked());
    addEventListener('pagehide', () => this.say({ kind: 'want', tab: this.tab, nodes: [] }));
    this.join();
  }

  /** The nodes whose numbers this tab wants as they come. */
  want(nodes: string[]): void {
    this.wants.set(this.tab, nodes);
    this.say({ kind: 'want', tab: this.tab, nodes });
    this.refresh();
  }

  private looked(): void {
    clearTimeout(this.hidden);
    if (document.hidden) {
      this.hidden = window.setTimeout(() => this.leave(), HIDDEN_MS);
    } else {
      this.join();
    }
  }

  private join(): void {
    if (this.release || this.waiting) {
      return;
    }
    if (!this.channel || !('locks' in navigator)) {
      this.lead(() => {});
      return;
    }
    const waiting = new AbortController();
    this.waiting = waiting;
    navigator.locks.request(LOCK, { signal: waiting.signal }, () => new Promise<void>((release) => this.lead(release))).catch(() => {});
    this.say({ kind: 'want', tab: this.tab, nodes: this.wants.get(this.tab) ?? [] });
  }

  private lead(release: () => void): void {
    this.waiting = null;
    this.release = release;
    this.say({ kind: 'who' });
    this.open();
  }

  private leave(): void {
    this.waiting?.abort();
    this.waiting = null;
    clearTimeout(this.retry);
    this.source?.close();
    this.source = null;
    this.release?.();
    this.release = null;
    this.say({ kind: 'want', tab: this.tab, nodes: [] });
  }

  private heard(message: Message): void {
    if (message.kind === 'event') {
      this.listener.event(message.type, message.data);
    } else if (message.kind === 'state') {
      this.state = message.state;
      this.listener.state(message.state);
    } else if (message.kind === 'who') {
      this.say({ kind: 'want', tab: this.tab, nodes: document.hidden ? [] : (this.wants.get(this.tab) ?? []) });
    } else {
      this.wants.set(message.tab, message.nodes);
      this.refresh();
      if (this.release) {
        this.say({ kind: 'state', state: this.state });
      }
    }
  }

  private say(message: Message): void {
    this.channel?.postMessage(message);
  }

  private tell(state: StreamState): void {
    this.state = state;
    this.listener.state(state);
    this.say({ kind: 'state', state });
  }

  private nodes(): string {
    return [...new Set([...this.wants.values()].flat())].sort().slice(0, MOST_NODES).join(',');
  }

  private refresh(): void {
    if (this.release && this.nodes() !== this.sourceNodes) {
      clearTimeout(this.reopen);
      this.reopen = window.setTimeout(() => this.nodes() !== this.sourceNodes && this.open(), 150);
    }
  }

  private open(): void {
    if (!this.release) {
      return;
    }
    clearTimeout(this.retry);
    this.source?.close();
    this.sourceNodes = this.nodes();
    const source = new EventSource(`/api/events${this.sourceNodes ? `?nodes=${encodeURIComponent(this.sourceNodes)}` : ''}`);
    this.source = source;
    source.onopen = () => {
      this.failures = 0;
      this.tell('open');
    };
    source.onerror = () => this.again();
    for (const type of TYPES) {
      source.addEventListener(type, (event) => {
        const data = parse((event as MessageEvent<string>).data);
        this.listener.event(type, data);
        this.say({ kind: 'event', type, data });
        if (type === 'bye') {
          this.again();
        }
      });
    }
  }

  private again(): void {
    this.source?.close();
    this.source = null;
    this.failures++;
    this.tell(this.failures >= 2 ? 'failed' : 'connecting');
    clearTimeout(this.retry);
    const wait = Math.min(30_000, 1000 * 2 ** Math.min(5, this.failures - 1));
    this.retry = window.setTimeout(() => this.open(), wait * (0.8 + Math.random() * 0.4));
  }
}

function parse(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
