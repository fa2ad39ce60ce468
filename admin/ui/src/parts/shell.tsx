import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { me, uiConfig } from '../lib/api';
import { now, paused } from '../lib/clock';
import { all, keysState, lastConfig, nextTry, reread, rows, shown, silent, stream, heardAt } from '../lib/fleet';
import { clock, duration } from '../lib/format';
import { clean, type Key, t, word } from '../lib/i18n';
import { helpOpen } from '../lib/keys';
import { path } from '../lib/router';
import { Icon, type IconName } from './icons';

const PLACES: [Key, [string, Key, IconName][]][] = [
  ['nav.group.fleet', [['/', 'nav.fleet', 'fleet']]],
  [
    'nav.group.services',
    [
      ['/tenants', 'nav.tenants', 'tenants'],
      ['/edge', 'nav.edge', 'edge'],
      ['/passport', 'nav.passport', 'passport'],
      ['/registry', 'nav.registry', 'registry'],
    ],
  ],
  [
    'nav.group.console',
    [
      ['/activity', 'nav.activity', 'activity'],
      ['/console', 'nav.console', 'console'],
      ['/settings', 'nav.settings', 'settings'],
    ],
  ],
];

const inside = (place: string): boolean => (place === '/' ? path.value === '/' || path.value.startsWith('/nodes/') : path.value === place);

export function Nav(): JSX.Element {
  const [open, setOpen] = useState(false);
  const here = path.value;
  const button = useRef<HTMLButtonElement>(null);
  useEffect(() => setOpen(false), [here]);
  useEffect(() => {
    if (!open) {
      return undefined;
    }
    const close = (event: KeyboardEvent): void => {
      if (event.key === 'Escape') {
        setOpen(false);
        button.current?.focus();
      }
    };
    document.addEventListener('keydown', close);
    return () => document.removeEventListener('keydown', close);
  }, [open]);
  return (
    <header class={`nav ${open ? 'nav-open' : ''}`}>
      <div class="nav-inner">
        <div class="nav-bar">
          <a class="brand" href="/">
            <Mark />
            <span class="brand-name">RON</span>
            <span class="brand-sub">{uiConfig.value?.instanceName ? clean(uiConfig.value.instanceName) : t('brand.console')}</span>
          </a>
          <Pulse short />
          <button ref={button} type="button" class="button nav-toggle" aria-expanded={open} aria-controls="nav-list" onClick={() => setOpen(!open)}>
            <Icon name={open ? 'close' : 'menu'} />
            <span>{t('nav.menu')}</span>
          </button>
        </div>
        <div class="nav-list" id="nav-list">
          <nav aria-label={t('nav.label')}>
            {PLACES.map(([group, places]) => (
              <div class="nav-group" key={group}>
                <p class="nav-group-name" id={group}>
                  {t(group)}
                </p>
                <ul aria-labelledby={group}>
                  {places.map(([to, name, icon]) => (
                    <li key={to}>
                      <a href={to} aria-current={inside(to) ? 'page' : undefined} class="nav-link">
                        <Icon name={icon} size={18} />
                        <span>{t(name)}</span>
                      </a>
                    </li>
                  ))}
                </ul>
              </div>
            ))}
          </nav>
          <div class="nav-foot">
            <Pulse />
            {me.value && (
              <p class="nav-who">
                <span class="strong">{clean(me.value.displayName)}</span>
                <span class="quiet">{me.value.roles.map((role) => word('role', role)).at(-1) ?? t('role.none')}</span>
              </p>
            )}
            <button type="button" class="button button-quiet button-small" onClick={() => (helpOpen.value = true)}>
              <kbd>?</kbd> {t('help.open')}
            </button>
          </div>
        </div>
      </div>
    </header>
  );
}

export function Mark(): JSX.Element {
  return (
    <svg class="mark" viewBox="0 0 32 32" width="28" height="28" aria-hidden="true" focusable="false">
      <rect width="32" height="32" rx="8" />
      <path d="M8 10h16M8 16h16M8 22h9" />
      <circle cx="23" cy="22" r="2.6" />
    </svg>
  );
}

/** How fresh the page is. */
function Pulse({ short = false }: { short?: boolean }): JSX.Element {
  const ago = Math.max(0, Math.round((now.value - heardAt.value) / 1000));
  const [kind, words]: [string, string] = silent.value
    ? ['danger', t('pulse.silent')]
    : paused.value
      ? ['info', t('pulse.paused')]
      : heardAt.value === 0
        ? ['muted', t('pulse.connecting')]
        : stream.value === 'open'
          ? ['ok', t('pulse.live')]
          : ['warn', t('pulse.polling')];
  return (
    <p class={`pulse tone-${kind} ${short ? 'pulse-short' : ''}`}>
      <span class="pulse-dot" aria-hidden="true" />
      <span>{words}</span>
      {!short && heardAt.value > 0 && <span class="quiet">{t('pulse.heard', ago < 2 ? t('age.now') : t('age.ago', duration(ago)))}</span>}
    </p>
  );
}

/** Lines that concern every page: what is wrong with the console, and what its keeper wants said. */
export function Banners(): JSX.Element {
  const banner = uiConfig.value?.banner;
  const config = lastConfig.value;
  return (
    <div class="banners">
      {silent.value && (
        <div class="banner tone-danger" role="alert">
          <Icon name="down" />
          <p>
            <strong>{t('banner.silent')}</strong> {t('banner.silent_more', heardAt.value ? clock(heardAt.value) : t('never'))}{' '}
            {nextTry.value > now.value && <span>{t('banner.retry', Math.ceil((nextTry.value - now.value) / 1000))}</span>}
          </p>
          <button type="button" class="button" onClick={() => void reread()}>
            {t('try_again')}
          </button>
        </div>
      )}
      {paused.value && (
        <div class="banner tone-info" role="status">
          <Icon name="pause" />
          <p>{t('banner.paused')}</p>
          <button type="button" class="button" onClick={() => (paused.value = false)}>
            {t('banner.resume')}
          </button>
        </div>
      )}
      {config && !config.ok && (
        <div class="banner tone-warn" role="alert">
          <Icon name="degraded" />
          <p>
            <strong>{t('banner.config')}</strong> {config.error ? clean(config.error) : ''}
          </p>
        </div>
      )}
      {keysState.value !== 'fresh' && (
        <div class="banner tone-warn" role="status">
          <Icon name="degraded" />
          <p>{t(keysState.value === 'offline' ? 'banner.keys_offline' : 'banner.keys_unavailable')}</p>
        </div>
      )}
      {banner && (
        <div class={`banner tone-${banner.level}`}>
          <Icon name={banner.level === 'info' ? 'unknown' : 'degraded'} />
          <p>{clean(banner.text)}</p>
        </div>
      )}
    </div>
  );
}

/** Tells a screen reader when a node changes its state; at most one line in five seconds. */
export function LiveRegion(): JSX.Element {
  const [text, setText] = useState('');
  const before = useRef(new Map<string, string>());
  const spoken = useRef(0);
  const fleet = rows.value;
  useEffect(() => {
    const first = before.current.size === 0;
    const changed = all.value.filter((row) => before.current.has(row.id) && before.current.get(row.id) !== shown(row).state);
    before.current = new Map(all.value.map((row) => [row.id, shown(row).state]));
    if (!first && changed.length > 0 && Date.now() - spoken.current > 5000) {
      spoken.current = Date.now();
      setText(
        changed
          .slice(0, 3)
          .map((row) => `${row.displayName}: ${word('state', shown(row).state)}`)
          .join('. '),
      );
    }
  }, [fleet]);
  return (
    <p class="visually-hidden" aria-live="polite" role="status">
      {text}
    </p>
  );
}

const KEYS: [string, Key][] = [
  ['/', 'key.search'],
  ['j  k', 'key.rows'],
  ['Enter', 'key.open'],
  ['g f', 'nav.fleet'],
  ['g t', 'nav.tenants'],
  ['g e', 'nav.edge'],
  ['g p', 'nav.passport'],
  ['g r', 'nav.registry'],
  ['g a', 'nav.activity'],
  ['g c', 'nav.console'],
  ['g s', 'nav.settings'],
  ['p', 'key.pause'],
  ['t', 'key.theme'],
  ['?', 'key.help'],
  ['Esc', 'key.close'],
];

export function Help(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const open = helpOpen.value;
  useEffect(() => {
    if (open && !dialog.current!.open) {
      dialog.current!.showModal();
    } else if (!open) {
      dialog.current!.close();
    }
  }, [open]);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="help-title" onClose={() => (helpOpen.value = false)}>
      {open && (
        <div class="dialog-body">
          <h2 id="help-title">{t('help.title')}</h2>
          <dl class="keys">
            {KEYS.map(([key, name]) => (
              <div key={key}>
                <dt>
                  {key.split(/ +/).map((k) => (
                    <kbd key={k}>{k}</kbd>
                  ))}
                </dt>
                <dd>{t(name)}</dd>
              </div>
            ))}
          </dl>
          <p class="quiet">{t('help.safe')}</p>
          <div class="dialog-foot">
            <button type="button" class="button button-strong" onClick={() => dialog.current!.close()}>
              {t('close')}
            </button>
          </div>
        </div>
      )}
    </dialog>
  );
}
