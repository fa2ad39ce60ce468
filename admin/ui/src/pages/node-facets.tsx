import type { JSX } from 'preact';
import type { FacetMetrics, FacetMetricsFacet, NodeRow } from '../api/types';
import { metricsMs } from '../lib/fleet';
import { count, millis, number, percent } from '../lib/format';
import { clean, t } from '../lib/i18n';
import { useResource } from '../lib/resource';
import { ask, query } from '../lib/router';
import { Age, Choice, Empty, Loading, Trouble } from '../parts/basics';
import { NodeFrame } from '../parts/node-frame';
import { Spark } from '../parts/spark';

export function NodeFacets({ params }: { params: Record<string, string> }): JSX.Element {
  return <NodeFrame id={params.id!}>{(row) => <Facets key={row.id} row={row} />}</NodeFrame>;
}

const troubled = (facet: FacetMetricsFacet): boolean => (facet.errorRate ?? 0) > 0.01;

/** Named slices of a node's work. */
function Facets({ row }: { row: NodeRow }): JSX.Element {
  const { data, error, at, again } = useResource<FacetMetrics>(`/api/nodes/${row.id}/metrics/facets`, metricsMs());
  const q = query.value;
  if (!data) {
    return error ? <Trouble error={error} again={again} /> : <Loading lines={6} />;
  }
  if (data.facets.length === 0) {
    return (
      <Empty icon="chart" title={t('facets.none')}>
        <p>{t('facets.none_more')}</p>
        <pre class="sample" tabIndex={0}>
          {'ron_facet_requests_total{facet="checkout",result="ok"} 42\nron_facet_latency_seconds_bucket{facet="checkout",le="0.1"} 40'}
        </pre>
      </Empty>
    );
  }
  const only = q.get('issues') === '1';
  const sort = q.get('sort') ?? 'rps';
  const by: Record<string, (facet: FacetMetricsFacet) => number> = { rps: (f) => f.rps ?? -1, errors: (f) => f.errorRate ?? -1, p95: (f) => f.p95Ms ?? -1 };
  const facets = data.facets.filter((facet) => !only || troubled(facet));
  if (by[sort]) {
    facets.sort((a, b) => by[sort]!(b) - by[sort]!(a));
  }
  return (
    <>
      {error && <Trouble error={error} again={again} />}
      <div class="filters">
        <Choice
          label={t('fleet.sort')}
          value={sort}
          options={[
            ['rps', t('fleet.sort.rps')],
            ['name', t('fleet.sort.name')],
            ['errors', t('fleet.sort.errors')],
            ['p95', t('fleet.sort.p95')],
          ]}
          choose={(v) => ask({ sort: v === 'rps' ? null : v })}
        />
        <label class="check">
          <input type="checkbox" checked={only} onChange={() => ask({ issues: only ? null : '1' })} /> {t('facets.issues')}
        </label>
        <Age ms={data.ageMs} since={at} old={data.state === 'stale'} />
      </div>
      {facets.length === 0 && <Empty icon="ready" title={t('facets.no_issues')} />}
      <ul class="cards">
        {facets.map((facet) => (
          <li key={`${facet.service} ${facet.facet}`} class={`card edge-${troubled(facet) ? 'warn' : 'ok'}`} data-row>
            <div class="card-head">
              <h2 class="card-name">{clean(facet.facet)}</h2>
              {facet.service && <span class="tag">{clean(facet.service)}</span>}
              {troubled(facet) && <span class="tag tone-warn">{t('facets.errors')}</span>}
            </div>
            <div class="card-spark">
              <Spark values={facet.spark} height={40} />
            </div>
            <dl class={`card-figures card-figures-${facet.inflight === null ? 4 : 5}`}>
              <div>
                <dt>{t('metric.rps')}</dt>
                <dd>{number(facet.rps)}</dd>
              </div>
              <div>
                <dt>{t('metric.errors')}</dt>
                <dd>{percent(facet.errorRate)}</dd>
              </div>
              <div>
                <dt>p95</dt>
                <dd>{millis(facet.p95Ms)}</dd>
              </div>
              <div>
                <dt>p99</dt>
                <dd>{millis(facet.p99Ms)}</dd>
              </div>
              {facet.inflight !== null && (
                <div>
                  <dt>{t('metric.inflight')}</dt>
                  <dd>{count(facet.inflight)}</dd>
                </div>
              )}
            </dl>
          </li>
        ))}
      </ul>
    </>
  );
}
