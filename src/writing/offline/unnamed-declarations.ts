import { type FileDiff, linesOf } from '../../reading/file-diff.ts';
import type { Named } from './statements.ts';

const modifiers =
  'export|default|pub(?:\\([^)]*\\))?|public|private|protected|internal|static|async|override|abstract|final|sealed|suspend|inline|local|unsafe|virtual';
const types = 'class|struct|enum|trait|interface|module|object|record|protocol|contract|library';
const functions = 'function|fn|func|fun|def|defp|defmacro|proc|template|macro|sub|method|modifier|event';
const part = '[\\p{L}_$][\\p{L}\\p{N}_$?!]*(?:-[\\p{L}\\p{N}]+)*';

/** What follows a name that is declared. */
const behind = '(?=\\s*(?:[({:<=;,*\\[]|$|->|(?:extends|implements|inherits|is|where|do)\\b))';
const byKeyword = new RegExp(
  `^\\s*((?:(?:${modifiers})\\s+)*)(${types}|${functions})\\s+(?:self\\.|\\([^()]*\\)\\s*)?((?:${part}[.:]+)*${part})${behind}`,
  'u',
);
/** As shells, R and JavaScript do without a word for it. */
const byForm = new RegExp(
  `^\\s*()(?:(${part})\\s*\\(\\)\\s*\\{|([\\p{L}_$.][\\p{L}\\p{N}_$.]*)\\s*(?:<-|=)\\s*(?:async\\s+)?function\\b|(?:export\\s+)?(?:const|let|var)\\s+(${part})\\s*=\\s*(?:async\\s+)?(?:\\([^()]*\\)|[\\w$]+)\\s*=>)`,
  'u',
);

interface Declared {
  name: string;
  /** Whether it is a type; a function otherwise. */
  isType: boolean;
  /** What it says of who may use it. */
  visibility: string;
  indent: number;
}

const lastOf = (name: string): string => name.split(/[.:#]+/).at(-1) ?? name;
const visible = /\b(?:export|pub|public|private|protected|internal|local)\b/;
const isTypeWord = new RegExp(`^(?:${types})$`);

function declaredIn(text: string): Declared[] {
  const indent = text.search(/\S/);
  const [, before = '', word = '', named] = byKeyword.exec(text) ?? [];
  const name =
    named ??
    byForm
      .exec(text)
      ?.slice(2)
      .find((one) => one !== undefined);
  if (name === undefined) return [];
  const visibility = visible.exec(before)?.[0] ?? (/^_/.test(lastOf(name)) ? 'private' : '');
  return [{ name: lastOf(name), isType: isTypeWord.test(word), visibility, indent }];
}

const typeKinds = new Set<Named['kind']>(['class', 'module', 'type']);

/**
 * Whether a file declares something newly, or no longer, beside these, of their kind and no further in than they stand, and
 * apart from those of which something else is known. In a language in which none of these is found in this way, nothing is.
 */
export function declaresMore(
  diff: FileDiff | undefined,
  side: 'added' | 'removed',
  names: Pick<Named, 'kind' | 'name'>[],
  apart: Pick<Named, 'name'>[],
): boolean {
  const lines = (diff?.hunks ?? []).flatMap(linesOf);
  const found = lines.map((line) => ({ line, declared: declaredIn(line.text) }));
  const others = new Set([
    ...found.flatMap(({ line, declared }) => (line.side === side ? [] : declared.map(({ name }) => name))),
    ...apart.map(({ name }) => lastOf(name)),
  ]);
  const own = found.flatMap(({ line, declared }) => (line.side === side ? declared : []));
  const told = new Set(names.map(({ name }) => lastOf(name)));
  const named = own.filter(({ name }) => told.has(name));
  const deepest = Math.max(0, ...named.map(({ indent }) => indent));
  const isAlike = (one: Declared): boolean =>
    names.some(({ kind }) => kind !== 'constant' && typeKinds.has(kind) === one.isType) &&
    named.some(({ visibility }) => visibility === one.visibility);
  return own.some(
    (one) => !told.has(one.name) && one.indent <= deepest && !others.has(one.name) && isAlike(one),
  );
}
