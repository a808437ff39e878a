import { detachText } from '../detach-text.ts';
import type { SymbolChange } from '../facts.ts';
import type { FileDiff } from '../file-diff.ts';
import type { Grammars } from './grammar.ts';
import { HeaderParser } from './header-parser.ts';
import { type Happening, matchSightings } from './match-sightings.ts';
import { type HunkReading, readHunk } from './read-hunk.ts';
import { rulesFor } from './rules-for.ts';

// A larger diff of one file is a generated or bundled one; and half of it would show what moved as removed.
const mostBytes = 512 * 1024;
const longestSignature = 200;

const strength: Record<SymbolChange['change'], number> = {
  renamed: 5,
  moved: 5,
  wrapped: 3,
  removed: 4,
  added: 4,
  signatureChanged: 3,
  bodyChanged: 1,
};

/** What happened to the functions, methods, classes, types and constants of a file. */
export function readSymbols(file: FileDiff, language: string | null, grammars: Grammars): SymbolChange[] {
  const rules = rulesFor(file.path, language);
  if (!rules || file.isBinary || file.isSubmodule || file.bytes.length > mostBytes) return [];
  const grammar = rules.grammar && grammars.get(rules.grammar);
  const parser = grammar ? new HeaderParser(grammar) : null;
  const readings: HunkReading[] = [];
  for (const [index, hunk] of file.hunks.entries()) {
    const reading = readHunk(hunk, index, rules, parser);
    if (!reading) return [];
    readings.push(reading);
  }
  return strongest(matchSightings(readings))
    .map((happening) => describe(happening, file.path))
    .sort((first, second) => first.evidence.startLine - second.evidence.startLine);
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

function describe({ change, before, after, at }: Happening, fileName: string): SymbolChange {
  const { declaration, confirmed, evidence } = at;
  const isBodyOnly = change === 'bodyChanged';
  const from = isBodyOnly || !before ? null : before.confirmed.signature;
  const to = isBodyOnly || !after ? null : after.confirmed.signature;
  return {
    kind: confirmed.kind,
    name: detachText(declaration.found.name),
    container: declaration.container === null ? null : detachText(declaration.container),
    change,
    previousName: change === 'renamed' && before ? detachText(before.declaration.found.name) : null,
    movedFrom: null,
    isEdited: false,
    wrapper: null,
    signature: to === null ? null : shorten(to, from),
    previousSignature: from === null ? null : shorten(from, to),
    signatureEdits: [],
    value: null,
    isPublic: declaration.isPublic,
    explanation: null,
    evidence: { fileName, ...evidence },
  };
}

const headLength = 70;

/** Cuts a signature so that what is not the same in the other one stays visible. */
function shorten(signature: string, other: string | null): string {
  if (signature.length <= longestSignature) return detachText(signature);
  const tail = longestSignature - headLength - 3;
  const difference = other === null ? 0 : firstDifference(signature, other);
  if (difference < longestSignature - 20) return detachText(`${signature.slice(0, longestSignature - 1)}…`);
  const start = Math.max(headLength, Math.min(difference - 20, signature.length - tail));
  const end = start + tail < signature.length ? '…' : '';
  return detachText(`${signature.slice(0, headLength)} … ${signature.slice(start, start + tail)}${end}`);
}

function firstDifference(one: string, other: string): number {
  let index = 0;
  while (index < one.length && one[index] === other[index]) index++;
  return index;
}
