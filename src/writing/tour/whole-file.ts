import type { FileFacts } from '../../reading/facts.ts';
import { plainText } from '../plain-text.ts';
import type { Caption } from './captions/caption.ts';

const mostNames = 5;

/** What a file hands over without a name of its own says nothing of it. */
const isNameless = /^(?:(?:module\.)?exports|default)$/;

const declaredIn = (file: FileFacts, change: 'added' | 'removed') => {
  const own = file.symbols.filter(
    (symbol) => symbol.change === change && symbol.container === null && !isNameless.test(symbol.name),
  );
  const open = own.filter(({ isPublic }) => isPublic);
  const names = [...new Set((open.length > 0 ? open : own).map(({ name }) => name))];
  return { names: names.slice(0, mostNames), hasMore: names.length > mostNames };
};

/** What can be said of a file as a whole, what says most first; nothing where that does not say it. */
export function captionsOfWhole(file: FileFacts): Caption[] {
  const whole = wholeFile(file);
  if (whole?.kind === 'newFile') {
    const origins = whole.from === null ? [null] : [whole.from, null];
    return origins.flatMap((from) => [
      { ...whole, from },
      { ...whole, from, doc: null },
      { ...whole, from, names: [], doc: null },
    ]);
  }
  if (whole?.kind === 'removedFile') return [whole, { ...whole, names: [] }];
  return whole ? [whole] : [];
}

function wholeFile(file: FileFacts): Caption | null {
  const { path, previousPath, status, kind, isSubmodule, becameExecutable, changes } = file;
  if (isSubmodule) return { kind: 'otherFile', path, status: 'submodule' };
  if (kind === 'lock' || kind === 'generated' || kind === 'vendored') return { kind: 'unread', what: kind };
  if (kind === 'binary') return { kind: 'otherFile', path, status: 'binary' };
  if (status === 'added')
    return { kind: 'newFile', path, ...declaredIn(file, 'added'), doc: docOf(file), from: originOf(file) };
  if (status === 'removed') return { kind: 'removedFile', path, ...declaredIn(file, 'removed') };
  if (changes.length > 0) return null;
  if (status === 'renamed' && previousPath !== null) return { kind: 'renamedFile', path, from: previousPath };
  if (becameExecutable !== null)
    return { kind: 'otherFile', path, status: becameExecutable ? 'executable' : 'notExecutable' };
  return null;
}

/** The file from which most came that moved here. */
function originOf({ path, changes }: FileFacts): string | null {
  const from = changes.flatMap(({ kind, counterpart }) =>
    kind === 'moved' && counterpart !== null && counterpart.fileName !== path ? counterpart.fileName : [],
  );
  const byFile = [...Map.groupBy(from, (one) => one)];
  return byFile.sort(([, one], [, other]) => other.length - one.length)[0]?.[0] ?? null;
}

/** What the comment of the only thing says that a file defines. */
function docOf({ symbols }: FileFacts): string | null {
  const outer = symbols.filter(({ container, change }) => container === null && change === 'added');
  const [only] = outer;
  return outer.length === 1 ? wholeSentence(only?.explanation ?? null) : null;
}

/** A sentence of a comment as the end of one of ours; half of one says too little. */
export const wholeSentence = (text: string | null): string | null =>
  text !== null && /[.!?。！？]$/.test(text) ? plainText(text) : null;
