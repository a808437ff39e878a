import type { Definition, Evidence } from '../src/reading/facts.ts';
import { type FileDiff, linesOf } from '../src/reading/file-diff.ts';
import type { Sentence, StatedFact } from '../src/writing/draft.ts';
import { liesAboutUnchanged, liesOfUnchanged } from './unchanged-lies.ts';

export const lieKinds = [
  'another file',
  'shortened name',
  'number',
  'version',
  'wrong hunk',
  'reversed direction',
  'from and to swapped',
  'moved told as new',
  'invented name',
  ...liesAboutUnchanged,
] as const;

export type LieKind = (typeof lieKinds)[number];

interface Lie {
  kind: LieKind;
  /** Whether a lie is only in the text, or in the facts too. */
  mode: 'text' | 'facts';
  sentence: Sentence;
}

const codeSpans = /(?<!`)`([^`]+)`(?!`)/g;
const spansIn = (text: string): string[] => Array.from(text.matchAll(codeSpans), ([, span]) => span ?? '');
const isJapanese = ({ text }: Sentence): boolean => /[\u3040-\u30ff]/u.test(text);
const isIdentifier = (span: string): boolean => /^[A-Za-z_$][\w$]{5,}$/.test(span);

/** The cited files and texts as plain text: everything in them may be stated. */
interface Truth {
  diff: FileDiff[];
  definitions: ReadonlyMap<string, Definition[]>;
  words: string;
}

const textOf = ({ diff, words }: Truth, { evidence, words: cited }: Sentence): string => {
  const paths = new Set(evidence.map(({ fileName }) => fileName));
  const files = diff
    .filter(({ path }) => paths.has(path))
    .map(({ bytes, path }) => `${path}\n${bytes.toString()}`);
  return [...files, words, ...cited.map(({ text }) => text)].join('\n');
};

const standsAsWord = (text: string, word: string): boolean => {
  for (let at = text.indexOf(word); at >= 0; at = text.indexOf(word, at + 1)) {
    if (!/[\w$]/.test(text.charAt(at - 1)) && !/[\w$]/.test(text.charAt(at + word.length))) return true;
  }
  return false;
};

function replaceInFacts(facts: StatedFact[], from: string, to: string): StatedFact[] {
  return JSON.parse(JSON.stringify(facts), (_, value) => (value === from ? to : value));
}

/** Both ways of replacing a word by another. */
function replaced(kind: LieKind, sentence: Sentence, from: string, to: string): Lie[] {
  const text = sentence.text.replaceAll(`\`${from}\``, () => `\`${to}\``);
  if (text === sentence.text) return [];
  const facts = replaceInFacts(sentence.facts, from, to);
  const isStated = JSON.stringify(facts) !== JSON.stringify(sentence.facts);
  return [
    { kind, mode: 'text', sentence: { ...sentence, text } },
    ...(isStated ? [{ kind, mode: 'facts' as const, sentence: { ...sentence, text, facts } }] : []),
  ];
}

/** Lies made from a true sentence. */
export function liesFrom(sentence: Sentence, truth: Truth, random: () => number): Lie[] {
  if (sentence.basis !== 'diff') return [];
  if (sentence.evidence.some(({ unchanged }) => unchanged))
    return liesOfUnchanged(sentence, truth.definitions).map((lie) => ({ ...lie, mode: 'text' }));
  const known = textOf(truth, sentence);
  return [
    ...otherFile(sentence, truth, known, random),
    ...shortened(sentence, known),
    ...numbers(sentence, known),
    ...versions(sentence, known),
    ...wrongHunk(sentence, truth, random),
    ...reversed(sentence, truth),
    ...swapped(sentence, truth),
    ...movedAsNew(sentence),
    ...invented(sentence, known),
  ];
}

function otherFile(sentence: Sentence, { diff }: Truth, known: string, random: () => number): Lie[] {
  const cited = new Set(sentence.evidence.map(({ fileName }) => fileName));
  const named = spansIn(sentence.text).find((span) => diff.some(({ path }) => path === span));
  const facts = JSON.stringify(sentence.facts);
  // A statement about a file's size and novelty is also true of another file like it.
  const sizeOf = ({ status, hunks }: FileDiff): string =>
    `${status} ${hunks.map(({ oldLines, newLines }) => `${oldLines} ${newLines}`)}`;
  const own = diff.find(({ path }) => path === named);
  const others = diff
    .filter(
      (file) =>
        !own || sentence.facts.every(({ relation }) => relation !== 'file') || sizeOf(file) !== sizeOf(own),
    )
    .filter(
      ({ path, previousPath }) =>
        !cited.has(path) &&
        !known.includes(path) &&
        !facts.includes(path) &&
        (previousPath === null || !facts.includes(previousPath)),
    );
  const other = others[Math.floor(random() * others.length)];
  if (!other || cited.size === 0) return [];
  if (named) return replaced('another file', sentence, named, other.path);
  const text = isJapanese(sentence)
    ? `\`${other.path}\` では、${sentence.text}`
    : `In \`${other.path}\`: ${sentence.text}`;
  return [{ kind: 'another file', mode: 'text', sentence: { ...sentence, text } }];
}

const firstIdentifier = ({ text }: Sentence): string | undefined => spansIn(text).find(isIdentifier);

function shortened(sentence: Sentence, known: string): Lie[] {
  const name = firstIdentifier(sentence);
  if (!name) return [];
  const short = /^(.{3,}?)(?:_[^_]+|[A-Z][a-z0-9]*|.{3})$/.exec(name)?.[1] ?? name.slice(0, -3);
  return standsAsWord(known, short) ? [] : replaced('shortened name', sentence, name, short);
}

function invented(sentence: Sentence, known: string): Lie[] {
  const name = firstIdentifier(sentence);
  const other = name && `${name}Twice`;
  return !name || !other || known.includes(other) ? [] : replaced('invented name', sentence, name, other);
}

function numbers(sentence: Sentence, known: string): Lie[] {
  const prose = sentence.text
    .replace(codeSpans, (span) => ' '.repeat(span.length))
    .replace(/“[^”]*”|「[^」]*」/g, (span) => ' '.repeat(span.length));
  const found = /(?<![\w.,#-])\d[\d,]*(?![\w.]\d)/.exec(prose);
  if (!found) return [];
  const value = Number(found[0].replaceAll(',', ''));
  const other = value + 1 + (value > 9 ? 7 : 0);
  const isCounted = sentence.facts.some((fact) => JSON.stringify(fact).includes(`:${value}`));
  if (!isCounted && standsAsWord(known, String(other))) return [];
  const text =
    sentence.text.slice(0, found.index) +
    other.toLocaleString('en') +
    sentence.text.slice(found.index + found[0].length);
  // A value that a list of counts already contains makes no lie.
  if (JSON.stringify(sentence.facts).includes(`:${other}`)) return [];
  const facts = sentence.facts.map((fact) =>
    fact.relation === 'count' && fact.value === value ? { ...fact, value: other } : fact,
  );
  const isStated = JSON.stringify(facts) !== JSON.stringify(sentence.facts);
  return [
    { kind: 'number', mode: 'text', sentence: { ...sentence, text } },
    ...(isStated
      ? [{ kind: 'number' as const, mode: 'facts' as const, sentence: { ...sentence, text, facts } }]
      : []),
  ];
}

function versions(sentence: Sentence, known: string): Lie[] {
  const span = spansIn(sentence.text).find((one) => /^[\^~>=v ]*\d+(?:\.\d+)+$/.test(one));
  if (!span) return [];
  const other = span.replace(/\d+$/, (last) => String(Number(last) + 3));
  return known.includes(other) ? [] : replaced('version', sentence, span, other);
}

const overlaps = (one: Evidence, other: Evidence): boolean =>
  one.fileName === other.fileName &&
  one.side === other.side &&
  one.startLine <= other.endLine &&
  other.startLine <= one.endLine;

/** Whether a sentence still cites the place where it is true. */
export const pointsThere = (sentence: Sentence, evidence: Evidence[]): boolean =>
  sentence.evidence.some((one) => evidence.some((other) => overlaps(one, other)));

/** Whether all code of a sentence is in the hunks that it cites, by plain text: the same may be done in many places. */
export function showsIt({ text, evidence }: Sentence, { diff }: Pick<Truth, 'diff'>): boolean {
  const shown = diff
    .filter(({ path }) => evidence.some(({ fileName }) => fileName === path))
    .flatMap(({ path, previousPath, hunks }) => [
      path,
      previousPath ?? '',
      ...hunks
        .filter((hunk) =>
          evidence.some(({ fileName, side, startLine }) => {
            const [start, count] =
              side === 'new' ? [hunk.newStart, hunk.newLines] : [hunk.oldStart, hunk.oldLines];
            return fileName === path && startLine >= start && startLine < start + count;
          }),
        )
        .map((hunk) => hunk.heading + hunk.text().replace(/^[-+ ]/gm, '')),
    ])
    .join('')
    .replace(/\s+/g, '');
  return spansIn(text).every((span) => shown.includes(span.replace(/[\s…]+/g, '')));
}

function wrongHunk(sentence: Sentence, { diff }: Truth, random: () => number): Lie[] {
  if (sentence.evidence.length === 0 || spansIn(sentence.text).length === 0) return [];
  const own = new Set(sentence.evidence.map(({ fileName }) => fileName));
  const hunks = diff.flatMap((file) => file.hunks.map((hunk) => ({ file, hunk })));
  const others = hunks.filter(({ file, hunk }) =>
    sentence.evidence.every(
      ({ fileName, side, startLine }) =>
        fileName !== file.path ||
        startLine < (side === 'new' ? hunk.newStart : hunk.oldStart) ||
        startLine >= (side === 'new' ? hunk.newStart + hunk.newLines : hunk.oldStart + hunk.oldLines),
    ),
  );
  const near = others.filter(({ file }) => own.has(file.path));
  const pool = near.length > 0 && random() < 0.5 ? near : others;
  const chosen = pool[Math.floor(random() * pool.length)];
  // If all of it is there too, the sentence is true.
  const shown =
    chosen && `${chosen.file.path}${chosen.hunk.heading}${chosen.hunk.text()}`.replace(/\s+/g, '');
  if (shown && spansIn(sentence.text).every((span) => shown.includes(span.replace(/[\s…]+/g, '')))) return [];
  const line = chosen && linesOf(chosen.hunk).find(({ side }) => side !== 'context');
  const number = line?.newLine ?? line?.oldLine;
  if (!chosen || !line || number === null || number === undefined) return [];
  const side = line.newLine === null ? 'old' : 'new';
  const evidence: Evidence[] = [{ fileName: chosen.file.path, startLine: number, endLine: number, side }];
  return [{ kind: 'wrong hunk', mode: 'text', sentence: { ...sentence, evidence } }];
}

/** The phrases with which a model says that something was added or removed. */
const directions = {
  en: { comes: (name: string) => `Adds \`${name}\`.`, goes: (name: string) => `Removes \`${name}\`.` },
  ja: {
    comes: (name: string) => `\`${name}\` を追加しています。`,
    goes: (name: string) => `\`${name}\` を削除しています。`,
  },
};

/** Says that something added was removed, or the reverse: with its facts, without any, and with matching ones. */
function reversed(sentence: Sentence, { diff }: Truth): Lie[] {
  const fact = sentence.facts.find(({ relation }) => relation === 'comes' || relation === 'goes');
  if ((fact?.relation !== 'comes' && fact?.relation !== 'goes') || fact.name.includes('`')) return [];
  const relation = fact.relation === 'comes' ? 'goes' : 'comes';
  // If the diff has it on both sides, the reverse may be true too.
  const side = relation === 'comes' ? 'added' : 'removed';
  const lines = diff.flatMap(({ hunks }) => hunks.flatMap(linesOf)).filter((line) => line.side === side);
  if (lines.some(({ text }) => text.includes(fact.name))) return [];
  const text = directions[isJapanese(sentence) ? 'ja' : 'en'][relation](fact.name);
  const kind = 'reversed direction';
  return [
    { kind, mode: 'text', sentence: { ...sentence, text } },
    { kind, mode: 'text', sentence: { ...sentence, text, facts: [] } },
    { kind, mode: 'facts', sentence: { ...sentence, text, facts: [{ ...fact, relation }] } },
  ];
}

function swapped(sentence: Sentence, { diff }: Truth): Lie[] {
  const pair = sentence.facts.find(
    (fact) => 'from' in fact && 'to' in fact && fact.from && fact.to && fact.from !== fact.to,
  );
  if (!pair || !('from' in pair) || !('to' in pair) || !pair.from || !pair.to) return [];
  const { from, to } = pair;
  const marks: [string, string] = sentence.text.includes(`\`${from}\``)
    ? ['`', '`']
    : /“/.test(sentence.text)
      ? ['“', '”']
      : ['「', '」'];
  const [one, other] = [`${marks[0]}${from}${marks[1]}`, `${marks[0]}${to}${marks[1]}`];
  if (!sentence.text.includes(one) || !sentence.text.includes(other)) return [];
  const text = sentence.text
    .replaceAll(one, '\0')
    .replaceAll(other, () => one)
    .replaceAll('\0', () => other);
  // If the diff has both on both sides, the reverse may be true too.
  const cited = diff.filter(({ path }) => sentence.evidence.some(({ fileName }) => fileName === path));
  const lines = cited.flatMap(({ hunks }) => hunks.flatMap(linesOf));
  const on = (side: 'added' | 'removed') =>
    lines
      .filter((line) => line.side === side)
      .map((line) => line.text)
      .join('\n')
      .replace(/\s+/g, '');
  const bare = (part: string) => part.replace(/\s+/g, '').replaceAll('…', '');
  if (on('removed').includes(bare(to)) && on('added').includes(bare(from))) return [];
  const facts = sentence.facts.map((fact) => (fact === pair ? { ...pair, from: to, to: from } : fact));
  return [
    { kind: 'from and to swapped', mode: 'text', sentence: { ...sentence, text } },
    { kind: 'from and to swapped', mode: 'facts', sentence: { ...sentence, text, facts } },
  ];
}

function movedAsNew(sentence: Sentence): Lie[] {
  const moved = sentence.facts.find((fact) => fact.relation === 'moved');
  if (!moved) return [];
  const text = isJapanese(sentence)
    ? `\`${moved.name}\` を追加しています。`
    : `Adds the ${moved.thing} \`${moved.name}\`.`;
  const comes: StatedFact = { relation: 'comes', thing: moved.thing, name: moved.name };
  return [
    { kind: 'moved told as new', mode: 'text', sentence: { ...sentence, text } },
    { kind: 'moved told as new', mode: 'text', sentence: { ...sentence, text, facts: [] } },
    { kind: 'moved told as new', mode: 'facts', sentence: { ...sentence, text, facts: [comes] } },
  ];
}
