import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { ConsoleView, Reloaded } from '../api/types';
import { may, post, Problem } from '../lib/api';
import { bytes, count, duration, moment } from '../lib/format';
import { clean, t, word } from '../lib/i18n';
import { now } from '../lib/clock';
import { useResource } from '../lib/resource';
import { Empty, Figure, Figures, Loading, Panel, Trouble } from '../parts/basics';
import { Queues } from '../parts/queues';
import { ReadyKeys } from '../parts/ready-keys';

/** The console about itself: one that watches others must not hide its own state. */
export function Console(): JSX.Element {
  useEffect(() => {
    document.title = `${t('nav.console')} · RON`;
  });
  const { data, error, again } = useResource<ConsoleView>(may('operator') ? '/api/console' : null, 5000);
  const [said, setSaid] = useState<string | null>(null);
  const head = (
    <header class="page-head">
      <div>
        <h1>{t('nav.console')}</h1>
        <p class="lead">{t('console.lead')}</p>
      </div>
      {may('admin') && data && (
        <button
          type="button"
          class="button"
          onClick={() =>
            void post<Reloaded>('/api/console/reload', {}).then(
              (answer) => setSaid(answer?.message ?? t('console.reload_sent')),
              (cause) => setSaid(cause instanceof Problem ? cause.detail : String(cause)),
            )
          }
        >
          {t('console.reload')}
        </button>
      )}
    </header>
  );
  if (!may('operator')) {
    return (
      <>
        {head}
        <Empty icon="lock" title={t('console.role')}>
          <p>{t('role.needs', t('role.operator'))}</p>
        </Empty>
      </>
    );
  }
  if (!data) {
    return (
      <>
        {head}
        {error ? <Trouble error={error} again={again} /> : <Loading lines={6} />}
      </>
    );
  }
  return (
    <>
      {head}
      {error && <Trouble error={error} again={again} />}
      {said && (
        <p class="notice tone-info" role="status">
          {clean(said)}
        </p>
      )}
      <div class={`stack ${error ? 'is-old' : ''}`}>
        <Figures>
          <Figure
            label={t('console.samplers')}
            value={count(data.samplers.alive)}
            hint={t('console.lagging', data.samplers.lagging)}
            tone={data.samplers.lagging > 0 ? 'warn' : undefined}
          />
          <Figure
            label={t('console.streams')}
            value={`${count(data.streams.open)} / ${count(data.streams.limit)}`}
            hint={data.streams.lagged > 0 ? t('console.lagged', data.streams.lagged) : undefined}
          />
          <Figure
            label={t('console.heap')}
            value={bytes(data.heapBytes)}
            hint={t('console.heap_of', bytes(data.heapMaxBytes))}
            tone={data.heapBytes > 0.9 * data.heapMaxBytes ? 'warn' : undefined}
          />
          <Figure label={t('console.rings')} value={bytes(data.ringBytes)} />
          <Figure label={t('console.up')} value={duration((now.value - Date.parse(data.startedAt)) / 1000)} />
          <Figure label={t('about.version')} value={clean(data.version)} />
        </Figures>
        <div class="columns">
          <Panel title={t('ready_keys')} note={t('console.keys_note')}>
            <ReadyKeys keys={data.readiness} />
          </Panel>
          <Panel title={t('console.config')}>
            <dl class="facts">
              <div>
                <dt>{t('about.config')}</dt>
                <dd>{t('console.config_version', data.config.version)}</dd>
              </div>
              <div>
                <dt>{t('console.last_reload')}</dt>
                <dd>{data.config.lastOutcome ? clean(data.config.lastOutcome) : t('console.no_reload')}</dd>
              </div>
              {data.config.lastError && (
                <div>
                  <dt>{t('console.last_error')}</dt>
                  <dd class="tone-danger">{clean(data.config.lastError)}</dd>
                </div>
              )}
              <div>
                <dt>{t('console.started')}</dt>
                <dd>{moment(data.startedAt)}</dd>
              </div>
              <div>
                <dt>{t('console.issuer')}</dt>
                <dd>
                  {data.keySet
                    ? `${word('keys', data.keySet.state)} · ${t('console.keys', data.keySet.keys)}${data.keySet.ageSeconds === null ? '' : ` · ${t('age.ago', duration(data.keySet.ageSeconds))}`}`
                    : t('console.no_issuer')}
                </dd>
              </div>
            </dl>
          </Panel>
          <Panel title={t('queues.title')} note={t('queues.note')}>
            <Queues queues={data.queues} />
          </Panel>
        </div>
      </div>
    </>
  );
}
