import type { JSX } from 'preact';
import { useState } from 'preact/hooks';
import type { NodeDetailQueue } from '../api/types';
import { count } from '../lib/format';
import { clean, t } from '../lib/i18n';
import { Meter, Rest, Table } from './basics';

/** How full a bounded queue is: from 50 % on amber, from 90 % on red, always with its numbers. */
function tone(queue: NodeDetailQueue): string {
  const part = queue.capacity ? queue.depth / queue.capacity : 0;
  return part >= 0.9 ? 'danger' : part >= 0.5 ? 'warn' : 'accent';
}

const FEW = 6;

/** Queues that hold or dropped something come first; empty ones wait behind a button where there are many. */
export function Queues({ queues }: { queues: NodeDetailQueue[] }): JSX.Element {
  const [all, setAll] = useState(false);
  if (queues.length === 0) {
    return <p class="quiet">{t('queues.none')}</p>;
  }
  const part = (queue: NodeDetailQueue): number => (queue.capacity ? queue.depth / queue.capacity : 0);
  const sorted = [...queues].sort((a, b) => part(b) - part(a) || (b.droppedTotal ?? 0) - (a.droppedTotal ?? 0) || a.name.localeCompare(b.name));
  const busy = sorted.filter((queue) => queue.depth > 0 || (queue.droppedTotal ?? 0) > 0);
  const shown = all ? sorted : sorted.slice(0, Math.max(FEW, busy.length));
  return (
    <>
      <Table
        caption={t('queues.title')}
        items={shown}
        id={(queue) => queue.name}
        columns={[
          { name: t('queue'), cell: (queue) => <span class="mono">{clean(queue.name)}</span>, wide: true },
          {
            name: t('queue.fill'),
            cell: (queue) => (
              <span class="share share-even">
                {queue.capacity !== null && <Meter value={queue.depth} max={queue.capacity} tone={tone(queue)} label={t('queue.words', queue.depth, queue.capacity)} />}
                <span class="share-words">{queue.capacity === null ? count(queue.depth) : `${count(queue.depth)} / ${count(queue.capacity)}`}</span>
              </span>
            ),
          },
          { name: t('queue.dropped'), cell: (queue) => count(queue.droppedTotal), number: true },
        ]}
      />
      {shown.length < sorted.length && <Rest text={t('queues.rest', sorted.length - shown.length)} show={() => setAll(true)} />}
    </>
  );
}
