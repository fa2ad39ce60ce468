import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { NodeDetail, NodeRow, Panels } from '../api/types';
import { all, follow, metricsMs, shown, statusMs } from '../lib/fleet';
import { duration } from '../lib/format';
import { clean, t } from '../lib/i18n';
import { useResource } from '../lib/resource';
import { useSummary } from '../lib/summary';
import { Empty, Loading, Panel, Trouble } from '../parts/basics';
import { GoldenCharts } from '../parts/golden';
import { Planes } from '../parts/planes';
import { Causes, Environment, NodeState } from '../parts/state';
import { fairness, TenantTable } from '../parts/tenants';
import { RowFigures } from './fleet';

/** One node, whole: its planes, its numbers as they move, and its tenants. */
export function Spotlight({ row }: { row: NodeRow }): JSX.Element {
  const detail = useResource<NodeDetail>(`/api/nodes/${row.id}/status?cached=1`, statusMs() / 2);
  const panels = useResource<Panels>(`/api/nodes/${row.id}/panels`, metricsMs());
  const summary = useSummary(row.id, false);
  useEffect(() => {
    follow(all.value.map((one) => one.id));
    return () => follow([]);
  }, []);
  const look = shown(row);
  const gateway = panels.data?.gateway;
  const fair = gateway ? fairness(gateway) : { words: '' };
  return (
    <article class={`spotlight ${look.old ? 'is-old' : ''}`} data-row>
      {all.value.length > 1 && (
        <header class="spotlight-head">
          <div>
            <h2>
              <a href={`/nodes/${row.id}`}>{clean(row.displayName)}</a>
            </h2>
            <p class="card-sub">
              <NodeState row={row} />
              <Environment name={row.environment} />
              {row.version && <span>{clean(row.version)}</span>}
              {row.uptimeSeconds !== null && <span class="quiet">{t('uptime', duration(row.uptimeSeconds))}</span>}
            </p>
          </div>
          <RowFigures row={row} />
        </header>
      )}
      {row.causes.length > (all.value.length > 1 ? 0 : 1) && <Causes causes={row.causes} />}
      {detail.data ? (
        <Planes planes={detail.data.planes} old={look.old} services={summary.data?.services} />
      ) : detail.error ? (
        <Trouble error={detail.error} again={detail.again} />
      ) : (
        <Loading lines={2} />
      )}
      {summary.data === null ? (
        summary.error ? (
          <Trouble error={summary.error} again={summary.again} />
        ) : (
          <Loading lines={4} />
        )
      ) : summary.data.state === 'unavailable' || summary.data.state === 'disabled' ? (
        <Empty icon="chart" title={t(summary.data.state === 'disabled' ? 'metrics.disabled' : 'metrics.unavailable')}>
          {summary.data.lastError && <p>{clean(summary.data.lastError.detail)}</p>}
        </Empty>
      ) : (
        <GoldenCharts summary={summary.data} at={summary.at} few />
      )}
      {gateway?.available && gateway.tenants.length > 0 && (
        <Panel title={t('tenants.title')} note={fair.words} aside={<a href={`/tenants?node=${row.id}`}>{t('tenants.more')}</a>}>
          <TenantTable gateway={gateway} />
        </Panel>
      )}
    </article>
  );
}
