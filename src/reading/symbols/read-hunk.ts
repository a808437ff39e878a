import type { Evidence } from '../facts.ts';
import type { HunkLine, HunkLines } from '../hunk-lines.ts';
import { type Confirmed, confirm, isSameSignature } from './confirm.ts';
import { type Declaration, type DeclaredSide, findDeclarations } from './find-declarations.ts';
import { lineAround } from './find-wrapper.ts';
import type { HeaderParser } from './header-parser.ts';
import type { LanguageRules } from './language-rules.ts';

/** A declaration that appeared, disappeared or stayed, with what is needed to say so. */
export interface Sighting {
  declaration: Declaration;
  confirmed: Confirmed;
  /** Its code without white space, comments and signature. */
  body: string;
  /** Lines of the body that stand on both sides, as a share of all. */
  keptShare: number;
  /** Number of the hunk in its file. */
  hunk: number;
  /** Its first line; null where only the heading names it. */
  line: HunkLine | null;
  /** The line that it stands inside of, as far as the hunk shows it. */
  around: HunkLine | null;
  evidence: Omit<Evidence, 'fileName'>;
}

export interface HunkReading {
  /** Number of the hunk in its file. */
  index: number;
  added: Sighting[];
  removed: Sighting[];
  /** The same declaration before and after, with another signature. */
  resigned: { before: Sighting; after: Sighting }[];
  /** Those whose body alone changed, seen on the side that has the changed lines. */
  reworked: Sighting[];
  /** Keys of all that stand in the hunk before and after. */
  kept: string[];
  /** The key of what the heading names, which was there before. */
  heading: string | null;
  lines: HunkLines;
}

type Side = Evidence['side'];

interface Reader {
  rules: LanguageRules;
  parser: HeaderParser | null;
  hunk: number;
}

// Nobody declares this much by hand in one change; what does is generated.
const mostDeclarations = 1000;

const isPunctuation = /^[\s{}()[\];,]*(?:end)?$/;

/** What one hunk says; null when it holds too much to be written by hand. */
export function readHunk(
  lines: HunkLines,
  index: number,
  rules: LanguageRules,
  parser: HeaderParser | null,
): HunkReading | null {
  const before = findDeclarations(lines, 'old', rules);
  const after = findDeclarations(lines, 'new', rules);
  if (before.declarations.length + after.declarations.length > mostDeclarations) return null;
  const heading = before.heading?.key ?? null;
  const reading: HunkReading = {
    index,
    added: [],
    removed: [],
    resigned: [],
    reworked: [],
    kept: [],
    heading,
    lines,
  };
  const reader = { rules, parser, hunk: index };
  const stayed = new Map<unknown, Declaration>();
  for (const declaration of before.declarations) {
    const line = before.lines[declaration.start];
    if (line?.isChanged) pushSeen(reading.removed, see(declaration, before, 'old', reader));
    else stayed.set(line, declaration);
  }
  for (const declaration of after.declarations) {
    const line = after.lines[declaration.start];
    if (line?.isChanged) pushSeen(reading.added, see(declaration, after, 'new', reader));
    else {
      const same = stayed.get(line);
      if (same) compare(same, declaration, before, after, reader, reading);
    }
  }
  if (before.heading && after.heading) compare(before.heading, after.heading, before, after, reader, reading);
  return reading;
}

function pushSeen(sightings: Sighting[], sighting: Sighting | null): void {
  if (sighting && !sighting.declaration.found.told) sightings.push(sighting);
}

/** Compares a declaration whose first line is not changed. */
function compare(
  old: Declaration,
  current: Declaration,
  before: DeclaredSide,
  after: DeclaredSide,
  reader: Reader,
  reading: HunkReading,
): void {
  if (current.found.told === 'never') return;
  // The header goes on in the hunk on one side only as far as can be seen: what changed cannot be told.
  if (current.start < 0 && (old.header === null) !== (current.header === null)) return;
  if (hasChangedHeader(old, before) || hasChangedHeader(current, after)) {
    const was = see(old, before, 'old', reader);
    const is = see(current, after, 'new', reader);
    if (was && is && !isSameSignature(was.confirmed, is.confirmed)) {
      reading.resigned.push({ before: was, after: { ...is, evidence: evidenceOfHeader(current, after) } });
      return;
    }
  }
  if (current.start >= 0) reading.kept.push(current.key);
  const changed = changedLines(current, after, 'new') ?? changedLines(old, before, 'old');
  if (!changed) return;
  const { rules } = reader;
  const oldRest = old.header?.rest ?? '';
  const newRest = current.header?.rest ?? '';
  if (bodyOf(old, before, oldRest, rules) === bodyOf(current, after, newRest, rules)) return;
  const seen =
    current.start < 0 ? believeHeading(current, reader.hunk, changed) : see(current, after, 'new', reader);
  if (seen) reading.reworked.push({ ...seen, evidence: changed });
}

function hasChangedHeader({ start, header }: Declaration, { lines }: DeclaredSide): boolean {
  for (let index = Math.max(start, 0); header && index <= header.end; index++)
    if (lines[index]?.isChanged) return true;
  return false;
}

/** The first to the last line of code in a body that stands on this side only. */
function changedLines(declaration: Declaration, side: DeclaredSide, name: Side): Sighting['evidence'] | null {
  let first = 0;
  let last = 0;
  for (let index = (declaration.header?.end ?? -1) + 1; index < side.owners.length; index++) {
    const line = side.lines[index];
    if (side.owners[index] !== declaration || !line?.isChanged) continue;
    last = (name === 'new' ? line.newLine : line.oldLine) ?? 0;
    first ||= last;
  }
  return first === 0 ? null : { startLine: first, endLine: last, side: name };
}

function bodyOf(declaration: Declaration, side: DeclaredSide, rest: string, rules: LanguageRules): string {
  let body = withoutComment(rest, rules);
  for (let index = (declaration.header?.end ?? -1) + 1; index < side.owners.length; index++) {
    if (side.owners[index] === declaration)
      body += `\n${withoutComment(side.lines[index]?.text ?? '', rules)}`;
  }
  // Brackets, commas and line breaks move when code is laid out anew.
  return body.replace(/[\s;,(){}[\]]+/g, '');
}

function withoutComment(text: string, { lineComment }: LanguageRules): string {
  const found = text.indexOf(` ${lineComment} `);
  return found < 0 || /["'`]/.test(text.slice(found)) ? text : text.slice(0, found);
}

/** Confirms a declaration and describes it; null when it is none. */
function see(declaration: Declaration, side: DeclaredSide, name: Side, reader: Reader): Sighting | null {
  const confirmed = confirm(declaration, side, reader.rules, reader.parser);
  if (!confirmed) return null;
  return {
    declaration,
    confirmed,
    body: bodyOf(declaration, side, confirmed.rest, reader.rules),
    keptShare: keptShareOf(declaration, side),
    hunk: reader.hunk,
    line: side.lines[declaration.start] ?? null,
    around: lineAround(side.lines, declaration.start),
    evidence: evidenceBetween(Math.max(declaration.start, 0), declaration.end, side, name),
  };
}

/** A heading proves a name and nothing more. */
function believeHeading(declaration: Declaration, hunk: number, evidence: Sighting['evidence']): Sighting {
  const confirmed = { kind: declaration.found.kind, signature: '', rest: '', isCut: true };
  return { declaration, confirmed, body: '', keptShare: 1, hunk, line: null, around: null, evidence };
}

function keptShareOf({ start, header }: Declaration, { lines }: DeclaredSide): number {
  const indent = lines[start]?.indent ?? 0;
  let all = 0;
  let kept = 0;
  for (let index = (header?.end ?? -1) + 1; index < lines.length; index++) {
    const line = lines[index];
    if (!line || (line.text !== '' && line.indent <= indent)) break;
    if (isPunctuation.test(line.text)) continue;
    all++;
    if (!line.isChanged) kept++;
  }
  return all === 0 ? 0 : kept / all;
}

function evidenceOfHeader({ start, header }: Declaration, side: DeclaredSide): Sighting['evidence'] {
  return evidenceBetween(Math.max(start, 0), header?.end ?? start, side, 'new');
}

function evidenceBetween(
  start: number,
  end: number,
  { lines }: DeclaredSide,
  side: Side,
): Sighting['evidence'] {
  const numberOf = (index: number): number => {
    const line = lines[index];
    return (side === 'new' ? line?.newLine : line?.oldLine) ?? 0;
  };
  return { startLine: numberOf(start), endLine: numberOf(end), side };
}
