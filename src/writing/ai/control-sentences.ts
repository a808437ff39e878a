import { commentSignsIn } from '../../reading/comment-signs.ts';
import type { Evidence } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { foldSpace } from '../../reading/text.ts';
import type { Sentence } from '../draft.ts';
import { isCodeFile } from '../verify/find-name.ts';
import type { Material } from './material.ts';
import { overlaps } from './print-cited.ts';

interface Wanted {
  /** The sentences among which it will stand. */
  sentences: Sentence[];
  language: string;
  shuffle: <Item>(items: Item[]) => Item[];
  /** How many of them were used before. */
  used: number;
}

/**
 * A sentence that is false beyond doubt, worded like those around it: one of them with its direction reversed or with a name
 * that its lines do not have, or one about a name that only came, told as if it went, or the reverse. A reader that lets it
 * pass has not read the others either. Null where only white space changed, which some would call nothing.
 */
export function controlSentence(material: Material, wanted: Wanted): Sentence | null {
  const { sentences, language, shuffle, used } = wanted;
  const cited = linesCited(
    material,
    sentences.flatMap(({ evidence }) => evidence),
  );
  const lines = cited.length > 0 ? cited : firstHunk(material);
  const plain = sentences.filter(({ basis }) => basis === 'diff');
  const ways = [
    () => plain.flatMap((sentence) => reversed(sentence, material)),
    () => plain.flatMap((sentence) => renamed(sentence, material, lines)),
    () => templates(lines, language, shuffle),
  ];
  // English among sentences of another language would be known by that.
  const own = language === 'en' || language === 'ja' ? shuffle(ways) : ways;
  const found = own.flatMap((way) => shuffle(way()).slice(0, used + 1));
  return found[used] ?? found[0] ?? unchanged(lines, language);
}

type PlacedText = DiffLine & { path: string; isCode: boolean };

/** The lines of the hunks that are cited. */
function linesCited({ files }: Material, evidence: Evidence[]): PlacedText[] {
  return [...files.values()].flatMap((file) => {
    const own = evidence.filter(({ fileName }) => fileName === file.path);
    return placed(
      file,
      file.hunks.filter((hunk) => own.some((one) => overlaps(one, hunk))),
    );
  });
}

const firstHunk = ({ files }: Material): PlacedText[] => {
  const first = files.values().find(({ hunks }) => hunks.length > 0);
  return first ? placed(first, first.hunks.slice(0, 1)) : [];
};

/** What a comment or a document says may be said of something that goes. */
function placed(file: FileDiff, hunks: FileDiff['hunks']): PlacedText[] {
  const comment = commentSignsIn(file).line;
  return hunks.flatMap(linesOf).map((line) => ({
    ...line,
    path: file.path,
    text: foldSpace(line.text),
    isCode: isCodeFile(file.path) && !comment.test(line.text),
  }));
}

const identifier = /(?<![\w$])[A-Za-z_$][\w$]{3,60}(?![\w$])/g;

/** Words that every program has: nobody would write a sentence about one of them. */
const isName = (word: string): boolean => /[A-Z_\d]/.test(word.slice(1)) || word.length > 6;

/** Lines that differ in signs alone say the same to most who read them. */
const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();

/** On which side alone a piece of code stands; null where it stands on both, or on a line that stays. */
function sideOf(piece: string, lines: PlacedText[]): 'added' | 'removed' | null {
  const sides = new Set(
    lines.flatMap(({ side, text }) => (lettersOf(text).includes(lettersOf(piece)) ? [side] : [])),
  );
  const [side] = sides;
  return sides.size === 1 && side !== undefined && side !== 'context' ? side : null;
}

const doing = 'calls|uses|reads|takes|accepts|returns|requires|throws|sends|writes|checks';

/** How a direction is told, and how its reverse is. */
const reversals: [pattern: RegExp, to: string, side: 'added' | 'removed'][] = [
  [/\b(adds|introduces)(?= [^`.;]{0,40}`([^`]+)`)/, 'removes', 'added'],
  [/\b(removes|drops)(?= [^`.;]{0,40}`([^`]+)`)/, 'adds', 'removed'],
  [new RegExp(`\\bnow (${doing})(?= [^\`.;]{0,40}\`([^\`]+)\`)`), 'no longer $1', 'added'],
  [new RegExp(`\\bno longer (${doing})(?= [^\`.;]{0,40}\`([^\`]+)\`)`), 'now $1', 'removed'],
  [/(?<=`([^`]+)`\s?を)(追加)/, '削除', 'added'],
  [/(?<=`([^`]+)`\s?を)(削除)/, '追加', 'removed'],
];

function reversed(sentence: Sentence, material: Material): Sentence[] {
  const lines = linesCited(material, sentence.evidence);
  return reversals.flatMap(([pattern, to, side]) => {
    const found = pattern.exec(sentence.text);
    const name = found?.slice(1).find((group) => group && sentence.text.includes(`\`${group}\``));
    if (!found || !name || sideOf(name, lines) !== side) return [];
    return [asControl(sentence.text.replace(pattern, to), sentence.evidence)];
  });
}

/** With a name in the place of another that stands in none of the lines that are shown. */
function renamed(sentence: Sentence, { files }: Material, shown: PlacedText[]): Sentence[] {
  const seen = lettersOf(shown.map(({ text, path }) => `${path} ${text}`).join(' '));
  const spans = Array.from(sentence.text.matchAll(/`([\w$]{4,60})`/g), ([, span = '']) => span);
  const name = spans.find(
    (span) => seen.includes(lettersOf(span)) && spans.indexOf(span) === spans.length - 1,
  );
  if (!name) return [];
  const others = [...files.values()]
    .flatMap(({ hunks }) => hunks.slice(0, 20))
    .flatMap((hunk) => hunk.text().match(identifier) ?? [])
    .filter((other) => isName(other) && !seen.includes(lettersOf(other)));
  const [other] = others;
  return other
    ? [
        asControl(
          sentence.text.replace(`\`${name}\``, () => `\`${other}\``),
          sentence.evidence,
        ),
      ]
    : [];
}

interface Wording {
  gone: ((name: string, path: string) => string)[];
  come: ((name: string, path: string) => string)[];
  same: (path: string) => string;
}

const wordings: Record<'en' | 'ja', Wording> = {
  en: {
    gone: [
      (name, path) => `\`${name}\` is no longer used in \`${path}\`.`,
      (name) => `The change removes \`${name}\`.`,
      (name, path) => `\`${path}\` drops \`${name}\`.`,
      (name, path) => `Nothing in \`${path}\` uses \`${name}\` any more.`,
    ],
    come: [
      (name, path) => `\`${path}\` now uses \`${name}\`.`,
      (name) => `The change adds \`${name}\`.`,
      (name, path) => `\`${name}\` is new in \`${path}\`.`,
      (name, path) => `\`${path}\` gains \`${name}\`.`,
    ],
    same: (path) => `\`${path}\` reads as it did before.`,
  },
  ja: {
    gone: [
      (name, path) => `\`${path}\` から \`${name}\` を削除しています。`,
      (name) => `\`${name}\` は使われなくなります。`,
      (name, path) => `\`${path}\` では \`${name}\` がなくなります。`,
    ],
    come: [
      (name, path) => `\`${path}\` に \`${name}\` を追加しています。`,
      (name) => `新たに \`${name}\` を使うようになります。`,
      (name, path) => `\`${path}\` に \`${name}\` が加わります。`,
    ],
    same: (path) => `\`${path}\` の内容は変わりません。`,
  },
};

const wordingIn = (language: string): Wording => wordings[language === 'ja' ? 'ja' : 'en'];

/** Whether one of them is fit is seen soon, or not at all. */
const mostTried = 50;

/** Names of code, else whole lines that are short enough to be quoted. */
function templates(lines: PlacedText[], language: string, shuffle: Wanted['shuffle']): Sentence[] {
  const { gone, come } = wordingIn(language);
  const changed = shuffle(lines.filter(({ side }) => side !== 'context')).slice(0, mostTried);
  const say = (line: PlacedText, piece: string): Sentence[] => {
    const side = line.path.includes('`') ? null : sideOf(piece, lines);
    const [word] = shuffle(side === 'added' ? gone : come);
    const claim = side && word?.(piece, line.path);
    return claim ? [asControl(claim, evidenceOf(line))] : [];
  };
  const named = changed.flatMap((line) =>
    line.isCode ? (line.text.match(identifier) ?? []).filter(isName).flatMap((name) => say(line, name)) : [],
  );
  if (named.length > 0) return named;
  const isQuotable = (text: string) => /^[^`]{4,80}$/u.test(text) && /(?:[\p{L}\p{N}].*){3}/u.test(text);
  return changed.flatMap((line) => (isQuotable(line.text) ? say(line, line.text) : []));
}

/** Where no piece of the lines stands on one side alone. */
function unchanged(lines: PlacedText[], language: string): Sentence | null {
  const first = lines.find(({ side }) => side !== 'context');
  const lettersOn = (side: DiffLine['side']) =>
    lines.map((line) => (line.side === side ? lettersOf(line.text) : '')).join('');
  if (!first || lettersOn('added') === lettersOn('removed')) return null;
  return asControl(wordingIn(language).same(first.path), evidenceOf(first));
}

function evidenceOf({ path, side, oldLine, newLine }: PlacedText): Evidence[] {
  const line = (side === 'added' ? newLine : oldLine) ?? 0;
  return [{ fileName: path, side: side === 'added' ? 'new' : 'old', startLine: line, endLine: line }];
}

const asControl = (text: string, evidence: Evidence[]): Sentence => ({
  text,
  basis: 'diff',
  quote: null,
  evidence,
  words: [],
  facts: [],
});
