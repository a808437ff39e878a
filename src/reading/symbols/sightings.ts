import type { Evidence } from '../facts.ts';
import type { HunkLine, HunkLines } from '../hunk-lines.ts';
import type { LanguageRules } from './language-rules.ts';
import { type Declaration, type DeclaredSide, scanDeclarations } from './scan-declarations.ts';
import { isSameSignature, type Signature, signatureOf } from './scan-header.ts';

export interface Sighting {
  declaration: Declaration;
  signature: Signature;
  rest: string;
  body: string;
  keptShare: number;
  hunk: number;
  line: HunkLine | null;
  evidence: Omit<Evidence, 'fileName'>;
}

export interface HunkReading {
  added: Sighting[];
  removed: Sighting[];
  resigned: { before: Sighting; after: Sighting }[];
  reworked: { before: Sighting | null; after: Sighting }[];
  kept: string[];
  heading: string | null;
  lines: HunkLines;
}

type Side = Evidence['side'];

const mostDeclarations = 1000;

const isPunctuation = /^[\s{}()[\];,]*(?:end)?$/;

export function readHunk(lines: HunkLines, hunk: number, rules: LanguageRules): HunkReading | null {
  const before = scanDeclarations(lines, { side: 'old', rules, isWhole: false });
  const after = scanDeclarations(lines, { side: 'new', rules, isWhole: false });
  if (before.declarations.length + after.declarations.length > mostDeclarations) return null;
  const heading = before.heading?.key ?? null;
  const reading: HunkReading = {
    added: [],
    removed: [],
    resigned: [],
    reworked: [],
    kept: [],
    heading,
    lines,
  };
  const see = (declaration: Declaration, side: Side): Sighting =>
    sight(declaration, side === 'old' ? before : after, side, hunk, rules);
  const keys = after.declarations.map(({ key }) => key);
  const stayed = new Map<unknown, Declaration>();
  for (const declaration of before.declarations) {
    const line = before.lines[declaration.start];
    if (!line?.isChanged) stayed.set(line, declaration);
    else if (!declaration.found.reported) reading.removed.push(see(declaration, 'old'));
  }
  const compare = (old: Declaration, current: Declaration): void => {
    if (current.found.reported === 'never') return;
    if (hasChangedHeader(old, before) || hasChangedHeader(current, after)) {
      const [was, is] = [see(old, 'old'), see(current, 'new')];
      if (!isSameSignature(was.signature, is.signature)) {
        const evidence = linesBetween(current.start, current.header?.end ?? current.start, after, 'new');
        reading.resigned.push({ before: was, after: { ...is, evidence } });
        return;
      }
    }
    if (current.start >= 0) reading.kept.push(current.key);
    // If the header begins above the hunk, its change is unknown.
    else if (hasOpenBracket(current.line)) return;
    const changed = changedLinesOf(current, after, 'new') ?? changedLinesOf(old, before, 'old');
    // Two symbols with the same name may have swapped their bodies.
    if (!changed || keys.indexOf(current.key) !== keys.lastIndexOf(current.key)) return;
    const [was, is] = [see(old, 'old'), see(current, 'new')];
    if (was.body !== is.body) reading.reworked.push({ before: was, after: { ...is, evidence: changed } });
  };
  for (const declaration of after.declarations) {
    const line = after.lines[declaration.start];
    const same = line?.isChanged ? undefined : stayed.get(line);
    if (same) compare(same, declaration);
    else if (line?.isChanged && !declaration.found.reported) reading.added.push(see(declaration, 'new'));
  }
  if (before.heading && after.heading) compare(before.heading, after.heading);
  return reading;
}

const hasOpenBracket = (text: string): boolean => text.split('(').length > text.split(')').length;

function hasChangedHeader({ start, header }: Declaration, { lines }: DeclaredSide): boolean {
  for (let index = start; header && index <= header.end; index++) if (lines[index]?.isChanged) return true;
  return false;
}

function changedLinesOf(
  declaration: Declaration,
  side: DeclaredSide,
  name: Side,
): Sighting['evidence'] | null {
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

function bodyOf(declaration: Declaration, side: DeclaredSide, rules: LanguageRules): string {
  let body = withoutComment(declaration.header?.rest ?? '', rules);
  for (let index = (declaration.header?.end ?? -1) + 1; index < side.owners.length; index++) {
    if (side.owners[index] === declaration)
      body += `\n${withoutComment(side.lines[index]?.text ?? '', rules)}`;
  }
  return body.replace(/[\s;,(){}[\]]+/g, '');
}

function withoutComment(text: string, { lineComment }: LanguageRules): string {
  const found = text.indexOf(` ${lineComment} `);
  return found < 0 || /["'`]/.test(text.slice(found)) ? text : text.slice(0, found);
}

function sight(
  declaration: Declaration,
  side: DeclaredSide,
  name: Side,
  hunk: number,
  rules: LanguageRules,
): Sighting {
  const { start, end, header } = declaration;
  return {
    declaration,
    signature: header ? signatureOf(header) : { text: '', isCut: true },
    rest: header?.rest ?? '',
    body: bodyOf(declaration, side, rules),
    keptShare: start < 0 ? 1 : keptShareOf(declaration, side),
    hunk,
    line: side.lines[start] ?? null,
    evidence: linesBetween(Math.max(start, 0), end, side, name),
  };
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

function linesBetween(start: number, end: number, { lines }: DeclaredSide, side: Side): Sighting['evidence'] {
  const numberOf = (index: number): number => {
    const line = lines[index];
    return (side === 'new' ? line?.newLine : line?.oldLine) ?? 0;
  };
  return { startLine: numberOf(start), endLine: numberOf(end), side };
}
