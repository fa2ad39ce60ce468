import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { NodeRow } from '../api/types';
import { loaded, rows, shown } from '../lib/fleet';
import { duration } from '../lib/format';
import { clean, type Key, t, word } from '../lib/i18n';
import { path } from '../lib/router';
import { Actions } from './actions';
import { Empty, Loading } from './basics';
import { Icon } from './icons';
import { Causes, Environment, NodeState } from './state';

const TABS: [string, Key][] = [
  ['', 'tab.overview'],
  ['/metrics', 'tab.metrics'],
  ['/facets', 'tab.facets'],
  ['/probes', 'tab.probes'],
];

/** What every page of a node begins with: who it is, how it is, and why. */
export function NodeFrame({ id, children }: { id: string; children: (row: NodeRow) => ComponentChildren }): JSX.Element {
  const row = rows.value.get(id);
  useEffect(() => {
    document.title = `${row?.displayName ?? id} · RON`;
  });
  if (!row) {
    return loaded.value ? (
      <Empty icon="search" title={t('node.gone', clean(id))}>
        <p>
          <a href="/">{t('not_found.back')}</a>
        </p>
      </Empty>
    ) : (
      <Loading lines={6} />
    );
  }
  const look = shown(row);
  return (
    <>
      <p class="crumb">
        <a href="/">
          <Icon name="back" size={16} /> {t('nav.fleet')}
        </a>
      </p>
      <header class="page-head">
        <div>
          <h1>{clean(row.displayName)}</h1>
          <p class="card-sub">
            <NodeState row={row} />
            <Environment name={row.environment} />
            {row.amnesia && <span class="tag">{t('amnesia')}</span>}
            {row.insecureHttp && <span class="tag tone-warn">{t('insecure')}</span>}
            <span>{row.service ? clean(row.service) : t('service.unknown')}</span>
            {row.version && <span class="mono">{clean(row.version)}</span>}
            {row.uptimeSeconds !== null && <span class="quiet">{t('uptime', duration(row.uptimeSeconds))}</span>}
            {row.restarts > 0 && <span class="quiet">{t('plane.restarts', row.restarts)}</span>}
          </p>
        </div>
        <Actions row={row} />
      </header>
      {row.causes.length > 0 && (
        <div class={`notice tone-${look.tone}`}>
          <Icon name={look.tone === 'info' ? 'draining' : 'degraded'} />
          <div>
            <p class="notice-title">{t('node.why', word('state', look.state))}</p>
            <Causes causes={row.causes} />
          </div>
        </div>
      )}
      {look.old && <p class="old-line">{t('node.old')}</p>}
      <nav class="tabs" aria-label={t('node.pages', row.displayName)}>
        <ul>
          {TABS.map(([end, name]) => {
            const to = `/nodes/${row.id}${end}`;
            return (
              <li key={to}>
                <a href={to} aria-current={path.value === to ? 'page' : undefined}>
                  {t(name)}
                </a>
              </li>
            );
          })}
        </ul>
      </nav>
      <div class={look.old ? 'is-old' : ''}>{children(row)}</div>
    </>
  );
}
