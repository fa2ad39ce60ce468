import type { JSX } from 'preact';
import type { PanelsProposal } from '../api/types';
import { count, duration, millis, perSecond } from '../lib/format';
import { clean, t } from '../lib/i18n';
import { Command, Empty, Figure, Figures, Panel } from '../parts/basics';
import { FamilyChart } from '../parts/family-chart';
import { Icon } from '../parts/icons';
import { ServiceFrame } from '../parts/service-frame';

const CHECKPOINT_OLD_S = 30 * 60;

/** The head of the log, and what waits for approval. Approving is done with a key, and so not from here. */
export function Registry(): JSX.Element {
  return (
    <ServiceFrame part="registry" title={t('nav.registry')} lead={t('registry.lead')}>
      {(registry, node) => {
        const verified = registry.verifyOk;
        return (
          <>
            {verified === false && (
              <div class="notice tone-danger" role="alert">
                <Icon name="down" />
                <p>{t('registry.broken')}</p>
              </div>
            )}
            <Figures>
              <Figure big label={t('registry.head')} value={count(registry.headVersion)} hint={registry.headHash ? clean(registry.headHash).slice(0, 16) : undefined} />
              <Figure label={t('registry.commits')} value={perSecond(registry.commitsPerSec)} />
              <Figure label={t('registry.commit_p95')} value={millis(registry.commitP95Ms)} />
              <Figure
                label={t('registry.checkpoint')}
                value={duration(registry.checkpointAgeSeconds)}
                hint={registry.checkpointAgeSeconds !== null && registry.checkpointAgeSeconds > CHECKPOINT_OLD_S ? t('registry.checkpoint_old') : undefined}
                tone={registry.checkpointAgeSeconds !== null && registry.checkpointAgeSeconds > CHECKPOINT_OLD_S ? 'warn' : undefined}
              />
              <Figure
                label={t('registry.chain')}
                value={verified === null ? t('not_reported') : verified ? t('registry.chain_ok') : t('registry.chain_bad')}
                tone={verified === false ? 'danger' : undefined}
              />
            </Figures>
            <Panel title={t('registry.pending', registry.pendingCount ?? registry.pending.length)} note={t('registry.pending_note')}>
              {registry.pending.length === 0 ? (
                <Empty icon="ready" title={t('registry.none')} />
              ) : (
                <ul class="proposals">
                  {registry.pending.map((one) => (
                    <Proposal key={one.proposalId} proposal={one} />
                  ))}
                </ul>
              )}
            </Panel>
            <FamilyChart node={node} families={['registry_updates_total']} label="result" floor={0.5} title={t('registry.chart')} format={perSecond} />
          </>
        );
      }}
    </ServiceFrame>
  );
}

function Proposal({ proposal }: { proposal: PanelsProposal }): JSX.Element {
  const { approvals, quorum } = proposal;
  return (
    <li class="proposal">
      <div class="proposal-head">
        <h3>{proposal.title ? clean(proposal.title) : clean(proposal.proposalId)}</h3>
        {approvals !== null && quorum !== null && (
          <span class="approvals">
            <span class="approvals-dots" aria-hidden="true">
              {Array.from({ length: Math.min(quorum, 12) }, (_, i) => (
                <span key={i} class={i < approvals ? 'dot dot-on' : 'dot'} />
              ))}
            </span>
            {t('registry.approvals', approvals, quorum)}
          </span>
        )}
      </div>
      <p class="card-sub">
        <span class="mono">{clean(proposal.proposalId)}</span>
        {proposal.ageSeconds !== null && <span class="quiet">{t('registry.age', duration(proposal.ageSeconds))}</span>}
      </p>
      <p>{t('registry.approve')}</p>
      <Command text={proposal.approveCommand} />
    </li>
  );
}
