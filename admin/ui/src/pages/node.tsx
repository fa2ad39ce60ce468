import type { JSX } from 'preact';
import type { NodeDetail, NodeRow } from '../api/types';
import { post } from '../lib/api';
import { shown, statusMs } from '../lib/fleet';
import { count, duration, millis, moment, NONE, number, percent, perSecond } from '../lib/format';
import { clean, t } from '../lib/i18n';
import { useResource } from '../lib/resource';
import { useSummary } from '../lib/summary';
import { Age, Empty, Figure, Figures, Loading, Panel, Table, Trouble } from '../parts/basics';
import { GoldenCharts } from '../parts/golden';
import { Icon } from '../parts/icons';
import { NodeFrame } from '../parts/node-frame';
import { Planes } from '../parts/planes';
import { Queues } from '../parts/queues';

export function NodeOverview({ params }: { params: Record<string, string> }): JSX.Element {
  return <NodeFrame id={params.id!}>{(row) => <Overview key={row.id} row={row} />}</NodeFrame>;
}

function Overview({ row }: { row: NodeRow }): JSX.Element {
  const detail = useResource<NodeDetail>(`/api/nodes/${row.id}/status?cached=1`, statusMs() / 2);
  const summary = useSummary(row.id);
  const data = summary.data;
  return (
    <div class="stack">
      <Panel title={t('planes')} note={detail.data?.partial ? t('node.partial') : undefined} aside={<Age ms={row.statusAgeMs} since={detail.at || Date.now()} />}>
        {detail.data ? <Planes planes={detail.data.planes} old={shown(row).old} services={data?.services} /> : detail.error ? null : <Loading />}
        {detail.error && <Trouble error={detail.error} again={detail.again} />}
      </Panel>
      {data && data.state !== 'unavailable' && data.state !== 'disabled' && (
        <Figures>
          <Figure label={t('metric.rps')} value={number(data.totals.rps)} />
          <Figure label={t('metric.errors')} value={percent(data.totals.errorRate)} />
          <Figure label="p50" value={millis(data.totals.p50Ms)} />
          <Figure label="p95" value={millis(data.totals.p95Ms)} />
          <Figure label="p99" value={millis(data.totals.p99Ms)} />
          <Figure label={t('metric.inflight')} value={count(data.totals.inflight)} />
          <Figure label={t('metric.rejected')} value={perSecond(data.totals.rejectedPerSec)} />
          <Figure label={t('metric.busy')} value={perSecond(data.totals.busyPerSec)} />
        </Figures>
      )}
      {data && data.state !== 'unavailable' && data.state !== 'disabled' ? (
        <GoldenCharts summary={data} at={summary.at} />
      ) : data ? (
        <Empty icon="chart" title={t(data.state === 'disabled' ? 'metrics.disabled' : 'metrics.unavailable')}>
          {data.lastError && <p>{clean(data.lastError.detail)}</p>}
        </Empty>
      ) : summary.error ? (
        <Trouble error={summary.error} again={summary.again} />
      ) : (
        <Loading lines={5} />
      )}
      <div class="columns">
        {data && data.routes.length > 0 && (
          <Panel title={t('routes')} note={t('routes.note')}>
            <Table
              caption={t('routes')}
              items={data.routes}
              id={(route) => route.service + route.route}
              columns={[
                { name: t('route'), cell: (route) => <span class="mono">{clean(route.route)}</span>, wide: true },
                { name: t('service'), cell: (route) => clean(route.service) },
                { name: t('metric.rps'), cell: (route) => number(route.rps), number: true },
                { name: t('metric.errors'), cell: (route) => percent(route.errorRate), number: true },
                { name: 'p95', cell: (route) => millis(route.p95Ms), number: true },
              ]}
            />
          </Panel>
        )}
        {data && data.rejects.some((line) => (line.perSec ?? 0) > 0) && (
          <Panel title={t('rejects')} note={t('rejects.note')}>
            <Table
              caption={t('rejects')}
              items={data.rejects.filter((line) => (line.perSec ?? 0) > 0)}
              id={(line) => line.service + line.reason}
              columns={[
                { name: t('reason'), cell: (line) => <span class="mono">{clean(line.reason)}</span>, wide: true },
                { name: t('service'), cell: (line) => clean(line.service) },
                { name: t('per_second'), cell: (line) => perSecond(line.perSec), number: true },
              ]}
            />
          </Panel>
        )}
        {detail.data && (detail.data.queues.length > 0 || !shown(row).old) && (
          <Panel title={t('queues.title')} note={t('queues.note')}>
            <Queues queues={detail.data.queues} />
          </Panel>
        )}
        {detail.data && <About row={row} detail={detail.data} />}
      </div>
      <p class="foot-line">
        {data && t('node.series', data.seriesTracked, data.intervalSeconds, duration(data.windowSeconds))}
        {data && data.seriesDropped > 0 && <span class="tone-warn"> {t('node.series_dropped', data.seriesDropped)}</span>}
        {data && data.resets > 0 && <span> {t('node.resets', data.resets)}</span>}{' '}
        <button type="button" class="button button-quiet button-small" onClick={() => void post(`/api/nodes/${row.id}/refresh`, {}).then(summary.again, summary.again)}>
          <Icon name="refresh" size={16} /> {t('node.sample_now')}
        </button>
      </p>
    </div>
  );
}

/** What the node says it is. */
function About({ row, detail }: { row: NodeRow; detail: NodeDetail }): JSX.Element {
  const facts: [string, string | null][] = [
    [t('about.id'), row.id],
    [t('about.instance'), detail.instanceId],
    [t('about.profile'), row.profile],
    [t('about.version'), row.version],
    [t('about.commit'), detail.gitSha],
    [t('about.runtime'), detail.runtime],
    [t('about.phase'), detail.phase],
    [t('about.config'), detail.config?.version == null ? null : t('about.config_words', detail.config.version, detail.config.loadedAt ? moment(detail.config.loadedAt) : NONE)],
    [t('about.writes'), row.writeReady === null ? null : row.writeReady ? t('yes') : t('no')],
    [t('about.offers'), detail.capabilities.length ? detail.capabilities.join(', ') : null],
    ...Object.entries(row.labels).map(([k, v]): [string, string] => [k, v]),
  ];
  return (
    <Panel title={t('about')} note={t('about.note')}>
      <dl class="facts">
        {facts.map(([name, value]) => (
          <div key={name}>
            <dt>{name}</dt>
            <dd class={value === null ? 'quiet' : ''}>{value === null ? t('not_reported') : clean(value)}</dd>
          </div>
        ))}
      </dl>
    </Panel>
  );
}
