import { codeSpan } from './code-span.ts';

/** A part of a sentence in each language. */
interface Phrase<Parameters extends unknown[]> {
  en: (...parameters: Parameters) => string;
  ja: (...parameters: Parameters) => string;
}

/** Who does something, where that is known. */
export const subject: Phrase<[name: string | null, verb: string]> = {
  en: (name, verb) =>
    name === null ? verb.charAt(0).toUpperCase() + verb.slice(1) : `${codeSpan(name)} ${verb}`,
  ja: (name, particle) => (name === null ? '' : `${codeSpan(name)} ${particle}`),
};

/** What holds in some place. */
export const inside: Phrase<[name: string | null, text: string]> = {
  en: (name, text) =>
    name === null ? text.charAt(0).toUpperCase() + text.slice(1) : `In ${codeSpan(name)}, ${text}`,
  ja: (name, text) => `${name === null ? '' : `${codeSpan(name)} で、`}${text}`,
};

/** What is written in words, as sections and many tests are called, stands in quotation marks; a name in the code as code. */
const isWords = (name: string): boolean => /\s/.test(name) && !/[“”「」`]/.test(name);

export const called: Phrase<[name: string]> = {
  en: (name) => (isWords(name) ? `“${name}”` : codeSpan(name)),
  ja: (name) => (isWords(name) ? `「${name}」` : codeSpan(name)),
};

/** Several things in one sentence. */
export const list: Phrase<[items: string[]]> = {
  en: (items) => (items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`),
  ja: (items) => items.join('、'),
};

/** Names, and whether there are more of them. */
export const listed: Phrase<[names: string[], hasMore?: boolean]> = {
  en: (names, hasMore = false) =>
    hasMore ? `${names.map(codeSpan).join(', ')} and more` : list.en(names.map(codeSpan)),
  ja: (names, hasMore = false) => `${list.ja(names.map(codeSpan))}${hasMore ? 'ほか' : ''}`,
};

/** What one thing became. */
export const turn = ({ from, to }: { from: string; to: string }): string =>
  `${codeSpan(from)} → ${codeSpan(to)}`;

/** Several lists in one sentence, each behind its label; empty ones are left out. */
export function parts(end: '. ' | '。', groups: [items: string[], label: string][]): string {
  const said = groups
    .filter(([items]) => items.length > 0)
    .map(([items, label]) => `${label}${items.join(end === '。' ? '、' : ', ')}`);
  return `${said.join(end)}${end.trim()}`;
}
