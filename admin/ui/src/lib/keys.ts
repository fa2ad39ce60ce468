import { signal } from '@preact/signals';
import { paused } from './clock';
import { nextTheme } from './prefs';
import { go } from './router';

/** Keys move about and change how things look; no key does anything to a node. */
export const helpOpen = signal(false);

const PLACES: Record<string, string> = { f: '/', t: '/tenants', e: '/edge', p: '/passport', r: '/registry', a: '/activity', c: '/console', s: '/settings' };
/** When g was pressed, while a place may follow it; time runs from the page's start, so that 0 is a moment like any other. */
let going = Number.NEGATIVE_INFINITY;

function rows(): HTMLElement[] {
  return [...document.querySelectorAll<HTMLElement>('[data-row]')].map((row) => row.querySelector<HTMLElement>('a') ?? row);
}

function move(by: number): void {
  const all = rows();
  const at = all.indexOf(document.activeElement as HTMLElement);
  const next = all[Math.min(all.length - 1, Math.max(0, at + by))];
  next?.focus();
  next?.scrollIntoView({ block: 'nearest' });
}

document.addEventListener('keydown', (event) => {
  const target = event.target as HTMLElement;
  const typing = /^(INPUT|TEXTAREA|SELECT)$/.test(target.tagName);
  if (event.ctrlKey || event.metaKey || event.altKey || document.querySelector('dialog[open]')) {
    return;
  }
  if (typing) {
    if (event.key === 'Escape') {
      target.blur();
    }
    return;
  }
  if (event.timeStamp - going < 1200 && PLACES[event.key]) {
    going = Number.NEGATIVE_INFINITY;
    event.preventDefault();
    go(PLACES[event.key]!);
    return;
  }
  going = Number.NEGATIVE_INFINITY;
  switch (event.key) {
    case '/':
      document.querySelector<HTMLInputElement>('input[type=search]')?.focus();
      break;
    case 'j':
      move(1);
      break;
    case 'k':
      move(-1);
      break;
    case 'g':
      going = event.timeStamp;
      break;
    case 'p':
      paused.value = !paused.value;
      break;
    case 't':
      nextTheme();
      break;
    case '?':
      helpOpen.value = true;
      break;
    default:
      return;
  }
  event.preventDefault();
});
