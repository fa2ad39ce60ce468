import type { JSX } from 'preact';
import { useMemo, useRef } from 'preact/hooks';
import type { SeriesKeys, SeriesView } from '../api/types';
import { metricsMs } from '../lib/fleet';
import { number } from '../lib/format';
import { clean } from '../lib/i18n';
import { useResource } from '../lib/resource';
import { Chart } from './chart';

/** A chart of the series of one family, a line for each value of a label; nothing where the node has no such family. */
export function FamilyChart(props: {
  node: string;
  families: string[];
  label: string;
  /** What a series' name must hold to be drawn, such as a label with its value. */
  where?: string;
  title: string;
  format?: (v: number | null) => string;
  suffix?: string;
  note?: string;
  floor?: number;
  /** How a value of the label is told. */
  name?: (value: string) => string;
}): JSX.Element | null {
  const order = useRef<string[]>([]);
  const keys = useResource<SeriesKeys>(`/api/nodes/${props.node}/metrics/keys`, 30_000);
  const picked = useMemo(() => {
    const found = (keys.data?.keys ?? []).filter(
      (key) => props.families.includes(key.family) && (!props.suffix || key.key.endsWith(props.suffix)) && (!props.where || key.key.includes(props.where)),
    );
    return found
      .sort((a, b) => (b.last ?? 0) - (a.last ?? 0))
      .slice(0, 8)
      .map((key) => key.key)
      .sort();
  }, [keys.data]);
  const series = useResource<SeriesView>(
    picked.length ? `/api/nodes/${props.node}/metrics/series?${picked.map((key) => `key=${encodeURIComponent(key)}`).join('&')}` : null,
    metricsMs(),
  );
  if (picked.length === 0 || !series.data) {
    return null;
  }
  const lines = steady(merged(series.data, props.label), order.current);
  if (lines.every((line) => line.values.filter((value) => value !== null).length < 2)) {
    return null; // a frame without a line says less than none
  }
  return (
    <Chart
      title={props.title}
      note={props.note}
      t={series.data.t}
      lines={props.name ? lines.map((line) => ({ ...line, name: props.name!(line.name) })) : lines}
      format={props.format ?? number}
      group={`service-${props.node}`}
      floor={props.floor ?? 1}
      height={200}
    />
  );
}

/** Adds up what differs only in other labels. */
function merged(series: SeriesView, label: string): { name: string; values: (number | null)[] }[] {
  const lines = new Map<string, (number | null)[]>();
  for (const [key, values] of Object.entries(series.cols)) {
    const name = clean(new RegExp(`[{,]${label}="((?:[^"\\\\]|\\\\.)*)"`).exec(key)?.[1] ?? key.replace(/\{.*/, ''));
    const old = lines.get(name);
    lines.set(name, old ? old.map((v, i) => (v === null && (values[i] ?? null) === null ? null : (v ?? 0) + (values[i] ?? 0))) : values);
  }
  return [...lines].map(([name, values]) => ({ name, values }));
}

/** The largest first, as they were when first seen: a line that changed its colour while one looks would be another line. */
function steady<T extends { name: string; values: (number | null)[] }>(lines: T[], order: string[]): T[] {
  const size = (line: T): number => line.values.reduce((sum: number, value) => sum + (value ?? 0), 0);
  const fresh = lines.filter((line) => !order.includes(line.name)).sort((a, b) => size(b) - size(a) || a.name.localeCompare(b.name));
  order.push(...fresh.map((line) => line.name));
  return lines.sort((a, b) => order.indexOf(a.name) - order.indexOf(b.name));
}
