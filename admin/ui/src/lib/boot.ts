import { effect, signal } from '@preact/signals';
import type { Me, UiConfig } from '../api/types';
import { get, me, Problem, signInNeeded, uiConfig } from './api';
import { defaultLanguage } from './i18n';
import { defaultTheme } from './prefs';

/** Why the page could not begin; it tries again by itself. */
export const bootProblem = signal<Problem | null>(null);

/** Reads what is needed before anything else, and goes on trying where the console does not answer. */
export async function boot(attempt = 0): Promise<void> {
  try {
    const [config, person] = await Promise.allSettled([get<UiConfig>('/api/ui-config'), get<Me>('/api/me')]);
    if (config.status === 'rejected') {
      throw config.reason;
    }
    uiConfig.value = config.value;
    defaultTheme.value = config.value.defaultTheme;
    defaultLanguage.value = config.value.defaultLanguage;
    if (person.status === 'rejected') {
      throw person.reason;
    }
    me.value = person.value;
    bootProblem.value = null;
    signInNeeded.value = false;
  } catch (cause) {
    const problem = cause instanceof Problem ? cause : new Problem(0, 'unreadable', String(cause), null, null);
    bootProblem.value = problem;
    if (problem.status !== 401 && problem.status !== 403) {
      setTimeout(() => void boot(attempt + 1), 1000 * (problem.retryAfter ?? Math.min(30, 2 ** attempt)));
    }
  }
}

effect(() => {
  const name = uiConfig.value?.instanceName;
  document.documentElement.dataset.instance = name ?? '';
});
