import type { JSX } from 'preact';
import { clean, t } from '../lib/i18n';
import { Icon } from './icons';

/** What readiness is made of: what is missing first and in words, then what is met. */
export function ReadyKeys({ keys }: { keys: Record<string, boolean> }): JSX.Element {
  const names = Object.keys(keys).sort();
  const missing = names.filter((key) => !keys[key]);
  const met = names.filter((key) => keys[key]);
  if (names.length === 0) {
    return <p class="quiet">{t('not_reported')}</p>;
  }
  return (
    <>
      {missing.length > 0 && <Keys tone="danger" icon="not_ready" words={t('ready_keys.missing', missing.length, names.length)} keys={missing} />}
      {met.length > 0 && <Keys tone="ok" icon="ready" words={missing.length > 0 ? t('ready_keys.met', met.length) : t('ready_keys.all', met.length)} keys={met} />}
    </>
  );
}

function Keys(props: { tone: string; icon: 'ready' | 'not_ready'; words: string; keys: string[] }): JSX.Element {
  return (
    <div class={`ready-group tone-${props.tone}`}>
      <h3 class="ready-words">{props.words}</h3>
      <ul class="ready-keys">
        {props.keys.map((key) => (
          <li key={key}>
            <Icon name={props.icon} size={16} />
            <span class="mono">{clean(key)}</span>
          </li>
        ))}
      </ul>
    </div>
  );
}
