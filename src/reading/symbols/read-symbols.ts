import { detachText } from '../detach-text.ts';
import type { SignatureEdit, SymbolChange, Transition } from '../facts.ts';
import type { FileDiff } from '../file-diff.ts';
import type { HunkLines } from '../hunk-lines.ts';
import type { WholeDiff } from '../whole-diff.ts';
import { compareSignatures, concernsCallers } from './compare-signatures.ts';
import type { Confirmed } from './confirm.ts';
import type { Declaration } from './find-declarations.ts';
import type { Grammars } from './grammar.ts';
import type { Happening } from './happening.ts';
import { HeaderParser } from './header-parser.ts';
import type { SymbolKind } from './language-rules.ts';
import { matchSightings } from './match-sightings.ts';
import { type HunkReading, readHunk, type Sighting } from './read-hunk.ts';
import { rulesFor } from './rules-for.ts';
import { shortenSignature } from './shorten-signature.ts';

// A larger diff of one file is a generated or bundled one; and half of it would show what moved as removed.
const mostBytes = 512 * 1024;

const strength: Record<SymbolChange['change'], number> = {
  renamed: 5,
  moved: 5,
  removed: 4,
  added: 4,
  signatureChanged: 3,
  wrapped: 2,
  bodyChanged: 1,
};

/** Something that came to a file or left it, as far as the file itself shows: another one may have the other half. */
export interface LooseSymbol {
  change: SymbolChange;
  confirmed: Confirmed;
  body: string;
  /** Its first line, the run of changed lines that this is in, and how deep it stands. */
  line: string;
  run: number;
  indent: number;
  /** The changed line that it stands inside of; null where that stayed, or is not there. */
  around: string | null;
}

export interface FileSymbols {
  changes: SymbolChange[];
  loose: LooseSymbol[];
}

interface Source {
  hunks: HunkLines[];
  language: string | null;
  grammars: Grammars;
  whole: WholeDiff;
}

/** What happened to the functions, methods, classes, types and constants of a file. */
export function readSymbols(file: FileDiff, { hunks, language, grammars, whole }: Source): FileSymbols {
  const rules = rulesFor(file.path, language);
  if (!rules || file.isBinary || file.isSubmodule || file.bytes.length > mostBytes)
    return { changes: [], loose: [] };
  const grammar = rules.grammar && grammars.get(rules.grammar);
  const parser = grammar ? new HeaderParser(grammar) : null;
  const readings: HunkReading[] = [];
  for (const [index, lines] of hunks.entries()) {
    const reading = readHunk(lines, index, rules, parser);
    if (!reading) return { changes: [], loose: [] };
    readings.push(reading);
  }
  const all = strongest(matchSightings(readings, whole)).map((happening) => ({
    happening,
    change: describe(happening, file.path, language),
  }));
  const isRenamed = file.status === 'renamed' ? ofRenamedFile(all.map(({ change }) => change)) : () => false;
  // What is declared on both sides changed places with another, and kept its name.
  const isTraded = ({ change, before }: Happening): boolean =>
    change === 'renamed' && whole.standsOnBoth(before?.line?.text ?? '');
  const found = all.filter(({ change, happening }) => !isRenamed(change) && !isTraded(happening));
  const fresh = new Set(
    found.filter(({ change }) => change.change === 'added').map(({ change }) => change.name),
  );
  // What now only names a new one keeps its value, for those who know it by its old name.
  for (const { change } of found) if (change.value && fresh.has(change.value.to)) change.value = null;
  found.sort((one, other) => one.change.evidence.startLine - other.change.evidence.startLine);
  return {
    changes: found.map(({ change }) => change),
    loose: found
      .filter(({ change }) => change.change === 'added' || change.change === 'removed')
      .map(({ change, happening }) => looseOf(change, happening.at)),
  };
}

/** Of a file with another name, the one class that comes is the one that goes, whatever else is different in it. */
function ofRenamedFile(changes: SymbolChange[]): (change: SymbolChange) => boolean {
  const types = (wanted: SymbolChange['change']): SymbolChange[] =>
    changes.filter(
      ({ change, kind, container }) =>
        change === wanted && container === null && (kind === 'class' || kind === 'type' || kind === 'module'),
    );
  const [come, gone] = [types('added'), types('removed')];
  return (change) => come.length === 1 && gone.length === 1 && (come[0] === change || gone[0] === change);
}

/** Copies that stand alone, because they are kept until all files are read. */
function looseOf(change: SymbolChange, { confirmed, body, line, around }: Sighting): LooseSymbol {
  return {
    change,
    confirmed,
    body,
    line: detachText(line?.text ?? ''),
    run: line?.run ?? 0,
    indent: line?.indent ?? 0,
    around: around?.isChanged ? detachText(around.text) : null,
  };
}

/** Each declaration once, with the most that is known of it. */
function strongest(happenings: Happening[]): Happening[] {
  // A heading is taken from the file as it was: what it names may be gone by now, or have another name.
  const gone = new Set<string>();
  const renamed = new Map<string, string>();
  for (const { change, before, after } of happenings) {
    if (!before || (change !== 'renamed' && change !== 'removed')) continue;
    gone.add(before.declaration.key);
    if (before.declaration.container === null) {
      renamed.set(before.declaration.found.name, after ? after.declaration.found.name : '');
    }
  }
  const best = new Map<string, Happening>();
  for (const happening of happenings) {
    const { declaration } = happening.at;
    if (!isWorthTelling(happening)) continue;
    if (happening.change === 'bodyChanged' && gone.has(declaration.key)) continue;
    if (happening.change !== 'removed' && declaration.container !== null) {
      const container = renamed.get(declaration.container);
      if (container === '') continue;
      if (container !== undefined) declaration.container = container;
    }
    const known = best.get(declaration.key);
    if (!known || strength[happening.change] > strength[known.change]) best.set(declaration.key, happening);
  }
  return [...best.values()];
}

/** A constant that nobody else can use is a detail of the code around it. */
function isWorthTelling({ before, after }: Happening): boolean {
  return [before, after].some(
    (sighting) => sighting && (sighting.confirmed.kind !== 'constant' || sighting.declaration.isPublic),
  );
}

function describe(happening: Happening, fileName: string, language: string | null): SymbolChange {
  const { change, before, after, at, isEdited = false, wrapper = null } = happening;
  const { declaration, confirmed, evidence } = at;
  const edits = signatureEditsOf(happening, language);
  const isBodyOnly = change === 'bodyChanged' || change === 'wrapped';
  const from = isBodyOnly || !before ? null : before.confirmed.signature;
  const to = isBodyOnly || !after ? null : after.confirmed.signature;
  return {
    kind: kindOf(confirmed, declaration, language),
    name: detachText(declaration.found.name),
    container: declaration.container === null ? null : detachText(declaration.container),
    change,
    previousName: change === 'renamed' && before ? detachText(before.declaration.found.name) : null,
    movedFrom: change === 'moved' && before ? { fileName, ...before.evidence } : null,
    movedTo: change === 'moved' ? { fileName, ...evidence } : null,
    isEdited,
    wrapper: wrapper === null ? null : detachText(wrapper),
    signature: to === null ? null : detachText(shortenSignature(to, from)),
    previousSignature: from === null ? null : detachText(shortenSignature(from, to)),
    signatureEdits: edits ?? [],
    concernsCallers: change === 'signatureChanged' && (edits === null || concernsCallers(edits, language)),
    value: valueIn(happening),
    isPublic: declaration.isPublic,
    explanation: null,
    evidence: { fileName, ...evidence },
  };
}

/** What it is called in its language. */
function kindOf(
  { kind, signature }: Confirmed,
  { found: { name }, container }: Declaration,
  language: string | null,
): SymbolKind {
  if (kind === 'method' && (name === container || isTypeless(signature, name))) return 'constructor';
  const isModule = (language === 'Elixir' && kind === 'class') || (language === 'Ruby' && kind === 'type');
  return isModule ? 'module' : kind;
}

/** Null where signatures cannot be read by their parameters. */
function signatureEditsOf(
  { change, before, after }: Happening,
  language: string | null,
): SignatureEdit[] | null {
  if (change !== 'signatureChanged' || !before || !after) return [];
  const signatureOf = ({ confirmed, declaration }: Sighting) => ({
    signature: confirmed.signature,
    name: declaration.found.name,
  });
  return compareSignatures(signatureOf(before), signatureOf(after), language);
}

/** In languages with a type before every name, what is capitalised and has none makes an object of that name. */
const isTypeless = (signature: string, name: string): boolean =>
  /^[A-Z]/.test(name) &&
  /^(?:(?:public|private|protected|internal)\s+)?$/.test(signature.slice(0, signature.indexOf(`${name}(`)));

const longestValue = 80;

function valueIn({ change, before, after }: Happening): Transition | null {
  if (change !== 'bodyChanged' || after?.confirmed.kind !== 'constant' || !before) return null;
  const [from, to] = [before, after].map(({ confirmed }) => confirmed.rest.trim().replace(/[;,]$/, ''));
  if (!from || !to || from === to || !isWholeValue(from) || !isWholeValue(to)) return null;
  return { from: detachText(from), to: detachText(to) };
}

/** Whether a value ends on the line on which it begins. */
function isWholeValue(value: string): boolean {
  if (value.length > longestValue || /(?:[([{,=+|&?:]|=>|\/\*)$/.test(value)) return false;
  const count = (characters: string): number =>
    [...value].filter((character) => characters.includes(character)).length;
  return count('([{') === count(')]}') && count('"') % 2 === 0 && count('`') % 2 === 0;
}
