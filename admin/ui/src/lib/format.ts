import { language, t } from './i18n';
import { prefs } from './prefs';

/** What is shown where a node did not say. */
export const NONE = '–';

const known = (value: number | null | undefined): value is number => value !== null && value !== undefined && Number.isFinite(value);

function digits(value: number): number {
  const size = Math.abs(value);
  return size === 0 || size >= 100 ? 0 : size >= 10 ? 1 : size >= 1 ? 1 : 2;
}

export function number(value: number | null | undefined, most?: number): string {
  if (!known(value)) {
    return NONE;
  }
  if (Math.abs(value) >= 100_000) {
    return value.toLocaleString(language(), { notation: 'compact', maximumFractionDigits: 1 });
  }
  return value.toLocaleString(language(), { maximumFractionDigits: most ?? digits(value) });
}

export const count = (value: number | null | undefined): string => number(value, 0);

export function percent(value: number | null | undefined): string {
  if (!known(value)) {
    return NONE;
  }
  const most = value === 0 || value === 1 ? 0 : value < 0.1 ? 2 : 1;
  // A share that is almost whole is not whole: 99.97 % must not read 100 %.
  const shown = value < 1 && value > 0.999 ? Math.floor(value * 10_000) / 10_000 : value;
  return shown.toLocaleString(language(), { style: 'percent', maximumFractionDigits: value > 0.99 && value < 1 ? 2 : most });
}

export const perSecond = (value: number | null | undefined): string => (known(value) ? `${number(value)}/s` : NONE);

export function millis(value: number | null | undefined): string {
  if (!known(value)) {
    return NONE;
  }
  return value >= 1000 ? `${number(value / 1000)} s` : `${number(value)} ms`;
}

export function bytes(value: number | null | undefined): string {
  if (!known(value)) {
    return NONE;
  }
  const units = ['B', 'KiB', 'MiB', 'GiB', 'TiB'];
  let size = value;
  let unit = 0;
  while (size >= 1024 && unit < units.length - 1) {
    size /= 1024;
    unit++;
  }
  return `${number(size)} ${units[unit]}`;
}

/** A length of time, in its two largest units: 3 d 4 h. */
export function duration(seconds: number | null | undefined): string {
  if (!known(seconds)) {
    return NONE;
  }
  const whole = Math.max(0, Math.floor(seconds));
  const parts: [number, string][] = [
    [Math.floor(whole / 86_400), t('unit.d')],
    [Math.floor(whole / 3600) % 24, t('unit.h')],
    [Math.floor(whole / 60) % 60, t('unit.min')],
    [whole % 60, t('unit.s')],
  ];
  const first = parts.findIndex(([n]) => n > 0);
  if (first < 0) {
    return `0 ${t('unit.s')}`;
  }
  return parts
    .slice(first, first + 2)
    .filter(([n], i) => i === 0 || n > 0)
    .map(([n, unit]) => `${n} ${unit}`)
    .join(' ');
}

const zone = (): string | undefined => (prefs.value.zone === 'utc' ? 'UTC' : undefined);

export function clock(at: number | string | null | undefined): string {
  if (at === null || at === undefined) {
    return NONE;
  }
  return new Date(at).toLocaleTimeString(language(), { hour: '2-digit', minute: '2-digit', second: '2-digit', hourCycle: 'h23', timeZone: zone() });
}

export function moment(at: number | string | null | undefined): string {
  if (at === null || at === undefined) {
    return NONE;
  }
  return new Date(at).toLocaleString(language(), { dateStyle: 'medium', timeStyle: 'medium', hourCycle: 'h23', timeZone: zone() } as Intl.DateTimeFormatOptions);
}
