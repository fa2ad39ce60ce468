import type { ComponentChildren, JSX } from 'preact';
import { useEffect } from 'preact/hooks';
import type { Panels } from '../api/types';
import { all, loaded, metricsMs, rows, shown, worstFirst } from '../lib/fleet';
import { clean, t } from '../lib/i18n';
import { useResource } from '../lib/resource';
import { ask, query } from '../lib/router';
import { Age, Choice, Empty, Loading, Trouble } from './basics';
import { NodeState } from './state';

type Part = 'gateway' | 'edge' | 'passport' | 'registry';

/** The pages about one service's subject: which node, how it is, and the subject, or why it is not to be had. */
export function ServiceFrame<P extends Part>(props: { part: P; title: string; lead: string; children: (panel: Panels[P], node: string) => ComponentChildren }): JSX.Element {
  useEffect(() => {
    document.title = `${props.title} · RON`;
  });
  const nodes = [...all.value].sort((a, b) => a.displayName.localeCompare(b.displayName));
  const likely = nodes.find((row) => row.service?.includes(props.part)) ?? nodes.find((row) => !row.service?.startsWith('svc-')) ?? worstFirst.value[0];
  const id = query.value.get('node') ?? likely?.id ?? null;
  const row = id ? rows.value.get(id) : undefined;
  const { data, error, at, again } = useResource<Panels>(row ? `/api/nodes/${row.id}/panels` : null, metricsMs());
  const panel = data?.[props.part];
  return (
    <>
      <header class="page-head">
        <div>
          <h1>{props.title}</h1>
          <p class="lead">{props.lead}</p>
        </div>
        {nodes.length > 1 && row && <Choice label={t('node')} value={row.id} options={nodes.map((one) => [one.id, clean(one.displayName)])} choose={(node) => ask({ node })} />}
      </header>
      {row && (
        <p class="card-sub">
          <a href={`/nodes/${row.id}`}>{clean(row.displayName)}</a>
          <NodeState row={row} />
          {data && <Age ms={0} since={at} old={error !== null} />}
        </p>
      )}
      {error && <Trouble error={error} again={again} />}
      {!row ? (
        loaded.value ? (
          <Empty icon="fleet" title={t('fleet.empty')} />
        ) : (
          <Loading lines={6} />
        )
      ) : !panel ? (
        !error && <Loading lines={6} />
      ) : panel.available ? (
        <div class={`stack ${error || shown(row).old ? 'is-old' : ''}`}>{props.children(panel, row.id)}</div>
      ) : (
        <Empty icon="unknown" title={t('panel.none', props.title)}>
          <p>{panel.cause ? clean(panel.cause) : t('not_reported')}</p>
          {nodes.length > 1 && <p class="quiet">{t('panel.other_node')}</p>}
        </Empty>
      )}
    </>
  );
}
