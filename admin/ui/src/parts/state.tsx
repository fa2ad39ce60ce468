import type { JSX } from 'preact';
import type { Cause, NodeRow } from '../api/types';
import { shown } from '../lib/fleet';
import { causeText, t, word } from '../lib/i18n';
import { Icon, stateIcon } from './icons';

/** A state as icon, word and colour. */
export function State({ state, tone, old = false }: { state: string; tone: string; old?: boolean }): JSX.Element {
  return (
    <span class={`state tone-${tone}`}>
      <Icon name={stateIcon(state)} size={16} />
      <span>{old && state !== 'stale' && state !== 'unreachable' ? t('state.last_known', word('state', state)) : word('state', state)}</span>
    </span>
  );
}

export function NodeState({ row }: { row: NodeRow }): JSX.Element {
  return <State {...shown(row)} />;
}

const HEALTH: Record<string, [string, string]> = { ok: ['ready', 'ok'], degraded: ['degraded', 'warn'], fail: ['down', 'danger'], unknown: ['unknown', 'muted'] };

/** A plane is as green as the worse of its health and its readiness. */
export function planeLook(health: string, ready: boolean, old: boolean): { icon: string; tone: string; word: string } {
  if (old) {
    return { icon: 'stale', tone: 'muted', word: t('plane.last_known', word('health', health)) };
  }
  const [icon, tone] = HEALTH[health] ?? HEALTH.unknown!;
  if (health === 'ok' && !ready) {
    return { icon: 'not_ready', tone: 'warn', word: t('plane.not_ready') };
  }
  return { icon, tone, word: word('health', health) };
}

/** Why something is not green, in words. */
export function Causes({ causes, most = 8 }: { causes: Cause[]; most?: number }): JSX.Element | null {
  if (causes.length === 0) {
    return null;
  }
  return (
    <ul class="causes">
      {causes.slice(0, most).map((cause) => (
        <li key={cause.key + cause.args.join()}>{causeText(cause)}</li>
      ))}
      {causes.length > most && <li class="quiet">{t('causes.more', causes.length - most)}</li>}
    </ul>
  );
}

export function Environment({ name }: { name: string }): JSX.Element {
  return <span class={`tag env-${name}`}>{word('env', name)}</span>;
}
