import type { JSX } from 'preact';
import type { PanelsGateway } from '../api/types';
import { count, NONE, number, percent, perSecond } from '../lib/format';
import { clean, t } from '../lib/i18n';
import { Meter, Table } from './basics';

/** How well the tenants' shares fit what they are due, in words. */
export function fairness({ jain, contended, shareError }: PanelsGateway): { words: string; tone: string } {
  if (contended === false) {
    return { words: t('fair.idle'), tone: 'ok' };
  }
  // A tenant may get less than its share because it asks for less. The gateway knows who had to wait all the time, and judges only those.
  const off = shareError ?? (jain === null ? null : 1 - jain);
  if (off === null) {
    return { words: t('fair.none'), tone: 'muted' };
  }
  return off <= 0.05 ? { words: t('fair.good'), tone: 'ok' } : off <= 0.2 ? { words: t('fair.some'), tone: 'warn' } : { words: t('fair.poor'), tone: 'danger' };
}

/** What the gateway calls requests that name no tenant. */
const NOBODY = '_anon';

export const tenantName = (id: string): string => (id === NOBODY ? t('tenant.nobody') : clean(id));

export function TenantTable({ gateway }: { gateway: PanelsGateway }): JSX.Element {
  return (
    <Table
      caption={t('tenants.title')}
      items={[...gateway.tenants].sort((a, b) => Number(a.id === NOBODY) - Number(b.id === NOBODY))}
      id={(tenant) => tenant.id}
      columns={[
        { name: t('tenant'), cell: (tenant) => <span class={tenant.id === NOBODY ? 'quiet' : 'strong'}>{tenantName(tenant.id)}</span>, wide: true },
        { name: t('tenant.weight'), cell: (tenant) => number(tenant.quantum), number: true },
        { name: t('tenant.served'), cell: (tenant) => perSecond(tenant.servedPerSec), number: true },
        {
          name: t('tenant.share'),
          cell: (tenant) => (
            <span class="share">
              <Meter
                value={tenant.share ?? 0}
                max={1}
                mark={tenant.fairShare}
                label={t('tenant.share_words', tenantName(tenant.id), percent(tenant.share), percent(tenant.fairShare))}
              />
              <span class="share-words">
                {tenant.share === null ? NONE : percent(tenant.share)}
                {tenant.fairShare !== null && <span class="quiet"> {t('tenant.due', percent(tenant.fairShare))}</span>}
              </span>
            </span>
          ),
        },
        { name: t('tenant.waiting'), cell: (tenant) => count(tenant.depth), number: true },
        { name: t('tenant.refused'), cell: (tenant) => perSecond(tenant.droppedPerSec), number: true },
      ]}
    />
  );
}
