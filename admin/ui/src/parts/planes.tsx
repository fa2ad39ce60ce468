import type { JSX } from 'preact';
import type { MetricsSummary, NodeDetailPlane } from '../api/types';
import { millis, perSecond } from '../lib/format';
import { clean, t } from '../lib/i18n';
import { Icon, stateIcon } from './icons';
import { planeLook } from './state';

const ORDER = ['gateway', 'edge', 'passport', 'registry', 'admin'];
const place = (name: string): number => (ORDER.includes(name) ? ORDER.indexOf(name) : ORDER.length);

/** The order in which services are always told. */
export const inOrder = (a: string, b: string): number => place(a) - place(b) || a.localeCompare(b);
const RANK = ['ok', 'muted', 'info', 'warn', 'danger'];

type Service = MetricsSummary['services'][number];

/** The services of a node, each with its parts under it, each in words, and with what it does just now. */
export function Planes({ planes, old, services = [] }: { planes: NodeDetailPlane[]; old: boolean; services?: Service[] }): JSX.Element {
  if (planes.length === 0) {
    return <p class="quiet">{t(old ? 'planes.unheard' : 'planes.none')}</p>;
  }
  const names = new Set(planes.map((plane) => plane.name));
  const tops = planes.filter((plane) => !plane.name.includes('.') || !names.has(plane.name.split('.')[0]!));
  tops.sort((a, b) => inOrder(a.name, b.name));
  return (
    <ul class="planes">
      {tops.map((plane) => (
        <Plane
          key={plane.name}
          plane={plane}
          parts={planes.filter((part) => part.name.startsWith(`${plane.name}.`))}
          old={old}
          service={services.find((service) => service.name === plane.name)}
          measured={services.length > 0}
        />
      ))}
    </ul>
  );
}

function Plane(props: { plane: NodeDetailPlane; parts: NodeDetailPlane[]; old: boolean; service: Service | undefined; measured: boolean }): JSX.Element {
  const { plane, parts, old, service } = props;
  const looks = parts.map((part) => ({ part, look: planeLook(part.health, part.ready, old) }));
  const own = planeLook(plane.health, plane.ready, old);
  const worst = looks.reduce((a, { look }) => (RANK.indexOf(look.tone) > RANK.indexOf(a.tone) ? look : a), own);
  // Old news of a part that was well is no complaint of that part.
  const bad = looks.filter(({ part }) => planeLook(part.health, part.ready, false).tone !== 'ok');
  return (
    <li class={`plane tone-${worst.tone}`}>
      <div class="plane-head">
        <Icon name={stateIcon(worst.icon)} size={18} />
        <span class="plane-name">{clean(plane.name)}</span>
      </div>
      <p class="plane-word">{worst.word}</p>
      {plane.notes && <p class="plane-notes">{clean(plane.notes)}</p>}
      {bad.map(({ part, look }) => (
        <p key={part.name} class="plane-notes">
          {clean(part.name.split('.').slice(1).join('.'))}: {look.word}
          {part.notes ? ` – ${clean(part.notes)}` : ''}
        </p>
      ))}
      {parts.length > 0 && bad.length === 0 && <p class="plane-parts">{parts.map((part) => clean(part.name.split('.').slice(1).join('.'))).join(' · ')}</p>}
      {props.measured && (service?.rps ?? null) === null && <p class="plane-work quiet">{t('plane.idle')}</p>}
      {service && service.rps !== null && (
        <p class="plane-work">
          <span>{perSecond(service.rps)}</span>
          {service.p95Ms !== null && (
            <span>
              <span class="quiet">p95</span> {millis(service.p95Ms)}
            </span>
          )}
        </p>
      )}
      {plane.restartCount > 0 && <p class="plane-parts">{t('plane.restarts', plane.restartCount)}</p>}
    </li>
  );
}
