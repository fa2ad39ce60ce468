import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { NodeDetail, NodeDetailProbe, NodeRow } from '../api/types';
import { get, Problem } from '../lib/api';
import { statusMs } from '../lib/fleet';
import { bytes, count, millis, moment, NONE } from '../lib/format';
import { clean, t, word } from '../lib/i18n';
import { useResource } from '../lib/resource';
import { Copy, Loading, Panel, Rest, Table, Trouble } from '../parts/basics';
import { Icon } from '../parts/icons';
import { NodeFrame } from '../parts/node-frame';
import { ReadyKeys } from '../parts/ready-keys';

export function NodeProbes({ params }: { params: Record<string, string> }): JSX.Element {
  return <NodeFrame id={params.id!}>{(row) => <Probes key={row.id} row={row} />}</NodeFrame>;
}

const FEW_TASKS = 8;

function look(probe: NodeDetailProbe): { state: string; tone: string; words: string } {
  if (probe.ok) {
    return { state: 'ready', tone: 'ok', words: t('probe.ok') };
  }
  if (probe.error === 'absent') {
    return { state: 'unknown', tone: 'muted', words: t('probe.absent') };
  }
  return { state: 'down', tone: 'danger', words: probe.error ? word('fault', probe.error) : t('probe.failed') };
}

interface TaskKind {
  name: string;
  state: string;
  restarts: number;
  count: number;
}

/** Tasks that differ only in their number, such as those of single requests, are told as one line. */
function byKind(tasks: NodeDetail['tasks']): TaskKind[] {
  const kinds = new Map<string, TaskKind>();
  for (const task of tasks) {
    const name = task.name.replace(/-\d+$/, '');
    const kind = kinds.get(`${name} ${task.state}`) ?? { name, state: task.state, restarts: 0, count: 0 };
    kind.restarts += task.restarts;
    kind.count++;
    kinds.set(`${name} ${task.state}`, kind);
  }
  return [...kinds.values()];
}

/** What each endpoint of the node last said, word for word what the state is made of. */
function Probes({ row }: { row: NodeRow }): JSX.Element {
  const cached = useResource<NodeDetail>(`/api/nodes/${row.id}/status?cached=1`, statusMs() / 2);
  const [fresh, setFresh] = useState<{ detail: NodeDetail; at: number } | null>(null);
  const [trouble, setTrouble] = useState<Problem | null>(null);
  const [asking, setAsking] = useState(false);
  const [allTasks, setAllTasks] = useState(false);
  const askNow = (): void => {
    setAsking(true);
    get<NodeDetail>(`/api/nodes/${row.id}/status`)
      .then(
        (detail) => {
          setFresh({ detail, at: Date.now() });
          setTrouble(null);
        },
        (cause) => setTrouble(cause instanceof Problem ? cause : null),
      )
      .finally(() => setAsking(false));
  };
  const detail = fresh && fresh.at > cached.at ? fresh.detail : cached.data;
  if (!detail) {
    return cached.error ? <Trouble error={cached.error} again={cached.again} /> : <Loading lines={6} />;
  }
  const odd = (kind: TaskKind): boolean => kind.state !== 'running' || kind.restarts > 0;
  const tasks = byKind(detail.tasks).sort((a, b) => Number(odd(b)) - Number(odd(a)) || a.name.localeCompare(b.name));
  const someTasks = allTasks ? tasks : tasks.slice(0, Math.max(FEW_TASKS, tasks.filter(odd).length));
  const told = detail.probes.some((probe) => probe.detail);
  return (
    <div class="stack">
      {(trouble ?? cached.error) && <Trouble error={(trouble ?? cached.error)!} again={askNow} />}
      <Panel
        title={t('probes')}
        note={t('probes.note', detail.observedAt ? moment(detail.observedAt) : t('never'))}
        aside={
          <button type="button" class="button" disabled={asking} onClick={askNow}>
            <Icon name="refresh" size={16} /> {asking ? t('probes.asking') : t('probes.ask')}
          </button>
        }
      >
        <Table
          caption={t('probes')}
          items={detail.probes}
          id={(probe) => probe.path}
          columns={[
            { name: t('probe.path'), cell: (probe) => <span class="mono">{clean(probe.path)}</span> },
            {
              name: t('probe.result'),
              cell: (probe) => {
                const { state, tone, words } = look(probe);
                return (
                  <span class={`state tone-${tone}`}>
                    <Icon name={state as 'ready'} size={16} />
                    <span>{words}</span>
                  </span>
                );
              },
            },
            { name: t('probe.status'), cell: (probe) => (probe.status === null ? NONE : String(probe.status)), number: true },
            { name: t('probe.took'), cell: (probe) => (probe.ms !== null && probe.ms < 1 ? `< ${millis(1)}` : millis(probe.ms)), number: true },
            { name: t('probe.size'), cell: (probe) => bytes(probe.bodyBytes), number: true },
            ...(told ? [{ name: t('probe.detail'), cell: (probe: NodeDetailProbe) => (probe.detail ? clean(probe.detail) : <span class="quiet">{NONE}</span>), wide: true }] : []),
            { name: 'curl', cell: (probe) => <Copy text={`curl -si "$NODE${probe.path}"`} label={t('copy')} /> },
          ]}
        />
      </Panel>
      <Panel title={t('ready_keys')} note={t('ready_keys.note')}>
        <ReadyKeys keys={detail.readyKeys} />
      </Panel>
      <Panel title={t('tasks')} note={t('tasks.note')}>
        {detail.tasks.length === 0 ? (
          <p class="quiet">{t('not_reported')}</p>
        ) : (
          <Table
            caption={t('tasks')}
            items={someTasks}
            id={(task) => `${task.name} ${task.state}`}
            columns={[
              { name: t('task'), cell: (task) => <span class="mono">{clean(task.name)}</span>, wide: true },
              { name: t('state'), cell: (task) => clean(task.state) },
              { name: t('tasks.count'), cell: (task) => count(task.count), number: true },
              { name: t('restarts'), cell: (task) => count(task.restarts), number: true },
            ]}
          />
        )}
        {someTasks.length < tasks.length && <Rest text={t('tasks.rest', tasks.length - someTasks.length)} show={() => setAllTasks(true)} />}
      </Panel>
    </div>
  );
}
