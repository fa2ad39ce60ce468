import type { ComponentChildren, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { Problem } from '../lib/api';
import { duration, millis, NONE } from '../lib/format';
import { t } from '../lib/i18n';
import { now } from '../lib/clock';
import { Icon, type IconName } from './icons';

/** A box with a heading; `aside` stands at its right. */
export function Panel(props: { title: string; note?: ComponentChildren; aside?: ComponentChildren; children: ComponentChildren; class?: string; old?: boolean }): JSX.Element {
  return (
    <section class={`panel ${props.class ?? ''} ${props.old ? 'is-old' : ''}`}>
      <header class="panel-head">
        <div>
          <h2>{props.title}</h2>
          {props.note && <p class="note">{props.note}</p>}
        </div>
        {props.aside && <div class="panel-aside">{props.aside}</div>}
      </header>
      {props.children}
    </section>
  );
}

/** One number with its name; `hint` says what it means. */
export function Figure(props: { label: string; value: string; hint?: string; tone?: string; big?: boolean }): JSX.Element {
  return (
    <div class={`figure ${props.big ? 'figure-big' : ''} ${props.tone ? `tone-${props.tone}` : ''}`}>
      <dt>{props.label}</dt>
      <dd>
        <span class={`figure-value ${props.value === NONE ? 'figure-none' : ''}`}>{props.value}</span>
        {props.value === NONE ? <span class="figure-hint">{t('figure.none')}</span> : props.hint && <span class="figure-hint">{props.hint}</span>}
      </dd>
    </div>
  );
}

export function Figures({ children }: { children: ComponentChildren }): JSX.Element {
  return <dl class="figures">{children}</dl>;
}

/** Says that there is nothing, why, and what to do. */
export function Empty(props: { icon?: IconName; title: string; children?: ComponentChildren }): JSX.Element {
  return (
    <div class="empty">
      <Icon name={props.icon ?? 'unknown'} size={28} />
      <p class="empty-title">{props.title}</p>
      {props.children && <div class="empty-body">{props.children}</div>}
    </div>
  );
}

/** Room for what is to come; it shows after a moment, so that a quick answer does not flicker. */
export function Loading({ lines = 3 }: { lines?: number }): JSX.Element {
  return (
    <div class="skeleton" role="status">
      <span class="visually-hidden">{t('loading')}</span>
      {Array.from({ length: lines }, (_, i) => (
        <span key={i} />
      ))}
    </div>
  );
}

/** Why an answer is missing; what is on the page stays and is said to be old. */
export function Trouble({ error, again }: { error: Problem; again?: () => void }): JSX.Element {
  const title = error.silent
    ? t('trouble.silent')
    : error.status === 403
      ? t('trouble.forbidden')
      : error.status === 404
        ? t('trouble.not_found')
        : t('trouble.status', String(error.status));
  return (
    <div class="notice tone-warn" role="alert">
      <Icon name="degraded" />
      <div>
        <p class="notice-title">{title}</p>
        <p>{error.silent ? t('trouble.silent_more') : error.detail}</p>
        {error.corrId && <p class="quiet mono">{error.corrId}</p>}
      </div>
      {again && (
        <button type="button" class="button" onClick={again}>
          {t('try_again')}
        </button>
      )}
    </div>
  );
}

/** How old something is, counted on while we look. */
export function Age({ ms, since, old }: { ms: number | null; since: number; old?: boolean }): JSX.Element {
  const age = ms === null ? null : ms + Math.max(0, now.value - since);
  return (
    <span class={`age ${old ? 'tone-warn' : ''}`} title={t('age.title')}>
      {age === null ? t('age.never') : age < 1500 ? t('age.now') : t('age.ago', duration(age / 1000))}
    </span>
  );
}

export function Copy({ text, label }: { text: string; label?: string }): JSX.Element {
  const [state, setState] = useState<'no' | 'yes' | 'failed'>('no');
  useEffect(() => {
    const timer = state === 'no' ? 0 : window.setTimeout(() => setState('no'), 2000);
    return () => clearTimeout(timer);
  }, [state]);
  const copy = (): void => {
    navigator.clipboard.writeText(text).then(
      () => setState('yes'),
      () => setState('failed'),
    );
  };
  return (
    <button type="button" class="button button-quiet" onClick={copy}>
      <Icon name={state === 'yes' ? 'check' : 'copy'} size={16} />
      <span aria-live="polite">{state === 'yes' ? t('copied') : state === 'failed' ? t('copy.failed') : (label ?? t('copy'))}</span>
    </button>
  );
}

/** A command to paste. */
export function Command({ text }: { text: string }): JSX.Element {
  return (
    <div class="command">
      <code tabIndex={0}>{text.split(' ').flatMap((word, i) => [i > 0 ? ' ' : '', <span key={i}>{word}</span>])}</code>
      <Copy text={text} />
    </div>
  );
}

/** A filled part of a whole with its words; never colour alone. */
export function Meter(props: { value: number; max: number; label: string; tone?: string; mark?: number | null }): JSX.Element {
  const part = props.max > 0 ? Math.min(1, Math.max(0, props.value / props.max)) : 0;
  return (
    <span class={`meter tone-${props.tone ?? 'accent'}`} role="img" aria-label={props.label}>
      <svg viewBox="0 0 100 8" preserveAspectRatio="none" aria-hidden="true">
        <rect class="meter-track" width="100" height="8" />
        <rect class="meter-fill" width={part * 100} height="8" />
        {props.mark !== undefined && props.mark !== null && <rect class="meter-mark" x={Math.min(99, Math.max(0, (props.mark / props.max) * 100 - 0.5))} width="1" height="8" />}
      </svg>
    </span>
  );
}

export interface Column<T> {
  name: string;
  cell: (item: T) => ComponentChildren;
  number?: boolean;
  /** The first column names the row. */
  wide?: boolean;
}

/** A table that becomes a list of cards where the screen is narrow. */
export function Table<T>(props: { caption: string; columns: Column<T>[]; items: T[]; id: (item: T) => string; tone?: (item: T) => string | undefined }): JSX.Element {
  return (
    <div class="table-frame">
      <table class="table">
        <caption class="visually-hidden">{props.caption}</caption>
        <thead>
          <tr>
            {props.columns.map((column) => (
              <th key={column.name} scope="col" class={column.number ? 'num' : ''}>
                {column.name}
              </th>
            ))}
          </tr>
        </thead>
        <tbody>
          {props.items.map((item) => (
            <tr key={props.id(item)} class={props.tone?.(item) ? `row-${props.tone(item)}` : ''}>
              {props.columns.map((column, i) =>
                i === 0 ? (
                  <th key={column.name} scope="row" class={column.wide ? 'wide' : ''}>
                    {column.cell(item)}
                  </th>
                ) : (
                  <td key={column.name} data-name={column.name} class={`${column.number ? 'num' : ''} ${column.wide ? 'wide' : ''}`}>
                    {column.cell(item)}
                  </td>
                ),
              )}
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}

export function Choice<T extends string>(props: { label: string; value: T; options: [T, string][]; choose: (value: T) => void; hideLabel?: boolean }): JSX.Element {
  return (
    <label class="choice">
      <span class={props.hideLabel ? 'visually-hidden' : ''}>{props.label}</span>
      <select value={props.value} onChange={(event) => props.choose(event.currentTarget.value as T)}>
        {props.options.map(([value, name]) => (
          <option key={value} value={value} selected={value === props.value}>
            {name}
          </option>
        ))}
      </select>
    </label>
  );
}

export const latencyTone = (p99: number | null, limit: number): string | undefined => (p99 !== null && p99 > limit ? 'warn' : undefined);
export const withLimit = (limit: number): string => t('slo.limit', millis(limit));

/** Says what is left out, and brings it. */
export function Rest({ text, show }: { text: string; show: () => void }): JSX.Element {
  return (
    <p class="rest">
      <span class="quiet">{text}</span>
      <button type="button" class="button button-quiet button-small" onClick={show}>
        {t('show_all')}
      </button>
    </p>
  );
}
