import type { JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import { me, remove, uiConfig } from '../lib/api';
import { moment } from '../lib/format';
import { clean, defaultLanguageName, t, word } from '../lib/i18n';
import { chosenTheme, choose, prefs } from '../lib/prefs';
import { Panel } from '../parts/basics';

/** How the pages look to this person, and who this person is to the console. */
export function Settings(): JSX.Element {
  useEffect(() => {
    document.title = `${t('nav.settings')} · RON`;
  });
  const person = me.value;
  const config = uiConfig.value;
  const themes = (config?.availableThemes.length ? config.availableThemes : ['system', 'light', 'dark', 'contrast']).map((theme): [string, string] => [
    theme,
    word('theme', theme),
  ]);
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{t('nav.settings')}</h1>
          <p class="lead">{t('settings.lead')}</p>
        </div>
      </header>
      <div class="columns">
        <Panel title={t('settings.look')}>
          <Radios name="theme" label={t('settings.theme')} value={chosenTheme()} options={themes} choose={(theme) => choose({ theme: theme as 'dark' })} />
          <Radios
            name="density"
            label={t('settings.density')}
            value={prefs.value.density ?? 'calm'}
            options={[
              ['calm', t('density.calm')],
              ['compact', t('density.compact')],
            ]}
            choose={(density) => choose({ density: density as 'calm' })}
          />
        </Panel>
        <Panel title={t('settings.words')}>
          <Radios
            name="lang"
            label={t('settings.language')}
            value={defaultLanguageName()}
            options={[
              ['en-US', 'English'],
              ['es-ES', 'Español'],
            ]}
            choose={(lang) => choose({ lang: lang as 'en-US' })}
          />
          <Radios
            name="zone"
            label={t('settings.zone')}
            value={prefs.value.zone ?? 'local'}
            options={[
              ['local', t('zone.local', Intl.DateTimeFormat().resolvedOptions().timeZone)],
              ['utc', 'UTC'],
            ]}
            choose={(zone) => choose({ zone: zone as 'utc' })}
          />
        </Panel>
        <Panel title={t('settings.you')}>
          {person && (
            <dl class="facts">
              <div>
                <dt>{t('settings.name')}</dt>
                <dd>{clean(person.displayName)}</dd>
              </div>
              <div>
                <dt>{t('settings.subject')}</dt>
                <dd class="mono">{clean(person.subject)}</dd>
              </div>
              <div>
                <dt>{t('settings.roles')}</dt>
                <dd>{person.roles.length ? person.roles.map((role) => word('role', role)).join(', ') : t('role.none')}</dd>
              </div>
              {person.groups.length > 0 && (
                <div>
                  <dt>{t('settings.groups')}</dt>
                  <dd>{person.groups.map(clean).join(', ')}</dd>
                </div>
              )}
              <div>
                <dt>{t('settings.mode')}</dt>
                <dd>{word('auth', person.authMode)}</dd>
              </div>
              <div>
                <dt>{t('settings.expires')}</dt>
                <dd>{person.expiresAt ? moment(person.expiresAt) : t('settings.no_expiry')}</dd>
              </div>
            </dl>
          )}
          {person?.authMode === 'passport' && (
            <button type="button" class="button" onClick={() => void remove('/api/session').finally(() => location.assign('/signin'))}>
              {t('settings.sign_out')}
            </button>
          )}
        </Panel>
        <Panel title={t('settings.this_console')}>
          {config && (
            <dl class="facts">
              <div>
                <dt>{t('about.version')}</dt>
                <dd>{clean(config.version)}</dd>
              </div>
              <div>
                <dt>{t('settings.window')}</dt>
                <dd>{t('settings.window_words', config.windowSeconds / 60, config.poll.metricsMs / 1000)}</dd>
              </div>
              <div>
                <dt>{t('settings.status_every')}</dt>
                <dd>{t('settings.seconds', config.poll.statusMs / 1000)}</dd>
              </div>
              <div>
                <dt>{t('actions')}</dt>
                <dd>
                  {config.readOnly
                    ? t('action.read_only')
                    : (['reload', 'drain', 'shutdown'] as const)
                        .filter((action) => config.actions[action])
                        .map((action) => word('action', action))
                        .join(', ') || t('action.none')}
                </dd>
              </div>
            </dl>
          )}
        </Panel>
      </div>
    </>
  );
}

function Radios(props: { name: string; label: string; value: string; options: [string, string][]; choose: (value: string) => void }): JSX.Element {
  return (
    <fieldset class="radios">
      <legend>{props.label}</legend>
      <div class="radios-row">
        {props.options.map(([value, name]) => (
          <label key={value} class="radio">
            <input type="radio" name={props.name} value={value} checked={props.value === value} onChange={() => props.choose(value)} />
            <span>{name}</span>
          </label>
        ))}
      </div>
    </fieldset>
  );
}
