import { effect, signal } from '@preact/signals';
import type { Cause } from '../api/types';
import { en } from '../i18n/en';
import { prefs } from './prefs';

export type Key = keyof typeof en;
export type Dictionary = Record<Key, string>;

export const defaultLanguage = signal('en-US');
const dictionary = signal<{ lang: string; words: Dictionary }>({ lang: 'en-US', words: en });
let plural = new Intl.PluralRules('en-US');

export const language = (): string => dictionary.value.lang;

effect(() => {
  const wanted = prefs.value.lang ?? defaultLanguage.value;
  if (wanted.startsWith('es')) {
    void import('../i18n/es').then(({ es }) => use('es-ES', es));
  } else {
    use('en-US', en);
  }
});

function use(lang: string, words: Dictionary): void {
  plural = new Intl.PluralRules(lang);
  dictionary.value = { lang, words };
  document.documentElement.lang = lang.slice(0, 2);
}

/** The text of a key; `one|many` is chosen by the first argument, `{0}` stands for it. */
export function t(key: Key, ...args: (string | number)[]): string {
  return fill(dictionary.value.words[key], args);
}

function fill(text: string, args: (string | number)[]): string {
  const forms = text.split('|');
  const form = forms.length > 1 && plural.select(Number(args[0])) !== 'one' ? forms[1]! : forms[0]!;
  return form.replace(/\{(\d)\}/g, (_, i: string) => {
    const arg = args[Number(i)];
    return typeof arg === 'number' ? arg.toLocaleString(dictionary.value.lang) : (arg ?? '');
  });
}

/** A word the server sent (a state, a health, a fault), in the language of the page; unknown words stay as they are. */
export function word(group: string, value: string): string {
  const key = `${group}.${value}`;
  return key in en ? t(key as Key) : clean(value);
}

/** A cause in the language of the page; the server's own English sentence where there is no other. */
export function causeText(cause: Cause): string {
  const key = `cause.${cause.key}`;
  if (!language().startsWith('en') && key in en) {
    const args = cause.key === 'probe.failed' ? [cause.args[0] ?? '', word('fault', cause.args[1] ?? ''), cause.args[2] ?? ''] : cause.args;
    return clean(t(key as Key, ...args));
  }
  return clean(cause.text);
}

/** Makes control and direction characters visible, so that a name cannot disguise itself. */
export function clean(text: string): string {
  return text.replace(/[\u0000-\u001f\u007f-\u009f\u200b-\u200f\u202a-\u202e\u2066-\u2069\ufeff]/g, (c) => `\\u${c.charCodeAt(0).toString(16).padStart(4, '0')}`);
}

/** The language in use, also while its words are on their way. */
export const defaultLanguageName = (): string => prefs.value.lang ?? defaultLanguage.value;
