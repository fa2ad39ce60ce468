import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { clock, NONE } from '../lib/format';
import { language, t } from '../lib/i18n';
import { prefs, theme } from '../lib/prefs';
import { Icon } from './icons';

export interface Line {
  name: string;
  values: (number | null)[];
}

interface ChartProps {
  title: string;
  note?: ComponentChildren;
  t: number[];
  lines: Line[];
  format: (value: number | null) => string;
  /** The least the scale spans, so that noise near zero does not look like a mountain. */
  floor?: number;
  /** A fixed top, for shares of a whole. */
  top?: number;
  /** Charts with the same word share one cursor. */
  group?: string;
  height?: number;
  /** The numbers are not about now. */
  old?: string | null;
}

/** Line patterns beside colours, so that lines can be told apart without them. */
const DASHES: number[][] = [[], [6, 4], [2, 3], [10, 4, 2, 4], [1, 4], [12, 4], [4, 2, 1, 2], [8, 2]];
const MOST_ROWS = 40;
/** Seconds between two times on the axis; finer steps than uPlot's own, so that a phone has more than one. */
const INCREMENTS = [1, 2, 5, 10, 15, 20, 30, 60, 120, 180, 300, 600, 900, 1800, 3600, 7200];

/** A chart of lines over time; its numbers are always to be had as a table, and its gist in words. */
export function Chart(props: ChartProps): JSX.Element {
  const [asTable, setTable] = useState(false);
  const [at, setAt] = useState<number | null>(null);
  const index = at ?? lastKnown(props.lines);
  const empty = props.lines.every((line) => line.values.every((v) => v === null));
  return (
    <figure class={`chart ${props.old ? 'is-old' : ''}`}>
      <figcaption class="chart-head">
        <span class="chart-title">{props.title}</span>
        {props.note && <span class="note">{props.note}</span>}
        <button type="button" class="button button-quiet button-small" aria-pressed={asTable} onClick={() => setTable(!asTable)} aria-label={t('chart.table_of', props.title)}>
          <Icon name={asTable ? 'chart' : 'table'} size={16} />
          <span>{asTable ? t('chart.chart') : t('chart.table')}</span>
        </button>
      </figcaption>
      <Legend {...props} index={index} moving={at !== null} />
      {props.old && <p class="chart-old">{props.old}</p>}
      {asTable ? <Data {...props} /> : empty ? <p class="chart-none">{t('chart.none')}</p> : <Canvas {...props} hover={setAt} />}
    </figure>
  );
}

function lastKnown(lines: Line[]): number {
  const length = lines[0]?.values.length ?? 0;
  for (let i = length - 1; i >= 0; i--) {
    if (lines.some((line) => line.values[i] !== null && line.values[i] !== undefined)) {
      return i;
    }
  }
  return length - 1;
}

function Legend({ lines, format, t: times, index, moving }: ChartProps & { index: number; moving: boolean }): JSX.Element {
  return (
    <ul class="legend">
      {lines.map((line, i) => (
        <li key={line.name}>
          <svg class={`legend-line line-${i % 8}`} width="18" height="8" viewBox="0 0 18 8" aria-hidden="true">
            <path d="M0 4h18" stroke-dasharray={DASHES[i % 8]!.join(' ')} />
          </svg>
          <span class="legend-name">{line.name}</span>
          <span class="legend-value">{format(line.values[index] ?? null)}</span>
        </li>
      ))}
      <li class="legend-time">{moving && times[index] !== undefined ? clock(times[index]) : ''}</li>
    </ul>
  );
}

function Data({ title, lines, t: times, format }: ChartProps): JSX.Element {
  const from = Math.max(0, times.length - MOST_ROWS);
  const picked = times
    .map((_, i) => i)
    .slice(from)
    .reverse();
  return (
    <div class="chart-data" tabIndex={0} role="region" aria-label={t('chart.table_of', title)}>
      <table class="table table-tight">
        <caption class="visually-hidden">{title}</caption>
        <thead>
          <tr>
            <th scope="col">{t('time')}</th>
            {lines.map((line) => (
              <th key={line.name} scope="col" class="num">
                {line.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {picked.map((i) => (
            <tr key={times[i]}>
              <th scope="row">{clock(times[i])}</th>
              {lines.map((line) => (
                <td key={line.name} class="num">
                  {format(line.values[i] ?? null)}
                </td>
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

/** What a chart shows, for who does not see it. */
function gist({ title, lines, format }: ChartProps): string {
  const parts = lines.map((line) => {
    const known = line.values.filter((v): v is number => v !== null);
    return known.length === 0 ? `${line.name}: ${NONE}` : t('chart.gist', line.name, format(known.at(-1)!), format(Math.min(...known)), format(Math.max(...known)));
  });
  return `${title}. ${parts.join('. ')}`;
}

function Canvas(props: ChartProps & { hover: (index: number | null) => void }): JSX.Element {
  const box = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const latest = useRef(props);
  latest.current = props;
  const look = theme.value;
  const shape = `${look}|${language()}|${prefs.value.zone}|${props.lines.map((line) => line.name).join('|')}|${props.height}`;

  useEffect(() => {
    const host = box.current!;
    const chart = new uPlot(options(latest.current, host.clientWidth), data(latest.current), host);
    plot.current = chart;
    const resized = new ResizeObserver(() => {
      if (host.clientWidth > 0 && host.clientWidth !== chart.width) {
        chart.setSize({ width: host.clientWidth, height: chart.height });
      }
    });
    resized.observe(host);
    return () => {
      resized.disconnect();
      chart.destroy();
      plot.current = null;
    };
  }, [shape]);

  useEffect(() => plot.current?.setData(data(props)), [props.t, props.lines]);

  return <div class="chart-canvas" ref={box} role="img" aria-label={gist(props)} />;
}

function data(props: ChartProps): uPlot.AlignedData {
  return [props.t.map((ms) => ms / 1000), ...props.lines.map((line) => line.values)] as uPlot.AlignedData;
}

function options(props: ChartProps & { hover: (index: number | null) => void }, width: number): uPlot.Options {
  const style = getComputedStyle(document.documentElement);
  const colour = (name: string): string => style.getPropertyValue(name).trim();
  const font = `11px ${style.getPropertyValue('--font')}`;
  const axis = { stroke: colour('--ink-3'), font, ticks: { show: false }, grid: { stroke: colour('--grid'), width: 1 } };
  const contrast = theme.value === 'contrast';
  return {
    width,
    height: props.height ?? 168,
    padding: [8, 12, 0, 0],
    legend: { show: false },
    cursor: { points: { size: 6 }, drag: { x: false, y: false }, y: false, ...(props.group ? { sync: { key: props.group } } : {}) },
    tzDate: (ts) => (prefs.value.zone === 'utc' ? uPlot.tzDate(new Date(ts * 1000), 'Etc/UTC') : new Date(ts * 1000)),
    scales: {
      x: { time: true },
      y: { range: (_, __, max) => [0, props.top ?? Math.max(max ?? 0, props.floor ?? 1) * 1.08] },
    },
    axes: [
      {
        ...axis,
        space: 58,
        incrs: INCREMENTS,
        size: 26,
        values: (chart, splits) => {
          const fine = splits.some((one) => one % 60 !== 0);
          const wide = chart.bbox.width / devicePixelRatio;
          // A time at the very edge would run into the other axis, or out of the picture.
          const fits = (seconds: number): boolean => chart.valToPos(seconds, 'x') > 22 && chart.valToPos(seconds, 'x') < wide - (fine ? 16 : 6);
          return splits.map((seconds) => (fits(seconds) ? tick(seconds, fine) : ''));
        },
        grid: { show: false },
      },
      { ...axis, size: 58, space: 36, gap: 6, values: (_, splits) => splits.map((v) => props.format(v)) },
    ],
    series: [
      {},
      ...props.lines.map((_, i) => ({
        stroke: colour(`--line-${i % 8}`),
        width: contrast ? 2.5 : 1.75,
        dash: DASHES[i % 8]!,
        spanGaps: false,
        points: { show: false },
        ...(props.lines.length === 1 && !contrast ? { fill: colour('--line-fill') } : {}),
      })),
    ],
    hooks: {
      setCursor: [(chart) => props.hover(chart.cursor.idx ?? null)],
    },
  };
}

function tick(seconds: number, fine: boolean): string {
  return new Date(seconds * 1000).toLocaleTimeString(language(), {
    hour: '2-digit',
    minute: '2-digit',
    ...(fine ? { second: '2-digit' as const } : {}),
    hourCycle: 'h23',
    ...(prefs.value.zone === 'utc' ? { timeZone: 'UTC' } : {}),
  });
}
