import { useEffect, useRef, useState } from 'preact/hooks';
import { get, Problem } from './api';
import { paused } from './clock';

/** An answer that is asked for again and again; an error leaves the last good answer where it was. */
export interface Resource<T> {
  data: T | null;
  error: Problem | null;
  /** When the data came. */
  at: number;
  again: () => void;
}

/** Asks while the page is visible; what is under way is given up when the page changes. */
export function useResource<T>(path: string | null, everyMs: number): Resource<T> {
  const [state, setState] = useState<{ path: string | null; data: T | null; error: Problem | null; at: number }>({ path, data: null, error: null, at: 0 });
  const trigger = useRef<() => void>(() => {});

  useEffect(() => {
    if (path === null) {
      return;
    }
    const abort = new AbortController();
    let timer = 0;
    let busy = false;
    const ask = async (): Promise<void> => {
      clearTimeout(timer);
      if (busy) {
        return;
      }
      busy = true;
      try {
        const data = await get<T>(path, abort.signal);
        if (!paused.value || state.at === 0) {
          setState({ path, data, error: null, at: Date.now() });
        }
      } catch (cause) {
        if (abort.signal.aborted) {
          return;
        }
        const error = cause instanceof Problem ? cause : new Problem(0, 'unreadable', String(cause), null, null);
        setState((old) => ({ ...old, path, data: old.path === path ? old.data : null, error }));
      } finally {
        busy = false;
      }
      if (!abort.signal.aborted && everyMs > 0) {
        timer = window.setTimeout(tick, everyMs);
      }
    };
    const tick = (): void => {
      if (document.hidden || paused.value) {
        timer = window.setTimeout(tick, 1000);
      } else {
        void ask();
      }
    };
    const seen = (): void => {
      if (!document.hidden && everyMs > 0) {
        void ask();
      }
    };
    trigger.current = () => void ask();
    void ask();
    document.addEventListener('visibilitychange', seen);
    return () => {
      abort.abort();
      clearTimeout(timer);
      document.removeEventListener('visibilitychange', seen);
    };
  }, [path, everyMs]);

  return { data: state.path === path ? state.data : null, error: state.path === path ? state.error : null, at: state.at, again: () => trigger.current() };
}
