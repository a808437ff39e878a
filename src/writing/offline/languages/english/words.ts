import { codeSpan } from '../../code-span.ts';
import { type Named, namesPerList } from '../../statements.ts';

export const code = codeSpan;

/** Somebody's words; quotation marks inside of them step back. */
export const quote = (text: string): string =>
  `“${text.replaceAll('“', '‘').replaceAll('”', '’').replaceAll('„', '‚')}”`;

/** Somebody's words at the end of a sentence, which they may or may not have ended themselves. */
export const lastWords = (text: string): string => `${quote(text)}${/[.!?…。]$/.test(text) ? '' : '.'}`;

export function list(items: string[]): string {
  if (items.length <= 1) return items.join('');
  return `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`;
}

/** The first few of a list, and whether there are others. */
const some = (items: string[], most = namesPerList): string =>
  items.length > most ? `${list(items.slice(0, most))}, among others` : list(items);

export const codes = (names: string[], most?: number): string => some(names.map(code), most);
export const quotes = (texts: string[], most?: number): string => some(texts.map(quote), most);

const number = (count: number): string => count.toLocaleString('en');
export const plural = (count: number, one: string, many = `${one}s`): string =>
  `${number(count)} ${count === 1 ? one : many}`;

/** Enough to know which files are meant. */
const filesNamed = 3;

export function files(paths: string[]): string {
  const more = paths.length - filesNamed;
  const all = paths.slice(0, filesNamed).map(code);
  return more > 0 ? `${all.join(', ')} and ${plural(more, 'more file', 'more files')}` : list(all);
}

export function lines({ additions, deletions }: { additions: number; deletions: number }): string {
  if (additions + deletions === 0) return 'no line of text';
  if (deletions === 0) return `${plural(additions, 'line')} added`;
  if (additions === 0) return `${plural(deletions, 'line')} removed`;
  return `${plural(additions, 'line')} added, ${number(deletions)} removed`;
}

const kinds = {
  function: ['function', 'functions'],
  method: ['method', 'methods'],
  constructor: ['constructor', 'constructors'],
  class: ['class', 'classes'],
  module: ['module', 'modules'],
  type: ['type', 'types'],
  constant: ['constant', 'constants'],
} as const;

/** "the functions `a` and `b` and the type `C`" */
export function things(names: Named[], isPart = false): string {
  const groups = Map.groupBy(names.slice(0, namesPerList), ({ kind }) => kind);
  const parts = [...groups].map(([kind, same]) => {
    const own = same.map(({ name }) => name);
    return `the ${kinds[kind][own.length === 1 ? 0 : 1]} ${codes(own)}`;
  });
  return isPart || names.length > namesPerList ? `${list(parts)}, among others` : list(parts);
}

export const kindOf = (kind: Named['kind']): string => kinds[kind][0];

export const capital = (text: string): string => text.charAt(0).toUpperCase() + text.slice(1);

/** "In `f`, removes …", or "Removes …" where it is in no function. */
export const inside = (symbol: string | null, text: string): string =>
  symbol === null ? capital(text) : `In ${code(symbol)}, ${text}`;
