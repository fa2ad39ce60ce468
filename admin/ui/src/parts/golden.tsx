import type { JSX } from 'preact';
import type { MetricsSummary } from '../api/types';
import { count, duration, millis, number, percent } from '../lib/format';
import { silent } from '../lib/fleet';
import { clean, t, word } from '../lib/i18n';
import { now } from '../lib/clock';
import { Chart } from './chart';
import { inOrder } from './planes';

/** Why the numbers of a node are not about now; null where they are. */
export function metricsOld(summary: MetricsSummary, at: number): string | null {
  if (silent.value) {
    return t('metrics.console_silent');
  }
  const age = summary.ageMs === null ? null : duration((summary.ageMs + Math.max(0, now.value - at)) / 1000);
  if (summary.state === 'stale') {
    return t('metrics.stale', age ?? '', summary.lastError ? word('fault', summary.lastError.code) : '');
  }
  return null;
}

const RPS_OF = 'rps.';

/** Rate, errors, latency and work in hand: the four numbers that say how a node fares. */
export function GoldenCharts({ summary, at, few = false }: { summary: MetricsSummary; at: number; few?: boolean }): JSX.Element {
  const { t: times, cols } = summary.series;
  const none = times.map(() => null);
  const col = (key: string): (number | null)[] => cols[key] ?? none;
  const old = metricsOld(summary, at);
  const group = `golden-${summary.nodeId}`;
  // A request that goes through two services is work for both: a line each says more than their sum.
  const byService = Object.keys(cols)
    .filter((key) => key.startsWith(RPS_OF))
    .map((key) => key.slice(RPS_OF.length))
    .sort(inOrder);
  return (
    <div class={`charts ${few ? 'charts-few' : ''}`}>
      <Chart
        title={t('chart.rps')}
        note={byService.length > 1 ? t('chart.by_service') : undefined}
        t={times}
        lines={byService.length > 1 ? byService.map((service) => ({ name: clean(service), values: col(RPS_OF + service) })) : [{ name: t('metric.rps'), values: col('rps') }]}
        format={number}
        floor={4}
        group={group}
        old={old}
      />
      <Chart
        title={t('chart.latency')}
        t={times}
        lines={[
          { name: 'p50', values: col('p50Ms') },
          { name: 'p95', values: col('p95Ms') },
          { name: 'p99', values: col('p99Ms') },
        ]}
        format={millis}
        floor={4}
        group={group}
        old={old}
      />
      <Chart title={t('chart.errors')} t={times} lines={[{ name: t('metric.errors'), values: col('errorRate') }]} format={percent} floor={0.01} group={group} old={old} />
      <Chart title={t('chart.inflight')} t={times} lines={[{ name: t('metric.inflight'), values: col('inflight') }]} format={count} floor={4} group={group} old={old} />
    </div>
  );
}
