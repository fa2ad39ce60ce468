import type { JSX } from 'preact';
import { useRef, useState } from 'preact/hooks';
import type { NodeRow, SeriesKeys, SeriesKeysKey, SeriesView } from '../api/types';
import { metricsMs } from '../lib/fleet';
import { millis, number, perSecond } from '../lib/format';
import { clean, t, word } from '../lib/i18n';
import { useResource } from '../lib/resource';
import { ask, go, query } from '../lib/router';
import { Choice, Copy, Empty, Loading, Panel, Trouble } from '../parts/basics';
import { Chart } from '../parts/chart';
import { NodeFrame } from '../parts/node-frame';

const MOST = 8;

export function NodeMetrics({ params }: { params: Record<string, string> }): JSX.Element {
  return <NodeFrame id={params.id!}>{(row) => <Metrics key={row.id} row={row} />}</NodeFrame>;
}

const formats: Record<string, (value: number | null) => string> = {
  rate: perSecond,
  gauge: number,
  quantile: (value) => millis(value === null ? null : value * 1000),
};

/** Every series that is kept of a node; what is picked is in the address, so that a link shows the same. */
function Metrics({ row }: { row: NodeRow }): JSX.Element {
  const keys = useResource<SeriesKeys>(`/api/nodes/${row.id}/metrics/keys`, 30_000);
  const [search, setSearch] = useState('');
  const top = useRef<Set<string> | null>(null);
  const q = query.value;
  const picked = q.getAll('key');
  const all = keys.data?.keys ?? [];
  const shownKeys = picked.length > 0 ? picked : firstOnes(all);
  const window = q.get('window') ?? 'all';
  const series = useResource<SeriesView>(
    shownKeys.length ? `/api/nodes/${row.id}/metrics/series?${shownKeys.map((key) => `key=${encodeURIComponent(key)}`).join('&')}` : null,
    metricsMs(),
  );
  if (!keys.data) {
    return keys.error ? <Trouble error={keys.error} again={keys.again} /> : <Loading lines={6} />;
  }
  if (all.length === 0) {
    return (
      <Empty icon="chart" title={t('metrics.unavailable')}>
        <p>{t('metrics.none_more')}</p>
      </Empty>
    );
  }
  const pick = (key: string): void => {
    const next = shownKeys.includes(key) ? shownKeys.filter((one) => one !== key) : [...shownKeys, key].slice(-MOST);
    const text = new URLSearchParams([...next.map((one) => ['key', one] as [string, string]), ...(window === 'all' ? [] : [['window', window] as [string, string]])]);
    go(`${location.pathname}?${text.toString()}`, true);
  };
  const found = all.filter((key) =>
    search
      .toLowerCase()
      .split(/\s+/)
      .every((part) => key.key.toLowerCase().includes(part)),
  );
  // What is picked stands on top when one comes, and stays where it is while one picks.
  top.current ??= new Set(shownKeys);
  found.sort((a, b) => Number(top.current!.has(b.key)) - Number(top.current!.has(a.key)));
  return (
    <div class="explore">
      <div class="explore-charts">
        <div class="filters">
          <Choice
            label={t('window')}
            value={window}
            options={[
              ['60', t('window.1')],
              ['all', t('window.all')],
            ]}
            choose={(value) => ask({ window: value === 'all' ? null : value })}
          />
          {series.data && <Copy text={csv(series.data)} label={t('copy.csv')} />}
        </div>
        {series.error && <Trouble error={series.error} again={series.again} />}
        {series.data ? <Grouped series={series.data} keys={all} window={window} /> : <Loading lines={4} />}
      </div>
      <Panel title={t('series')} note={t('series.note', shownKeys.length, MOST)} class="explore-keys">
        <label class="search">
          <span class="visually-hidden">{t('series.search')}</span>
          <input type="search" placeholder={t('series.search')} value={search} onInput={(event) => setSearch(event.currentTarget.value)} />
        </label>
        {found.length === 0 && <p class="quiet">{t('series.none')}</p>}
        <ul class="keys-list" tabIndex={0} aria-label={t('series')}>
          {found.map((key) => (
            <li key={key.key}>
              <label>
                <input type="checkbox" checked={shownKeys.includes(key.key)} onChange={() => pick(key.key)} />
                <span class="mono">{clean(key.family)}</span>
                <span class="quiet">
                  {key.key !== key.family && `${labels(key.key)} · `}
                  {word('kind', key.kind)} · {(formats[key.kind] ?? number)(key.last)}
                </span>
              </label>
            </li>
          ))}
        </ul>
      </Panel>
    </div>
  );
}

/** Something to begin with: requests and latency of the busiest services. */
function firstOnes(keys: SeriesKeysKey[]): string[] {
  const busiest = keys.filter((key) => key.family === 'http_requests_total' && key.key.includes('status=')).sort((a, b) => (b.last ?? 0) - (a.last ?? 0));
  const services = busiest.map((key) => /service="[^"]*"/.exec(key.key)?.[0]);
  const latency = keys.filter((key) => key.family === 'request_latency_seconds' && !key.key.includes('route=') && key.key.endsWith(':p95'));
  const picked = [...busiest.slice(0, MOST / 2), ...latency.filter((key) => services.slice(0, MOST / 2).some((service) => service && key.key.includes(service)))];
  return (picked.length > 0 ? picked : keys).slice(0, picked.length > 0 ? MOST : MOST / 2).map((key) => key.key);
}

/** One chart per family, so that each has one unit. */
function Grouped({ series, keys, window }: { series: SeriesView; keys: SeriesKeysKey[]; window: string }): JSX.Element {
  const from =
    window === 'all'
      ? 0
      : Math.max(
          0,
          series.t.findIndex((at) => at >= (series.t.at(-1) ?? 0) - Number(window) * 1000),
        );
  const times = series.t.slice(from);
  const groups = new Map<string, string[]>();
  for (const key of Object.keys(series.cols)) {
    const family = keys.find((one) => one.key === key)?.family ?? key;
    groups.set(family, [...(groups.get(family) ?? []), key]);
  }
  return (
    <div class="charts charts-one">
      {[...groups].map(([family, members]) => {
        const kind = keys.find((one) => one.family === family)?.kind ?? 'gauge';
        return (
          <Chart
            key={family}
            title={clean(family)}
            note={word('kind', kind)}
            t={times}
            lines={members.map((key) => ({ name: labels(key), values: series.cols[key]!.slice(from) }))}
            format={formats[kind] ?? number}
            group="explore"
            floor={kind === 'quantile' ? 0.001 : 1}
            height={200}
          />
        );
      })}
      {series.unknown.length > 0 && <p class="notice tone-warn">{t('series.unknown', series.unknown.map(clean).join(', '))}</p>}
    </div>
  );
}

/** What tells a series from others of its family: `service=edge · status=2xx`. */
function labels(key: string): string {
  const rest = key
    .replace(/^[^{:]+/, '')
    .replace(/[{"]/g, '')
    .replace(/,/g, ' · ')
    .replace(/\}:?/, ' ')
    .replace(/^:/, '');
  return clean(rest.trim() || key);
}

/** Cells that a spreadsheet would take for a formula are made text. */
function csv(series: SeriesView): string {
  const cell = (text: string): string => `"${(/^[=+\-@]/.test(text) ? `'${text}` : text).replace(/"/g, '""')}"`;
  const names = Object.keys(series.cols);
  const head = ['time', ...names].map(cell).join(',');
  const lines = series.t.map((at, i) => [`${new Date(at).toISOString()}`, ...names.map((name) => series.cols[name]![i] ?? '')].join(','));
  return [head, ...lines].join('\n');
}
