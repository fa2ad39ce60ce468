import type { JSX } from 'preact';
import { count, millis, perSecond } from '../lib/format';
import { clean, t, word } from '../lib/i18n';
import { Figure, Figures, latencyTone, Panel, Table, withLimit } from '../parts/basics';
import { FamilyChart } from '../parts/family-chart';
import { Icon } from '../parts/icons';
import { ServiceFrame } from '../parts/service-frame';

const ISSUE_P99_MS = 100;

/** Tokens issued, verified and revoked, and the keys behind them. */
export function Passport(): JSX.Element {
  return (
    <ServiceFrame part="passport" title={t('nav.passport')} lead={t('passport.lead')}>
      {(office, node) => {
        const kms =
          office.kmsOk === null ? ['unknown', 'muted', t('not_reported')] : office.kmsOk ? ['ready', 'ok', t('passport.kms_ok')] : ['down', 'danger', t('passport.kms_bad')];
        return (
          <>
            <Figures>
              <Figure big label={t('passport.issued')} value={perSecond(office.issuedPerSec)} />
              <Figure label={t('passport.verified')} value={perSecond(office.verifiedPerSec)} />
              <Figure label={t('passport.revoked')} value={perSecond(office.revokedPerSec)} />
              <Figure label={t('passport.p95')} value={millis(office.issueP95Ms)} />
              <Figure label={t('passport.p99')} value={millis(office.issueP99Ms)} hint={withLimit(ISSUE_P99_MS)} tone={latencyTone(office.issueP99Ms, ISSUE_P99_MS)} />
            </Figures>
            <div class="charts">
              <FamilyChart node={node} families={['http_requests_total']} where='service="passport",route="/v1/' label="route" title={t('passport.chart')} format={perSecond} />
              <FamilyChart
                node={node}
                families={['request_latency_seconds']}
                where='service="passport",route="/v1/passport/issue"'
                label="route"
                suffix=":p95"
                floor={0.01}
                title={t('passport.latency_chart')}
                format={(v) => millis(v === null ? null : v * 1000)}
              />
            </div>
            <div class="columns">
              <Panel title={t('passport.keys')} note={t('passport.keys_note')}>
                <p class={`state tone-${kms[1]}`}>
                  <Icon name={kms[0] as 'ready'} size={16} />
                  <span>{kms[2]}</span>
                </p>
                <dl class="facts">
                  <div>
                    <dt>{t('passport.breaker')}</dt>
                    <dd>{office.kmsBreaker ? word('circuit', office.kmsBreaker) : t('not_reported')}</dd>
                  </div>
                  <div>
                    <dt>{t('passport.epoch')}</dt>
                    <dd>{count(office.epoch)}</dd>
                  </div>
                  <div>
                    <dt>{t('passport.revocations')}</dt>
                    <dd>{count(office.revocations)}</dd>
                  </div>
                  <div>
                    <dt>{t('passport.policy')}</dt>
                    <dd>{count(office.policyVersion)}</dd>
                  </div>
                  <div>
                    <dt>{t('passport.kids')}</dt>
                    <dd>
                      {office.keys.length
                        ? office.keys.map((key) => (
                            <div key={key} class="mono">
                              {clean(key)}
                            </div>
                          ))
                        : t('not_reported')}
                    </dd>
                  </div>
                </dl>
              </Panel>
              <Panel title={t('rejects')} note={t('passport.rejects_note')}>
                {office.rejects.length === 0 ? (
                  <p class="quiet">{t('passport.rejects_none')}</p>
                ) : (
                  <Table
                    caption={t('rejects')}
                    items={office.rejects}
                    id={(line) => line.reason}
                    columns={[
                      { name: t('reason'), cell: (line) => <span class="mono">{clean(line.reason)}</span>, wide: true },
                      { name: t('per_second'), cell: (line) => perSecond(line.perSec), number: true },
                    ]}
                  />
                )}
              </Panel>
            </div>
          </>
        );
      }}
    </ServiceFrame>
  );
}
