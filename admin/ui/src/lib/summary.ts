import { useEffect, useState } from 'preact/hooks';
import type { MetricsSummary } from '../api/types';
import { paused } from './clock';
import { follow, metricsMs, points, stream } from './fleet';
import { type Resource, useResource } from './resource';

/** The numbers of a node, read once and then grown by what the stream brings. */
export function useSummary(id: string, alone = true): Resource<MetricsSummary> {
  const every = stream.value === 'open' ? Math.max(15_000, 3 * metricsMs()) : metricsMs();
  const read = useResource<MetricsSummary>(`/api/nodes/${id}/metrics/summary`, every);
  const [grown, setGrown] = useState<MetricsSummary | null>(null);

  useEffect(() => {
    if (alone) {
      follow([id]);
      return () => follow([]);
    }
    return undefined;
  }, [id, alone]);

  useEffect(() => setGrown(read.data), [read.data]);

  const point = points.value;
  useEffect(() => {
    if (!point || point.nodeId !== id || paused.value) {
      return;
    }
    setGrown((old) => (old ? append(old, point) : old));
  }, [point]);

  return { ...read, data: read.data ? (grown ?? read.data) : null };
}

function append(old: MetricsSummary, point: { series: MetricsSummary['series']; totals: MetricsSummary['totals'] }): MetricsSummary {
  const last = old.series.t.at(-1) ?? 0;
  const fresh = point.series.t.map((t, i) => [t, i] as const).filter(([t]) => t > last);
  if (fresh.length === 0) {
    return old;
  }
  const end = fresh.at(-1)![0];
  const from = end - old.windowSeconds * 1000;
  const cut = Math.max(
    0,
    old.series.t.findIndex((t) => t >= from),
  );
  const cols: MetricsSummary['series']['cols'] = {};
  for (const [key, column] of Object.entries(old.series.cols)) {
    cols[key] = [...column.slice(cut), ...fresh.map(([, i]) => point.series.cols[key]?.[i] ?? null)];
  }
  return {
    ...old,
    state: 'fresh',
    ageMs: 0,
    updatedAt: new Date(end).toISOString(),
    totals: point.totals,
    series: { ...old.series, t: [...old.series.t.slice(cut), ...fresh.map(([t]) => t)], cols },
  };
}
