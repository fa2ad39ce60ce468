import type { JSX } from 'preact';

/** Line icons on a 20 px grid; a state has a shape of its own, so that colour is never the only sign. */
const PATHS = {
  ready: ['M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15Z', 'm6.6 10.2 2.4 2.4 4.4-5'],
  degraded: ['M10 3 18 16.5H2L10 3Z', 'M10 8v4', 'M10 14.2v.1'],
  not_ready: ['M10 2.5 17.5 10 10 17.5 2.5 10 10 2.5Z', 'M10 7v4', 'M10 13.2v.1'],
  down: ['M6.5 2.5h7l4 4v7l-4 4h-7l-4-4v-7l4-4Z', 'm7.3 7.3 5.4 5.4m0-5.4-5.4 5.4'],
  unreachable: ['M6.5 2.5h7l4 4v7l-4 4h-7l-4-4v-7l4-4Z', 'm7.3 7.3 5.4 5.4m0-5.4-5.4 5.4'],
  draining: ['M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15Z', 'M10 6v7.5m-3-3 3 3 3-3'],
  stale: ['M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15Z', 'M10 5.8V10l2.8 1.8'],
  unknown: ['M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15Z', 'M7.8 8a2.2 2.2 0 1 1 3.2 2c-.7.4-1 .8-1 1.6', 'M10 14v.1'],
  fleet: ['M3 4h6v5H3zM11 4h6v5h-6zM3 11h6v5H3zM11 11h6v5h-6z'],
  tenants: ['M3 5h14M3 10h9M3 15h5'],
  edge: ['M10 2.5a7.5 7.5 0 1 0 0 15 7.5 7.5 0 0 0 0-15Z', 'M2.5 10h15', 'M10 2.5c4 4.5 4 10.500 0 15-4-4.500-4-10.500 0-15Z'],
  passport: ['M2.5 4h15v12h-15z', 'M7 7.500a1.800 1.800 0 1 0 0 3.600 1.800 1.800 0 0 0 0-3.600Z', 'M4.800 13.500c.6-1.300 3.800-1.300 4.400 0', 'M12 8.500h3M12 11.500h3'],
  registry: ['M5 2.500h10v15H5z', 'M8 6.500h4M8 10h4M8 13.500h2'],
  activity: ['M2.500 10h3.500l2.500-6 3 12 2.500-6h3.500'],
  console: ['M2.500 4h15v12h-15z', 'm5.500 8 2.500 2-2.500 2', 'M10 12.500h4'],
  settings: ['M3 6h8M15 6h2M3 14h2M9 14h8', 'M13 4a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z', 'M7 12a2 2 0 1 0 0 4 2 2 0 0 0 0-4Z'],
  menu: ['M3 6h14M3 10h14M3 14h14'],
  close: ['m5 5 10 10M15 5 5 15'],
  copy: ['M7 7h9v10H7z', 'M13 7V3H4v10h3'],
  check: ['m4 10.500 4 4 8-9'],
  search: ['M8.500 3a5.500 5.500 0 1 0 0 11 5.500 5.500 0 0 0 0-11Z', 'm12.700 12.700 4.300 4.300'],
  pause: ['M7 4v12M13 4v12'],
  play: ['M6 4l10 6-10 6z'],
  table: ['M3 4h14v12H3zM3 8.500h14M8.500 8.500V16'],
  chart: ['M3 16.500h14', 'm4 12 4-4 3 2.500 5-6'],
  back: ['m12 4-6 6 6 6'],
  refresh: ['M16 10a6 6 0 1 1-1.800-4.300', 'M16.500 2.500v4h-4'],
  lock: ['M5 9h10v8H5z', 'M7 9V6.500a3 3 0 0 1 6 0V9'],
  sun: [
    'M10 6.500a3.500 3.500 0 1 0 0 7 3.500 3.500 0 0 0 0-7Z',
    'M10 2v1.500M10 16.500V18M2 10h1.500M16.500 10H18M4.300 4.300l1.100 1.100M14.600 14.600l1.100 1.100M4.300 15.700l1.100-1.100M14.600 5.400l1.100-1.100',
  ],
} as const;

export type IconName = keyof typeof PATHS;

export function Icon({ name, size = 20 }: { name: IconName; size?: number }): JSX.Element {
  return (
    <svg class="icon" width={size} height={size} viewBox="0 0 20 20" aria-hidden="true" focusable="false">
      {PATHS[name].map((d) => (
        <path key={d} d={d} />
      ))}
    </svg>
  );
}

export const stateIcon = (state: string): IconName => (state in PATHS ? (state as IconName) : 'unknown');
