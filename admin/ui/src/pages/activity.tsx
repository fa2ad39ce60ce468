import type { JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import type { AuditPage, AuditRecord } from '../api/types';
import { get, may, Problem } from '../lib/api';
import { lastAudit } from '../lib/fleet';
import { moment, NONE } from '../lib/format';
import { clean, t, word } from '../lib/i18n';
import { useResource } from '../lib/resource';
import { ask, query } from '../lib/router';
import { Choice, Empty, Loading, Table, Trouble } from '../parts/basics';
import { Icon } from '../parts/icons';

const TONES: Record<string, [string, string]> = {
  ok: ['ready', 'ok'],
  pending: ['stale', 'muted'],
  denied: ['lock', 'warn'],
  error: ['down', 'danger'],
  unknown: ['unknown', 'warn'],
};

/** Who did what, when and why; written before it was done, each line chained to the one before. */
export function Activity(): JSX.Element {
  useEffect(() => {
    document.title = `${t('nav.activity')} · RON`;
  });
  const q = query.value;
  const filter = new URLSearchParams({ limit: '100' });
  for (const key of ['node', 'subject', 'action', 'result']) {
    if (q.get(key)) {
      filter.set(key, q.get(key)!);
    }
  }
  const first = useResource<AuditPage>(may('operator') ? `/api/audit?${filter.toString()}` : null, 30_000);
  const [older, setOlder] = useState<AuditRecord[]>([]);
  const [before, setBefore] = useState<number | null | undefined>(undefined);
  const [trouble, setTrouble] = useState<Problem | null>(null);
  const newest = lastAudit.value;
  useEffect(() => {
    if (newest) {
      first.again();
    }
  }, [newest?.seq]);
  useEffect(() => {
    setOlder([]);
    setBefore(undefined);
  }, [filter.toString()]);

  const head = (
    <header class="page-head">
      <div>
        <h1>{t('nav.activity')}</h1>
        <p class="lead">{t('activity.lead')}</p>
      </div>
    </header>
  );
  if (!may('operator')) {
    return (
      <>
        {head}
        <Empty icon="lock" title={t('activity.role')}>
          <p>{t('role.needs', t('role.operator'))}</p>
        </Empty>
      </>
    );
  }
  if (!first.data) {
    return (
      <>
        {head}
        {first.error ? <Trouble error={first.error} again={first.again} /> : <Loading lines={6} />}
      </>
    );
  }
  const seen = new Set(first.data.records.map((record) => record.seq));
  const records = [...first.data.records, ...older.filter((record) => !seen.has(record.seq))];
  const next = before === undefined ? first.data.nextBefore : before;
  const more = (): void => {
    get<AuditPage>(`/api/audit?${filter.toString()}&before=${next}`).then(
      (page) => {
        setOlder([...older, ...page.records]);
        setBefore(page.nextBefore);
        setTrouble(null);
      },
      (cause) => setTrouble(cause instanceof Problem ? cause : null),
    );
  };
  const chain = first.data.chainOk;
  const filtering = [...filter.keys()].length > 1;
  return (
    <>
      {head}
      {chain ? (
        <p class="chain">
          <span class="state tone-ok">
            <Icon name="ready" size={16} />
            <span>{t('activity.chain_ok')}</span>
          </span>{' '}
          <span class="quiet">{t(first.data.durable ? 'activity.durable' : 'activity.memory')}</span>
        </p>
      ) : (
        <div class="notice tone-danger" role="alert">
          <Icon name="down" />
          <div>
            <p class="notice-title">{t('activity.chain_bad')}</p>
            <p>{clean(first.data.chainCause ?? '')}</p>
          </div>
        </div>
      )}
      <div class="filters">
        <Choice
          label={t('activity.action')}
          value={q.get('action') ?? ''}
          options={[['', t('any')], ...(['reload', 'drain', 'resume', 'shutdown'].map((a) => [a, word('action', a)]) as [string, string][])]}
          choose={(v) => ask({ action: v })}
        />
        <Choice
          label={t('activity.result')}
          value={q.get('result') ?? ''}
          options={[['', t('any')], ...(['ok', 'denied', 'error', 'unknown'].map((r) => [r, word('result', r)]) as [string, string][])]}
          choose={(v) => ask({ result: v })}
        />
        <label class="choice">
          <span>{t('node')}</span>
          <input type="search" value={q.get('node') ?? ''} onChange={(event) => ask({ node: event.currentTarget.value.trim() })} />
        </label>
        <label class="choice">
          <span>{t('activity.who')}</span>
          <input type="search" value={q.get('subject') ?? ''} onChange={(event) => ask({ subject: event.currentTarget.value.trim() })} />
        </label>
        {records.length > 0 && (
          <button type="button" class="button" onClick={() => save(records)}>
            {t('activity.export')}
          </button>
        )}
      </div>
      {(first.error ?? trouble) && <Trouble error={(first.error ?? trouble)!} again={first.again} />}
      {records.length === 0 ? (
        <Empty icon="activity" title={filtering ? t('activity.no_match') : t('activity.none')}>
          <p>{filtering ? '' : t('activity.none_more')}</p>
        </Empty>
      ) : (
        <section class="panel">
          <Table
            caption={t('nav.activity')}
            items={records}
            id={(record) => String(record.seq)}
            columns={[
              { name: '#', cell: (record) => <span class="mono quiet nowrap">#{record.seq}</span> },
              { name: t('time'), cell: (record) => <span class="nowrap">{moment(record.at)}</span> },
              { name: t('activity.who'), cell: (record) => <span class="strong nowrap">{clean(record.subject)}</span> },
              { name: t('activity.action'), cell: (record) => <span class="nowrap">{word('action', record.action)}</span> },
              { name: t('node'), cell: (record) => <a href={`/nodes/${record.nodeId}`}>{clean(record.nodeId)}</a> },
              { name: t('activity.phase'), cell: (record) => word('phase', record.phase) },
              {
                name: t('activity.result'),
                cell: (record) => {
                  const [icon, tone] = TONES[record.result] ?? TONES.unknown!;
                  return (
                    <>
                      <span class={`state tone-${tone}`}>
                        <Icon name={icon as 'ready'} size={16} />
                        <span>{word('result', record.result)}</span>
                      </span>
                      {record.code && <div class="mono quiet">{clean(record.code)}</div>}
                    </>
                  );
                },
              },
              { name: t('activity.reason'), cell: (record) => (record.reason ? clean(record.reason) : <span class="quiet">{NONE}</span>), wide: true },
            ]}
          />
        </section>
      )}
      {next !== null && (
        <p class="more">
          <button type="button" class="button" onClick={more}>
            {t('activity.more')}
          </button>
        </p>
      )}
    </>
  );
}

function save(records: AuditRecord[]): void {
  const link = document.createElement('a');
  link.href = URL.createObjectURL(new Blob([records.map((record) => JSON.stringify(record)).join('\n') + '\n'], { type: 'application/x-ndjson' }));
  link.download = 'ron-audit.jsonl';
  link.click();
  URL.revokeObjectURL(link.href);
}
