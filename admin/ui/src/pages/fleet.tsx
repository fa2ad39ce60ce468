import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { NodeRow } from '../api/types';
import { all, fleetError, loaded, shown, worstFirst } from '../lib/fleet';
import { count, duration, millis, number, percent } from '../lib/format';
import { causeText, clean, t, word } from '../lib/i18n';
import { choose, prefs } from '../lib/prefs';
import { ask, query } from '../lib/router';
import { Choice, Empty, Figure, Figures, Loading, Trouble } from '../parts/basics';
import { Rows } from '../parts/fleet-rows';
import { Icon, stateIcon } from '../parts/icons';
import { Environment, NodeState } from '../parts/state';

const FEW = 2;
const STATES = ['unreachable', 'down', 'not_ready', 'degraded', 'stale', 'unknown', 'draining', 'ready'];

/** All nodes, the worst first: the answer to "is everything well, and if not, why". */
export function Fleet(): JSX.Element {
  useEffect(() => {
    document.title = `${t('nav.fleet')} · RON`;
  });
  if (!loaded.value) {
    return fleetError.value ? <Trouble error={fleetError.value} /> : <Loading lines={6} />;
  }
  if (all.value.length === 0) {
    return <NoNodes />;
  }
  if (query.value.get('wall') === '1') {
    return <Wall />;
  }
  const found = filtered();
  return (
    <>
      <Headline />
      {all.value.length > FEW && <Toolbar found={found.length} />}
      {found.length === 0 ? (
        <Empty icon="search" title={t('fleet.no_match')}>
          <button type="button" class="button" onClick={() => ask({ q: null, state: null, env: null, service: null, version: null })}>
            {t('fleet.clear')}
          </button>
        </Empty>
      ) : all.value.length <= FEW ? (
        found.map((row) => <SpotlightLazy key={row.id} row={row} />)
      ) : (
        <Rows found={found} />
      )}
    </>
  );
}

/** One sentence over everything; as bad as the worst node. */
function Headline(): JSX.Element {
  const nodes = worstFirst.value;
  const worst = nodes[0]!;
  const look = shown(worst);
  const bad = nodes.filter((row) => shown(row).tone !== 'ok');
  const words =
    bad.length === 0
      ? nodes.length === 1
        ? t('fleet.one_ready', clean(worst.displayName))
        : t('fleet.all_ready', nodes.length)
      : nodes.length === 1
        ? t('fleet.one_bad', clean(worst.displayName), word('state', look.state))
        : t('fleet.some_bad', bad.length, nodes.length);
  const cause = worst.causes[0];
  return (
    <div class={`headline tone-${look.tone}`}>
      <Icon name={stateIcon(look.state)} size={36} />
      <div>
        <h1>{words}</h1>
        {bad.length > 0 && cause && <p class="headline-cause">{nodes.length === 1 ? causeText(cause) : `${clean(worst.displayName)}: ${causeText(cause)}`}</p>}
        {bad.length === 0 && (
          <p class="quiet">
            {t(
              'fleet.checked',
              nodes.reduce((n, row) => n + row.planes.total, 0),
            )}
          </p>
        )}
        {nodes.length === 1 && (
          <p class="card-sub">
            <a href={`/nodes/${worst.id}`}>{t('fleet.details')}</a>
            <Environment name={worst.environment} />
            {worst.version && <span>{clean(worst.version)}</span>}
            {worst.uptimeSeconds !== null && <span class="quiet">{t('uptime', duration(worst.uptimeSeconds))}</span>}
          </p>
        )}
      </div>
      {nodes.length === 1 && <RowFigures row={worst} />}
    </div>
  );
}

export function RowFigures({ row }: { row: NodeRow }): JSX.Element {
  return (
    <Figures>
      <Figure label={t('metric.rps')} value={number(row.rps)} />
      <Figure label={t('metric.errors')} value={percent(row.errorRate)} />
      <Figure label="p95" value={millis(row.p95Ms)} />
      <Figure
        label={t('planes.parts')}
        value={row.planes.total === 0 ? '–' : `${count(Math.min(row.planes.ready, row.planes.total - row.planes.failing.length))}/${count(row.planes.total)}`}
      />
    </Figures>
  );
}

function options(of: (row: NodeRow) => string | null): [string, string][] {
  const values = [...new Set(all.value.map(of).filter((v): v is string => v !== null && v !== ''))].sort();
  return values.map((value) => [value, clean(value)]);
}

function Toolbar({ found }: { found: number }): JSX.Element {
  const q = query.value;
  const totals = new Map<string, number>();
  for (const row of all.value) {
    const { state } = shown(row);
    totals.set(state, (totals.get(state) ?? 0) + 1);
  }
  const envs = options((row) => row.environment);
  const services = options((row) => row.service);
  const versions = options((row) => row.version);
  return (
    <div class="toolbar">
      <div class="chips" role="group" aria-label={t('fleet.by_state')}>
        {STATES.filter((state) => totals.has(state) || q.get('state') === state).map((state) => {
          const on = q.get('state') === state;
          const tone = all.value.find((row) => shown(row).state === state);
          return (
            <button key={state} type="button" class={`chip tone-${tone ? shown(tone).tone : 'muted'}`} aria-pressed={on} onClick={() => ask({ state: on ? null : state })}>
              <Icon name={stateIcon(state)} size={16} />
              <span>{word('state', state)}</span>
              <span class="chip-count">{count(totals.get(state) ?? 0)}</span>
            </button>
          );
        })}
      </div>
      <div class="filters">
        <label class="search">
          <span class="visually-hidden">{t('fleet.search')}</span>
          <Icon name="search" size={16} />
          <input type="search" placeholder={t('fleet.search')} value={q.get('q') ?? ''} onInput={(event) => ask({ q: event.currentTarget.value })} />
        </label>
        {envs.length > 1 && (
          <Choice
            label={t('fleet.env')}
            hideLabel
            value={q.get('env') ?? ''}
            options={[['', t('fleet.any_env')], ...envs.map(([v]) => [v, word('env', v)] as [string, string])]}
            choose={(v) => ask({ env: v })}
          />
        )}
        {services.length > 1 && (
          <Choice label={t('fleet.service')} hideLabel value={q.get('service') ?? ''} options={[['', t('fleet.any_service')], ...services]} choose={(v) => ask({ service: v })} />
        )}
        {versions.length > 1 && (
          <Choice label={t('fleet.version')} hideLabel value={q.get('version') ?? ''} options={[['', t('fleet.any_version')], ...versions]} choose={(v) => ask({ version: v })} />
        )}
        <Choice
          label={t('fleet.sort')}
          hideLabel
          value={q.get('sort') ?? ''}
          options={[
            ['', t('fleet.sort.worst')],
            ['name', t('fleet.sort.name')],
            ['rps', t('fleet.sort.rps')],
            ['errors', t('fleet.sort.errors')],
            ['p95', t('fleet.sort.p95')],
          ]}
          choose={(v) => ask({ sort: v })}
        />
        <Choice
          label={t('fleet.view')}
          hideLabel
          value={prefs.value.view ?? (all.value.length > 24 ? 'table' : 'cards')}
          options={[
            ['cards', t('fleet.view.cards')],
            ['table', t('fleet.view.table')],
          ]}
          choose={(view) => choose({ view })}
        />
        <a class="button button-quiet" href="/?wall=1">
          {t('fleet.wall')}
        </a>
      </div>
      <p class="quiet shown-count" role="status">
        {t('fleet.shown', found, all.value.length)}
      </p>
    </div>
  );
}

/** Words that must all be found: in name, id, service, version, cause, or `label:value`. */
function filtered(): NodeRow[] {
  const q = query.value;
  const wanted = (q.get('q') ?? '').toLowerCase().split(/\s+/).filter(Boolean);
  const sort = q.get('sort');
  const hay = (row: NodeRow): string =>
    [row.id, row.displayName, row.service, row.version, row.environment, row.state, ...Object.entries(row.labels).map(([k, v]) => `${k}:${v}`), ...row.causes.map((c) => c.text)]
      .join(' ')
      .toLowerCase();
  const rows = worstFirst.value.filter(
    (row) =>
      (!q.get('state') || shown(row).state === q.get('state')) &&
      (!q.get('env') || row.environment === q.get('env')) &&
      (!q.get('service') || row.service === q.get('service')) &&
      (!q.get('version') || row.version === q.get('version')) &&
      (wanted.length === 0 || wanted.every((part) => hay(row).includes(part))),
  );
  const by = (of: (row: NodeRow) => number | null) => (a: NodeRow, b: NodeRow) => (of(b) ?? -1) - (of(a) ?? -1);
  switch (sort) {
    case 'name':
      return rows.sort((a, b) => a.displayName.localeCompare(b.displayName));
    case 'rps':
      return rows.sort(by((row) => row.rps));
    case 'errors':
      return rows.sort(by((row) => row.errorRate));
    case 'p95':
      return rows.sort(by((row) => row.p95Ms));
    default:
      return rows;
  }
}

/** For a screen on the wall: large, without controls, the worst first. */
function Wall(): JSX.Element {
  return (
    <>
      <Headline />
      <ul class="wall">
        {worstFirst.value.map((row) => {
          const look = shown(row);
          return (
            <li key={row.id} class={`wall-tile edge-${look.tone}`}>
              <p class="wall-name">{clean(row.displayName)}</p>
              <NodeState row={row} />
              {row.causes[0] && look.tone !== 'ok' && <p class="wall-cause">{causeText(row.causes[0])}</p>}
              {row.rps !== null && (
                <p class="wall-figures">
                  {number(row.rps)}/s · {percent(row.errorRate)} · {millis(row.p95Ms)}
                </p>
              )}
            </li>
          );
        })}
      </ul>
      <p class="wall-foot">
        <a href="/">{t('wall.leave')}</a>
      </p>
    </>
  );
}

function NoNodes(): JSX.Element {
  return (
    <Empty icon="fleet" title={t('fleet.empty')}>
      <p>{t('fleet.empty_more')}</p>
      <pre class="sample" tabIndex={0}>
        {'[admin.nodes.eu-1]\nbase_url     = "https://eu-1.internal:8085"\ndisplay_name = "EU 1"\nenvironment  = "prod"'}
      </pre>
    </Empty>
  );
}

/** A small fleet has room to show each node whole; what that takes comes a moment later. */
function SpotlightLazy({ row }: { row: NodeRow }): JSX.Element {
  const [page, setPage] = useState<{ Spotlight: ComponentType<{ row: NodeRow }> } | null>(null);
  useEffect(() => {
    import('./spotlight').then((m) => setPage(m));
  }, []);
  return page ? <page.Spotlight row={row} /> : <Loading lines={8} />;
}
