import type { JSX } from 'preact';
import { useEffect, useRef, useState } from 'preact/hooks';
import type { ActionResult, NodeRow } from '../api/types';
import { may, post, Problem, uiConfig } from '../lib/api';
import { silent } from '../lib/fleet';
import { clean, type Key, t, word } from '../lib/i18n';
import { Environment } from './state';
import { Icon } from './icons';

type Action = 'reload' | 'drain' | 'resume' | 'shutdown';

const ALL: Action[] = ['reload', 'drain', 'resume', 'shutdown'];
const NEEDS: Record<Action, 'operator' | 'admin'> = { reload: 'operator', drain: 'operator', resume: 'operator', shutdown: 'admin' };
const SHORTEST_REASON = 8;
const LONGEST_REASON = 280;

/** What may be done to a node. What the role does not allow is not shown; what the configuration forbids says so. */
export function Actions({ row }: { row: NodeRow }): JSX.Element | null {
  const [asked, setAsked] = useState<Action | null>(null);
  const mine = ALL.filter((action) => may(NEEDS[action]));
  if (mine.length === 0) {
    return null;
  }
  // Resuming is for who drains, draining for who does not; the node would refuse the other.
  const draining = row.state === 'draining';
  const offered = mine.filter((action) => row.actions[action] && (action === 'resume' ? draining : action !== 'drain' || !draining));
  if (offered.length === 0) {
    return (
      <p class="actions-none quiet">
        <Icon name="lock" size={16} /> {uiConfig.value?.readOnly ? t('action.read_only') : t('action.none')}
      </p>
    );
  }
  return (
    <div class="actions" role="group" aria-label={t('actions')}>
      {offered.map((action) => (
        <button key={action} type="button" class={`button ${action === 'shutdown' ? 'button-danger' : ''}`} disabled={silent.value} onClick={() => setAsked(action)}>
          {word('action', action)}…
        </button>
      ))}
      {asked && <ActionDialog row={row} action={asked} done={() => setAsked(null)} />}
    </div>
  );
}

type Step = { kind: 'asking' } | { kind: 'sending' } | { kind: 'answered'; result: ActionResult } | { kind: 'refused'; problem: Problem };

/** Asks for the node's id by hand and for a reason, sends once, and says what became of it. */
function ActionDialog({ row, action, done }: { row: NodeRow; action: Action; done: () => void }): JSX.Element {
  const dialog = useRef<HTMLDialogElement>(null);
  const key = useRef(crypto.randomUUID());
  const [typed, setTyped] = useState('');
  const [reason, setReason] = useState('');
  const [step, setStep] = useState<Step>({ kind: 'asking' });
  const prod = row.environment === 'prod';
  const reasonOk = reason.trim().length === 0 ? !prod : reason.trim().length >= SHORTEST_REASON && reason.trim().length <= LONGEST_REASON;
  const valid = typed === row.id && reasonOk && step.kind === 'asking';

  useEffect(() => {
    const opener = document.activeElement as HTMLElement | null;
    dialog.current!.showModal();
    return () => opener?.focus();
  }, []);

  const send = async (event: Event): Promise<void> => {
    event.preventDefault();
    if (!valid) {
      return;
    }
    setStep({ kind: 'sending' });
    try {
      const body = reason.trim() ? { confirm: typed, reason: reason.trim() } : { confirm: typed };
      setStep({ kind: 'answered', result: await post<ActionResult>(`/api/nodes/${row.id}/${action}`, body, { 'Idempotency-Key': key.current }) });
    } catch (cause) {
      setStep({ kind: 'refused', problem: cause instanceof Problem ? cause : new Problem(0, 'unreadable', String(cause), null, null) });
    }
  };

  return (
    <dialog ref={dialog} class={`dialog ${prod || action === 'shutdown' ? 'dialog-danger' : ''}`} aria-labelledby="action-title" onClose={done}>
      <form class="dialog-body" onSubmit={(event) => void send(event)}>
        <h2 id="action-title">
          {t(`action.title.${action}` as Key, row.displayName)} <Environment name={row.environment} />
        </h2>
        <p>{t(`action.effect.${action}` as Key)}</p>
        {step.kind === 'asking' || step.kind === 'sending' ? (
          <>
            <label class="field">
              <span>
                {t('action.type')} <code>{row.id}</code>
              </span>
              <input
                type="text"
                autocomplete="off"
                autocapitalize="off"
                spellcheck={false}
                value={typed}
                onInput={(event) => setTyped(event.currentTarget.value)}
                disabled={step.kind === 'sending'}
              />
            </label>
            <label class="field">
              <span>{prod ? t('action.reason_needed') : t('action.reason')}</span>
              <textarea
                rows={2}
                maxLength={LONGEST_REASON}
                value={reason}
                onInput={(event) => setReason(event.currentTarget.value)}
                disabled={step.kind === 'sending'}
                aria-describedby="reason-hint"
              />
              <span id="reason-hint" class="quiet">
                {t('action.reason_hint', SHORTEST_REASON, LONGEST_REASON)}
              </span>
            </label>
          </>
        ) : (
          <Outcome step={step} />
        )}
        <div class="dialog-foot">
          <button type="button" class="button" onClick={() => dialog.current!.close()}>
            {step.kind === 'answered' || step.kind === 'refused' ? t('close') : t('cancel')}
          </button>
          {(step.kind === 'asking' || step.kind === 'sending') && (
            <button type="submit" class={`button button-strong ${action === 'shutdown' ? 'button-danger' : ''}`} disabled={!valid}>
              {step.kind === 'sending' ? t('action.sending') : word('action', action)}
            </button>
          )}
        </div>
      </form>
    </dialog>
  );
}

function Outcome({ step }: { step: Step }): JSX.Element | null {
  if (step.kind === 'answered') {
    const { result } = step;
    const tone = result.outcome === 'ok' ? 'ok' : result.outcome === 'unknown' ? 'warn' : 'danger';
    return (
      <div class={`notice tone-${tone}`} role="status">
        <Icon name={tone === 'ok' ? 'ready' : tone === 'warn' ? 'unknown' : 'down'} />
        <div>
          <p class="notice-title">{word('outcome', result.outcome)}</p>
          {result.message && <p>{clean(result.message)}</p>}
          <p class="quiet">{t('action.audit', result.auditSeq)}</p>
        </div>
      </div>
    );
  }
  if (step.kind === 'refused') {
    const { problem } = step;
    // No answer to an action means that nobody here knows whether the node acted; it is never sent again by itself.
    const unknown = problem.silent || problem.status === 502 || problem.status === 504;
    return (
      <div class="notice tone-danger" role="alert">
        <Icon name={unknown ? 'unknown' : 'down'} />
        <div>
          <p class="notice-title">{unknown ? t('outcome.unknown') : t('action.refused', problem.reason)}</p>
          <p>{problem.silent ? t('action.unknown_more') : clean(problem.detail)}</p>
          {problem.retryAfter && <p>{t('action.wait', problem.retryAfter)}</p>}
          {problem.corrId && <p class="quiet mono">{problem.corrId}</p>}
        </div>
      </div>
    );
  }
  return null;
}
