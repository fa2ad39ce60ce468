import type { ComponentType, JSX } from 'preact';
import { useEffect, useState } from 'preact/hooks';
import { me, signInNeeded, uiConfig } from './lib/api';
import { bootProblem } from './lib/boot';
import { match, path, query, visits } from './lib/router';
import { t } from './lib/i18n';
import './lib/keys';
import { Fleet } from './pages/fleet';
import { Empty, Loading, Trouble } from './parts/basics';
import { Banners, Help, LiveRegion, Nav } from './parts/shell';

type Page = ComponentType<{ params: Record<string, string> }>;

/** Pages other than the first come when they are asked for. */
const ROUTES: [string, () => Promise<Page>][] = [
  ['/nodes/:id', () => import('./pages/node').then((m) => m.NodeOverview)],
  ['/nodes/:id/metrics', () => import('./pages/node-metrics').then((m) => m.NodeMetrics)],
  ['/nodes/:id/facets', () => import('./pages/node-facets').then((m) => m.NodeFacets)],
  ['/nodes/:id/probes', () => import('./pages/node-probes').then((m) => m.NodeProbes)],
  ['/tenants', () => import('./pages/tenants').then((m) => m.Tenants)],
  ['/edge', () => import('./pages/edge').then((m) => m.Edge)],
  ['/passport', () => import('./pages/passport').then((m) => m.Passport)],
  ['/registry', () => import('./pages/registry').then((m) => m.Registry)],
  ['/activity', () => import('./pages/activity').then((m) => m.Activity)],
  ['/settings', () => import('./pages/settings').then((m) => m.Settings)],
  ['/console', () => import('./pages/console').then((m) => m.Console)],
  ['/signin', () => import('./pages/signin').then((m) => m.SignInPage)],
];

export function App(): JSX.Element {
  const wall = query.value.get('wall') === '1' && path.value === '/';
  const outside = path.value === '/signin' || (bootProblem.value?.status === 401 && !me.value);
  useFocus();
  return (
    <div class={`shell ${wall ? 'shell-wall' : outside ? 'shell-plain' : ''}`}>
      <a class="skip" href="#main">
        {t('skip')}
      </a>
      {!wall && !outside && <Nav />}
      <div class="stage">
        <Banners />
        <main id="main" tabIndex={-1}>
          <Content />
        </main>
      </div>
      <LiveRegion />
      <Help />
      {signInNeeded.value && me.value && path.value !== '/signin' && <SignInLazy />}
    </div>
  );
}

/** After a change of page the focus goes to its heading, as it would with pages that load. */
function useFocus(): void {
  const visit = visits.value;
  useEffect(() => {
    if (visit > 0) {
      document.getElementById('main')?.focus({ preventScroll: true });
    }
  }, [visit]);
}

function Content(): JSX.Element {
  const problem = bootProblem.value;
  if (path.value === '/signin' || problem?.status === 401) {
    return <Lazy key="/signin" load={ROUTES.at(-1)![1]} params={{}} />;
  }
  if (problem?.status === 403) {
    return (
      <Empty icon="lock" title={t('no_role')}>
        <p>{problem.detail}</p>
        {uiConfig.value?.authMode === 'passport' && (
          <p>
            <a href="/signin">{t('signin.other')}</a>
          </p>
        )}
      </Empty>
    );
  }
  if (!me.value) {
    return problem ? <Trouble error={problem} /> : <Loading lines={6} />;
  }
  if (path.value === '/') {
    return <Fleet />;
  }
  for (const [pattern, load] of ROUTES) {
    const params = match(pattern, path.value);
    if (params) {
      return <Lazy key={pattern} load={load} params={params} />;
    }
  }
  return (
    <Empty icon="search" title={t('not_found')}>
      <p>
        <a href="/">{t('not_found.back')}</a>
      </p>
    </Empty>
  );
}

function SignInLazy(): JSX.Element {
  return <Lazy load={() => import('./pages/signin').then((m) => m.SignInDialog)} params={{}} />;
}

function Lazy({ load, params }: { load: () => Promise<Page>; params: Record<string, string> }): JSX.Element {
  const [page, setPage] = useState<{ Page: Page } | null>(null);
  const [failed, setFailed] = useState(false);
  useEffect(() => {
    load().then(
      (loaded) => setPage({ Page: loaded }),
      () => setFailed(true),
    );
  }, []);
  if (failed) {
    return (
      <Empty icon="degraded" title={t('page.failed')}>
        <p>{t('page.failed_more', uiConfig.value?.version ?? '')}</p>
        <button type="button" class="button" onClick={() => location.reload()}>
          {t('page.reload')}
        </button>
      </Empty>
    );
  }
  return page ? <page.Page params={params} /> : <Loading lines={6} />;
}
