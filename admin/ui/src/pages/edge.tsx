import type { JSX } from 'preact';
import type { MetricsSummary } from '../api/types';
import { metricsMs } from '../lib/fleet';
import { useResource } from '../lib/resource';
import { bytes, percent, perSecond } from '../lib/format';
import { clean, t } from '../lib/i18n';
import { Figure, Figures, Panel, Table } from '../parts/basics';
import { FamilyChart } from '../parts/family-chart';
import { Chart } from '../parts/chart';
import { ServiceFrame } from '../parts/service-frame';

const text = (value: unknown): string => (value === null || value === undefined ? t('not_reported') : clean(String(value)));

/** How much is answered from what the edge holds, and what it must fetch. */
export function Edge(): JSX.Element {
  return (
    <ServiceFrame part="edge" title={t('nav.edge')} lead={t('edge.lead')}>
      {(edge, node) => (
        <>
          <Figures>
            <Figure big label={t('edge.ratio')} value={percent(edge.hitRatio)} hint={edge.hitRatio === null ? t('edge.ratio_none') : t('edge.ratio_hint')} />
            <Figure label={t('edge.hits')} value={perSecond(edge.hitsPerSec)} />
            <Figure label={t('edge.misses')} value={perSecond(edge.missesPerSec)} />
            <Figure label={t('edge.out')} value={edge.bytesOutPerSec === null ? '–' : `${bytes(edge.bytesOutPerSec)}/s`} />
            <Figure label={t('edge.store')} value={bytes(edge.casBytes)} hint={edge.casMaxBytes === null ? t('edge.store_note') : t('edge.store_of', bytes(edge.casMaxBytes))} />
          </Figures>
          <RatioChart node={node} ratios={edge.hitRatioSpark} />
          <div class="charts">
            <FamilyChart node={node} families={['edge_cache_hits_total']} label="kind" title={t('edge.hits_chart')} format={perSecond} />
            <FamilyChart node={node} families={['edge_cache_misses_total']} label="cause" title={t('edge.misses_chart')} format={perSecond} />
          </div>
          <div class="columns">
            <Panel title={t('edge.packs')} note={t('edge.packs_note')}>
              {edge.packs.length === 0 ? (
                <p class="quiet">{t('edge.packs_none')}</p>
              ) : (
                <Table
                  caption={t('edge.packs')}
                  items={edge.packs}
                  id={(pack) => String(pack.name)}
                  columns={[
                    { name: t('edge.pack'), cell: (pack) => <span class="strong">{text(pack.name)}</span> },
                    { name: t('edge.kind'), cell: (pack) => text(pack.kind) },
                    { name: t('probe.size'), cell: (pack) => (typeof pack.size === 'number' ? bytes(pack.size) : t('not_reported')), number: true },
                    { name: t('edge.mounted'), cell: (pack) => (pack.mounted === true ? t('yes') : pack.mounted === false ? t('edge.not_mounted') : t('not_reported')) },
                    { name: t('edge.verified'), cell: (pack) => (pack.verified === true ? t('yes') : pack.verified === false ? t('edge.not_yet') : t('not_reported')) },
                  ]}
                />
              )}
            </Panel>
            <Panel title={t('edge.fills')} note={t('edge.fills_note')}>
              {edge.fills.length === 0 ? (
                <p class="quiet">{t('edge.fills_none')}</p>
              ) : (
                <Table
                  caption={t('edge.fills')}
                  items={edge.fills}
                  id={(fill) => fill.host}
                  columns={[
                    { name: t('edge.host'), cell: (fill) => <span class="mono">{clean(fill.host)}</span>, wide: true },
                    { name: t('edge.attempts'), cell: (fill) => perSecond(fill.attemptsPerSec), number: true },
                    { name: t('edge.success'), cell: (fill) => percent(fill.successRatio), number: true },
                  ]}
                />
              )}
            </Panel>
          </div>
        </>
      )}
    </ServiceFrame>
  );
}

/** The ratios come without times; they are of the same ring as the node's numbers, whose times they share. */
function RatioChart({ node, ratios }: { node: string; ratios: (number | null)[] }): JSX.Element | null {
  const { data } = useResource<MetricsSummary>(`/api/nodes/${node}/metrics/summary`, metricsMs());
  if (!data || ratios.length === 0 || data.series.t.length < ratios.length) {
    return null;
  }
  return (
    <Chart title={t('edge.ratio')} t={data.series.t.slice(-ratios.length)} lines={[{ name: t('edge.ratio'), values: ratios }]} format={percent} top={1} group={`service-${node}`} />
  );
}
