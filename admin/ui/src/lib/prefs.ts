import { effect, signal } from '@preact/signals';

/** What a person chose; kept in this browser only. Empty means: what the console's configuration says. */
export interface Prefs {
  theme?: 'system' | 'light' | 'dark' | 'contrast';
  lang?: 'en-US' | 'es-ES';
  density?: 'calm' | 'compact';
  zone?: 'local' | 'utc';
  view?: 'cards' | 'table';
}

const KEY = 'ron.prefs';

function read(): Prefs {
  try {
    return JSON.parse(localStorage.getItem(KEY) ?? '{}') as Prefs;
  } catch {
    return {};
  }
}

export const prefs = signal<Prefs>(read());

/** The theme that is shown, `system` resolved. */
export const theme = signal<'light' | 'dark' | 'contrast'>('light');
export const defaultTheme = signal('system');

const dark = matchMedia('(prefers-color-scheme: dark)');
const contrast = matchMedia('(prefers-contrast: more)');
const systemTheme = signal(0);
for (const query of [dark, contrast]) {
  query.addEventListener('change', () => systemTheme.value++);
}

export function choose(change: Partial<Prefs>): void {
  prefs.value = { ...prefs.value, ...change };
  try {
    localStorage.setItem(KEY, JSON.stringify(prefs.value));
  } catch {
    // Storage may be off; the choice then lasts as long as the page.
  }
}

export const chosenTheme = (): string => prefs.value.theme ?? defaultTheme.value;

effect(() => {
  void systemTheme.value;
  const wanted = chosenTheme();
  const system = contrast.matches ? 'contrast' : dark.matches ? 'dark' : 'light';
  const shown = wanted === 'light' || wanted === 'dark' || wanted === 'contrast' ? wanted : system;
  theme.value = shown;
  document.documentElement.dataset.theme = shown;
  document.documentElement.dataset.density = prefs.value.density ?? 'calm';
});

addEventListener('storage', (event) => {
  if (event.key === KEY) {
    prefs.value = read();
  }
});

export function nextTheme(): void {
  const order = ['system', 'light', 'dark', 'contrast'] as const;
  const at = order.indexOf(chosenTheme() as (typeof order)[number]);
  choose({ theme: order[(at + 1) % order.length] });
}
