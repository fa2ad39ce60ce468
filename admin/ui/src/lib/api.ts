import { signal } from '@preact/signals';
import type { Me, UiConfig } from '../api/types';

/** A refusal in the server's own words (RFC 9457), or the lack of any answer. */
export class Problem extends Error {
  constructor(
    readonly status: number,
    readonly reason: string,
    readonly detail: string,
    readonly retryAfter: number | null,
    readonly corrId: string | null,
  ) {
    super(detail);
  }

  /** Nobody answered at all. */
  get silent(): boolean {
    return this.status === 0;
  }
}

export const uiConfig = signal<UiConfig | null>(null);
export const me = signal<Me | null>(null);
/** Set where the server asks who we are: the sign-in dialog shows, and the page behind it stays. */
export const signInNeeded = signal(false);

const DEADLINE_MS = 8000;

async function call(method: string, path: string, body?: unknown, headers: Record<string, string> = {}, signal?: AbortSignal): Promise<Response> {
  const deadline = AbortSignal.timeout(DEADLINE_MS);
  let response: Response;
  try {
    response = await fetch(path, {
      method,
      headers: { Accept: 'application/json', ...(method === 'GET' ? {} : { 'Content-Type': 'application/json' }), ...headers },
      body: body === undefined ? null : JSON.stringify(body),
      signal: signal ? AbortSignal.any([signal, deadline]) : deadline,
      credentials: 'same-origin',
    });
  } catch (cause) {
    if (signal?.aborted) {
      throw cause;
    }
    throw new Problem(0, deadline.aborted ? 'timeout' : 'unreachable', String(cause instanceof Error ? cause.message : cause), null, null);
  }
  if (response.ok || response.status === 304) {
    return response;
  }
  const problem = (await response.json().catch(() => ({}))) as Record<string, unknown>;
  if (response.status === 401 && !path.startsWith('/api/session')) {
    signInNeeded.value = true;
  }
  const after = Number(response.headers.get('Retry-After'));
  throw new Problem(
    response.status,
    String(problem.reason ?? problem.code ?? response.status),
    String(problem.detail ?? problem.title ?? response.statusText),
    after > 0 ? after : null,
    response.headers.get('X-Corr-ID'),
  );
}

export async function get<T>(path: string, signal?: AbortSignal): Promise<T> {
  return (await call('GET', path, undefined, {}, signal)).json() as Promise<T>;
}

/** Asks with the tag of what we have; null says that it has not changed. */
export async function getIfChanged<T>(path: string, tag: string | null): Promise<{ body: T; tag: string | null } | null> {
  const response = await call('GET', path, undefined, tag ? { 'If-None-Match': tag } : {});
  return response.status === 304 ? null : { body: (await response.json()) as T, tag: response.headers.get('ETag') };
}

const csrf = (): Record<string, string> => (me.value ? { 'X-Csrf-Token': me.value.csrfToken } : {});

export async function post<T>(path: string, body: unknown, headers: Record<string, string> = {}): Promise<T> {
  const response = await call('POST', path, body, { ...csrf(), ...headers });
  return (response.status === 204 ? undefined : await response.json().catch(() => undefined)) as T;
}

export async function remove(path: string): Promise<void> {
  await call('DELETE', path, undefined, csrf());
}

/** Whether this person's role includes the given one; the server checks again on every call. */
export function may(role: 'viewer' | 'operator' | 'admin'): boolean {
  const order = ['viewer', 'operator', 'admin'];
  return (me.value?.roles ?? []).some((have) => order.indexOf(have) >= order.indexOf(role));
}
