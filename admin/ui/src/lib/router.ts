import { computed, signal } from '@preact/signals';

/** Where we are; everything a page shows by choice is in the query, so that a link says it all. */
const here = signal({ path: location.pathname, query: location.search });

export const path = computed(() => here.value.path);
export const query = computed(() => new URLSearchParams(here.value.query));
/** Grows with every change of page, not of query: the moment to move the focus to the new page. */
export const visits = signal(0);

function read(): void {
  const changed = location.pathname !== here.value.path;
  here.value = { path: location.pathname, query: location.search };
  if (changed) {
    visits.value++;
  }
}

export function go(to: string, replace = false): void {
  if (replace) {
    history.replaceState(null, '', to);
  } else {
    history.pushState(null, '', to);
    scrollTo(0, 0);
  }
  read();
}

/** Changes some of the query and keeps the rest; an empty value takes its key out. */
export function ask(change: Record<string, string | null>): void {
  const next = new URLSearchParams(here.value.query);
  for (const [key, value] of Object.entries(change)) {
    if (value) {
      next.set(key, value);
    } else {
      next.delete(key);
    }
  }
  const text = next.toString();
  go(here.value.path + (text ? `?${text}` : ''), true);
}

addEventListener('popstate', read);

document.addEventListener('click', (event) => {
  const link = event.target instanceof Element ? event.target.closest('a') : null;
  const plain = event.button === 0 && !event.metaKey && !event.ctrlKey && !event.shiftKey && !event.altKey;
  if (!link || !plain || event.defaultPrevented || link.target || link.hasAttribute('download') || link.origin !== location.origin) {
    return;
  }
  if (link.hash && link.pathname === location.pathname) {
    return;
  }
  event.preventDefault();
  go(link.pathname + link.search);
});

/** The parts of a path that a pattern names (`/nodes/:id`), or null. */
export function match(pattern: string, given: string): Record<string, string> | null {
  const want = pattern.split('/');
  const have = given.replace(/(.)\/$/, '$1').split('/');
  if (want.length !== have.length) {
    return null;
  }
  const params: Record<string, string> = {};
  for (let i = 0; i < want.length; i++) {
    if (want[i]!.startsWith(':')) {
      params[want[i]!.slice(1)] = decodeURIComponent(have[i]!);
    } else if (want[i] !== have[i]) {
      return null;
    }
  }
  return params;
}
