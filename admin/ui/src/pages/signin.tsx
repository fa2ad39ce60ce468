import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import { post, Problem, signInNeeded, uiConfig } from '../lib/api';
import { boot } from '../lib/boot';
import { clean, t, word } from '../lib/i18n';
import { go, path } from '../lib/router';
import { Command } from '../parts/basics';
import { Icon } from '../parts/icons';
import { Mark } from '../parts/shell';

/** The way in: a link where the console has one, else a field for a passport token. */
export function SignInPage(): JSX.Element {
  useEffect(() => {
    document.title = `${t('signin')} · RON`;
  });
  return (
    <div class="signin panel">
      <p class="signin-brand">
        <Mark />
        <span class="brand-name">RON</span>
        <span class="brand-sub">{uiConfig.value?.instanceName ? clean(uiConfig.value.instanceName) : t('brand.console')}</span>
      </p>
      <h1>{t('signin')}</h1>
      <SignIn />
    </div>
  );
}

/** The same over a page whose identity ended, so that the page stays. */
export function SignInDialog(): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  useEffect(() => dialog.current!.showModal(), []);
  return (
    <dialog ref={dialog} class="dialog" aria-labelledby="signin-title" onClose={() => (signInNeeded.value = false)}>
      <div class="dialog-body">
        <h2 id="signin-title">{t('signin.again')}</h2>
        <SignIn />
      </div>
    </dialog>
  );
}

function SignIn(): JSX.Element {
  const config = uiConfig.value;
  const [token, setToken] = useState('');
  const [problem, setProblem] = useState<Problem | null>(null);
  const [busy, setBusy] = useState(false);
  if (!config) {
    return <p>{t('loading')}</p>;
  }
  const send = (event: Event): void => {
    event.preventDefault();
    setBusy(true);
    post('/api/session', { token: token.trim() })
      .then(
        async () => {
          setToken('');
          setProblem(null);
          await boot();
          if (path.value === '/signin') {
            go('/');
          }
        },
        (cause) => setProblem(cause instanceof Problem ? cause : null),
      )
      .finally(() => setBusy(false));
  };
  return (
    <>
      <p>{word('signin.mode', config.authMode)}</p>
      {problem && (
        <div class="notice tone-danger" role="alert">
          <Icon name="down" />
          <p>{problem.status === 429 ? t('signin.slow', problem.retryAfter ?? 60) : clean(problem.detail)}</p>
        </div>
      )}
      {config.loginUrl ? (
        <p>
          <a class="button button-strong" href={config.loginUrl} target="_self">
            {t('signin.go')}
          </a>
        </p>
      ) : config.authMode === 'passport' ? (
        <form onSubmit={send}>
          <label class="field">
            <span>{t('signin.token')}</span>
            <input type="password" autocomplete="off" value={token} onInput={(event) => setToken(event.currentTarget.value)} />
            <span class="quiet">{t('signin.hint')}</span>
          </label>
          <button type="submit" class="button button-strong" disabled={busy || token.trim() === ''}>
            {t('signin.do')}
          </button>
          <p class="field quiet">{t('signin.make')}</p>
          <Command text="./ron token issue --audience svc-admin --scope admin:operator" />
        </form>
      ) : (
        <p>
          <a href="/">{t('not_found.back')}</a>
        </p>
      )}
    </>
  );
}
