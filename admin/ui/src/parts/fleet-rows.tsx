import type { JSX } from 'preact';
import { useMemo, useState } from 'preact/hooks';
import type { NodeRow } from '../api/types';
import { all, shown, statusAge } from '../lib/fleet';
import { duration, millis, number, percent } from '../lib/format';
import { causeText, clean, t } from '../lib/i18n';
import { prefs } from '../lib/prefs';
import { Environment, NodeState } from './state';
import { Spark } from './spark';

const STEP = 60;

/** The version most nodes of a service run; the odd one out is marked. */
function usualVersions(): Map<string, string> {
  const counts = new Map<string, Map<string, number>>();
  for (const row of all.value) {
    const of = counts.get(row.service ?? '') ?? new Map<string, number>();
    if (row.version) {
      of.set(row.version, (of.get(row.version) ?? 0) + 1);
    }
    counts.set(row.service ?? '', of);
  }
  const usual = new Map<string, string>();
  for (const [service, of] of counts) {
    const [first, second] = [...of].sort((a, b) => b[1] - a[1]);
    if (first && first[1] > (second?.[1] ?? 0)) {
      usual.set(service, first[0]);
    }
  }
  return usual;
}

function Version({ row, usual }: { row: NodeRow; usual: Map<string, string> }): JSX.Element {
  const odd = row.version !== null && (usual.get(row.service ?? '') ?? row.version) !== row.version;
  return (
    <span class="version">
      {row.version ? clean(row.version) : <span class="quiet">–</span>}
      {odd && <span class="tag tone-warn">{t('fleet.odd_version')}</span>}
    </span>
  );
}

/** The nodes that were found, as cards or, where they are many, as a table. */
export function Rows({ found }: { found: NodeRow[] }): JSX.Element {
  const [most, setMost] = useState(STEP);
  const usual = useMemo(usualVersions, [all.value]);
  const view = prefs.value.view ?? (all.value.length > 24 ? 'table' : 'cards');
  const some = found.slice(0, most);
  return (
    <>
      {view === 'table' ? (
        <Dense rows={some} usual={usual} />
      ) : (
        <ul class="cards">
          {some.map((row) => (
            <Card key={row.id} row={row} usual={usual} />
          ))}
        </ul>
      )}
      {found.length > some.length && (
        <p class="more">
          <button type="button" class="button" onClick={() => setMost(most + STEP)}>
            {t('fleet.more', Math.min(STEP, found.length - some.length))}
          </button>
        </p>
      )}
    </>
  );
}

function PlaneCount({ row }: { row: NodeRow }): JSX.Element {
  if (row.planes.total === 0) {
    return <span class="quiet">{t('planes.none_short')}</span>;
  }
  return <span>{t('planes.count', row.planes.total, row.planes.ready)}</span>;
}

function Fresh({ row }: { row: NodeRow }): JSX.Element {
  const age = statusAge(row);
  return <span class="quiet">{age === null ? t('age.never') : age < 2000 ? t('age.now') : t('age.ago', duration(age / 1000))}</span>;
}

function Card({ row, usual }: { row: NodeRow; usual: Map<string, string> }): JSX.Element {
  const look = shown(row);
  return (
    <li class={`card edge-${look.tone}`} data-row>
      <div class="card-head">
        <a class="card-name" href={`/nodes/${row.id}`}>
          {clean(row.displayName)}
        </a>
        <NodeState row={row} />
      </div>
      <p class="card-sub">
        <span>{row.service ? clean(row.service) : t('service.unknown')}</span>
        {row.version !== null && <Version row={row} usual={usual} />}
        <Environment name={row.environment} />
        {row.amnesia && <span class="tag">{t('amnesia')}</span>}
      </p>
      {row.causes[0] && look.tone !== 'ok' ? (
        <p class={`card-cause tone-${look.tone}`}>{causeText(row.causes[0])}</p>
      ) : (
        <p class="card-cause quiet">
          <PlaneCount row={row} />
        </p>
      )}
      <div class="card-spark">
        {row.metrics === 'fresh' ? (
          <Spark values={row.spark} height={36} />
        ) : (
          <p class="quiet">{t(row.metrics === 'disabled' ? 'metrics.disabled' : row.metrics === 'stale' ? 'metrics.stale_short' : 'metrics.unavailable')}</p>
        )}
      </div>
      <dl class="card-figures">
        <div>
          <dt>{t('metric.rps')}</dt>
          <dd>{number(row.rps)}</dd>
        </div>
        <div>
          <dt>{t('metric.errors')}</dt>
          <dd>{percent(row.errorRate)}</dd>
        </div>
        <div>
          <dt>p95</dt>
          <dd>{millis(row.p95Ms)}</dd>
        </div>
      </dl>
      <p class="card-foot">
        <span class="quiet">{t('card.checked')}</span> <Fresh row={row} />
        {row.restarts > 0 && <span class="quiet">· {t('plane.restarts', row.restarts)}</span>}
      </p>
    </li>
  );
}

function Dense({ rows, usual }: { rows: NodeRow[]; usual: Map<string, string> }): JSX.Element {
  return (
    <div class="table-frame panel">
      <table class="table table-fleet">
        <caption class="visually-hidden">{t('nav.fleet')}</caption>
        <thead>
          <tr>
            <th scope="col">{t('node')}</th>
            <th scope="col">{t('state')}</th>
            <th scope="col">{t('why')}</th>
            <th scope="col">{t('fleet.version')}</th>
            <th scope="col" class="num">
              {t('planes')}
            </th>
            <th scope="col" class="num">
              {t('metric.rps')}
            </th>
            <th scope="col" class="num">
              {t('metric.errors')}
            </th>
            <th scope="col" class="num">
              p95
            </th>
            <th scope="col">{t('fleet.trend')}</th>
          </tr>
        </thead>
        <tbody>
          {rows.map((row) => (
            <tr key={row.id} data-row>
              <th scope="row">
                <a href={`/nodes/${row.id}`}>{clean(row.displayName)}</a> <Environment name={row.environment} />
              </th>
              <td data-name={t('state')}>
                <NodeState row={row} />
              </td>
              <td data-name={t('why')} class="why">
                {row.causes[0] ? causeText(row.causes[0]) : <span class="quiet">{row.service ? clean(row.service) : ''}</span>}
              </td>
              <td data-name={t('fleet.version')}>
                <Version row={row} usual={usual} />
              </td>
              <td data-name={t('planes')} class="num">
                {row.planes.total === 0 ? '–' : `${row.planes.ready}/${row.planes.total}`}
              </td>
              <td data-name={t('metric.rps')} class="num">
                {number(row.rps)}
              </td>
              <td data-name={t('metric.errors')} class="num">
                {percent(row.errorRate)}
              </td>
              <td data-name="p95" class="num">
                {millis(row.p95Ms)}
              </td>
              <td data-name={t('fleet.trend')}>
                <Spark values={row.spark} height={22} />
              </td>
            </tr>
          ))}
        </tbody>
      </table>
    </div>
  );
}
