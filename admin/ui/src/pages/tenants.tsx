import type { JSX } from 'preact';
import type { PanelsUpstream } from '../api/types';
import { count, number, percent, perSecond } from '../lib/format';
import { clean, t, word } from '../lib/i18n';
import { Empty, Figure, Figures, Panel, Table } from '../parts/basics';
import { FamilyChart } from '../parts/family-chart';
import { Icon } from '../parts/icons';
import { ServiceFrame } from '../parts/service-frame';
import { fairness, tenantName, TenantTable } from '../parts/tenants';

/** Whether an upstream has targets, and none of them answers. */
const silent = (upstream: PanelsUpstream): boolean => upstream.targets.length > 0 && upstream.targets.every((target) => target.healthy === false);

/** Who gets how much of the gateway, and whether that is what they are due. */
export function Tenants(): JSX.Element {
  return (
    <ServiceFrame part="gateway" title={t('nav.tenants')} lead={t('tenants.lead')}>
      {(gateway, node) => {
        const fair = fairness(gateway);
        const sum = (of: (tenant: (typeof gateway.tenants)[number]) => number | null): number | null =>
          gateway.tenants.some((tenant) => of(tenant) !== null) ? gateway.tenants.reduce((n, tenant) => n + (of(tenant) ?? 0), 0) : null;
        return (
          <>
            {gateway.degraded && (
              <div class="notice tone-warn" role="status">
                <Icon name="degraded" />
                <p>{t('tenants.degraded')}</p>
              </div>
            )}
            <Figures>
              <Figure big label={t('fair.index')} value={gateway.contended === false ? t('fair.nobody_waits') : number(gateway.jain, 3)} hint={fair.words} tone={fair.tone} />
              <Figure label={t('fair.error')} value={percent(gateway.shareError)} />
              <Figure label={t('tenant.served')} value={perSecond(sum((tenant) => tenant.servedPerSec))} />
              <Figure label={t('tenant.waiting')} value={count(sum((tenant) => tenant.depth))} />
              <Figure label={t('tenant.refused')} value={perSecond(sum((tenant) => tenant.droppedPerSec))} />
            </Figures>
            <Panel title={t('tenants.title')} note={t('tenants.note')}>
              {gateway.tenants.length === 0 ? <Empty icon="tenants" title={t('tenants.none')} /> : <TenantTable gateway={gateway} />}
            </Panel>
            <FamilyChart node={node} families={['gateway_drr_dispatched_total']} label="tenant" title={t('tenants.chart')} format={perSecond} name={tenantName} />
            {gateway.upstreams.filter(silent).map((upstream) => (
              <div key={upstream.id} class="notice tone-warn" role="status">
                <Icon name="degraded" />
                <p>{t('cause.upstream.silent', clean(upstream.id))}</p>
              </div>
            ))}
            <Panel title={t('upstreams')} note={t('upstreams.note')}>
              {gateway.upstreams.length === 0 ? (
                <p class="quiet">{t('not_reported')}</p>
              ) : (
                <Table
                  caption={t('upstreams')}
                  items={gateway.upstreams.flatMap((upstream) => upstream.targets.map((target) => ({ upstream, target })))}
                  id={({ upstream, target }) => upstream.id + target.url}
                  columns={[
                    { name: t('upstream'), cell: ({ upstream }) => <span class="strong">{clean(upstream.id)}</span> },
                    { name: t('upstream.target'), cell: ({ target }) => <span class="mono">{clean(target.url)}</span>, wide: true },
                    {
                      name: t('upstream.health'),
                      cell: ({ target }) => {
                        const tone = target.healthy === null ? 'muted' : target.healthy ? 'ok' : 'warn';
                        return (
                          <span class={`state tone-${tone}`}>
                            <Icon name={tone === 'ok' ? 'ready' : tone === 'warn' ? 'degraded' : 'unknown'} size={16} />
                            <span>{target.healthy === null ? t('not_reported') : target.healthy ? t('upstream.healthy') : t('upstream.unhealthy')}</span>
                          </span>
                        );
                      },
                    },
                    { name: t('upstream.circuit'), cell: ({ target }) => (target.circuit ? word('circuit', target.circuit) : t('not_reported')) },
                    {
                      name: t('metric.inflight'),
                      cell: ({ upstream }) => (upstream.limit === null ? count(upstream.inflight) : t('upstream.of', count(upstream.inflight), count(upstream.limit))),
                      number: true,
                    },
                    { name: t('tenant.waiting'), cell: ({ upstream }) => count(upstream.waiting), number: true },
                  ]}
                />
              )}
            </Panel>
          </>
        );
      }}
    </ServiceFrame>
  );
}
