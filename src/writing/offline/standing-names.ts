import type { FileFacts, SymbolChange } from '../../reading/facts.ts';
import { type FileDiff, linesOf } from '../../reading/file-diff.ts';

/**
 * Whether something of the same name stands where this comes or goes: then nobody can tell from a diff that it is new, or
 * gone. It may be one of several that share a name, a part of a class that other files hold, or a method of another type.
 */
export type IsElsewhere = (symbol: SymbolChange) => boolean;

/** What the lines of code say by which names, apart from where these come or go. */
interface Names {
  /** On lines that stay, and in headings of hunks. */
  kept: NamesOfOne;
  removed: NamesOfOne;
  added: NamesOfOne;
}

interface NamesOfOne {
  all: Set<string>;
  /** With a bracket behind them: declared as a function, or called. */
  called: Set<string>;
}

/** A larger change was made by a program, and what it declares is not told by names. */
const mostBytes = 4_000_000;

export function findStandingNames(files: FileFacts[], diff: FileDiff[]): IsElsewhere {
  const changed = (change: SymbolChange['change']) =>
    new Set(
      files.flatMap(({ symbols }) => symbols.flatMap((one) => (one.change === change ? [one.name] : []))),
    );
  const [added, removed, renamed] = [changed('added'), changed('removed'), changed('renamed')];
  let names: Names | undefined;
  const routes = movesOf(files);
  return ({ kind, change, name, movedFrom, movedTo }) => {
    if (change === 'moved' && movedFrom?.fileName !== movedTo?.fileName)
      return (routes.get(name)?.size ?? 0) > 1 || added.has(name) || removed.has(name);
    if (change !== 'added' && change !== 'removed') return false;
    if (change === 'added' && (removed.has(name) || (kind === 'constructor' && renamed.has(name))))
      return true;
    // Who loses a constructor may have others, which the diff need not show.
    if (change === 'removed' && (kind === 'constructor' || added.has(name))) return true;
    names ??= collectNames(files, diff);
    const last = name.split(/[.:#]+/).at(-1) ?? name;
    const which = ['function', 'method', 'constructor'].includes(kind) ? 'called' : 'all';
    return names.kept[which].has(last) || names[change === 'added' ? 'removed' : 'added'][which].has(last);
  };
}

/** From where to where what has a name moves: where that is not one way, none of them can be told. */
function movesOf(files: FileFacts[]): Map<string, Set<string>> {
  const routes = new Map<string, Set<string>>();
  for (const { change, name, movedFrom, movedTo } of files.flatMap(({ symbols }) => symbols)) {
    if (change !== 'moved') continue;
    const known = routes.get(name) ?? new Set();
    routes.set(name, known.add(`${movedFrom?.fileName} ${movedTo?.fileName}`));
  }
  return routes;
}

function collectNames(files: FileFacts[], diff: FileDiff[]): Names {
  const none = (): NamesOfOne => ({ all: new Set(), called: new Set() });
  const names: Names = { kept: none(), removed: none(), added: none() };
  if (diff.reduce((sum, { bytes }) => sum + bytes.length, 0) > mostBytes) return names;
  const code = new Set(
    files.filter(({ kind }) => kind === 'source' || kind === 'test').map(({ path }) => path),
  );
  for (const hunk of diff.filter(({ path }) => code.has(path)).flatMap(({ hunks }) => hunks)) {
    collect(hunk.heading ?? '', names.kept);
    for (const { side, text } of linesOf(hunk)) collect(text, names[side === 'context' ? 'kept' : side]);
  }
  return names;
}

const remark = /^\s*(?:\/\/|\/?\*|#(?!\[)|--|;;)/;

function collect(text: string, { all, called }: NamesOfOne): void {
  if (remark.test(text)) return;
  for (const [, name = '', behind] of text.matchAll(/([\p{L}_$][\p{L}\p{N}_$]*[?!]?)(\s*[(<])?/gu)) {
    all.add(name);
    if (behind !== undefined) called.add(name);
  }
}
