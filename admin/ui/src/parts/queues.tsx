import type { JSX } from 'preact';
import type { NodeDetailQueue } from '../api/types';
import { count } from '../lib/format';
import { clean, t } from '../lib/i18n';
import { Meter, Table } from './basics';

/** How full a bounded queue is: from 50 % on amber, from 90 % on red, always with its numbers. */
function tone(queue: NodeDetailQueue): string {
  const part = queue.capacity ? queue.depth / queue.capacity : 0;
  return part >= 0.9 ? 'danger' : part >= 0.5 ? 'warn' : 'accent';
}

export function Queues({ queues }: { queues: NodeDetailQueue[] }): JSX.Element {
  if (queues.length === 0) {
    return <p class="quiet">{t('queues.none')}</p>;
  }
  return (
    <Table
      caption={t('queues.title')}
      items={queues}
      id={(queue) => queue.name}
      columns={[
        { name: t('queue'), cell: (queue) => <span class="mono">{clean(queue.name)}</span>, wide: true },
        {
          name: t('queue.fill'),
          cell: (queue) => (
            <span class="share">
              {queue.capacity !== null && <Meter value={queue.depth} max={queue.capacity} tone={tone(queue)} label={t('queue.words', queue.depth, queue.capacity)} />}
              <span class="share-words">{queue.capacity === null ? count(queue.depth) : `${count(queue.depth)} / ${count(queue.capacity)}`}</span>
            </span>
          ),
        },
        { name: t('queue.dropped'), cell: (queue) => count(queue.droppedTotal), number: true },
      ]}
    />
  );
}
