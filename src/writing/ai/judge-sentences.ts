import { foldSpace } from '../../domain/text.ts';
import { commentSignsIn } from '../../reading/comment-signs.ts';
import type { Evidence } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { emptySentence, type Sentence } from '../draft.ts';
import { isCodeFile } from '../verify/find-name.ts';
import { type Material, oneLine } from './material.ts';
import { fillPrompt, type WritingDeps } from './prompts.ts';
import { isOfRun, labelsOf, overlaps, printCited } from './references.ts';
import { JudgeReply } from './reply-forms.ts';

interface Wanted {
  sentences: Sentence[];
  language: string;
  shuffle: <Item>(items: Item[]) => Item[];
  used: number;
}

/**
 * A false sentence made from a true one by reversing a direction or changing a name or number, so that a program knows
 * it is false. If a second model approves it, its other approvals do not count either. If no sentence can be changed,
 * it says the opposite of a changed line. Null if no line is shown.
 */
export function controlSentence(material: Material, wanted: Wanted): Sentence | null {
  const { sentences, language, shuffle, used } = wanted;
  const cited = linesCited(
    material,
    sentences.flatMap(({ evidence }) => evidence),
  );
  const lines = cited.some(({ side }) => side !== 'context') ? cited : [...firstHunk(material), ...cited];
  const plain = shuffle(sentences.filter(({ basis }) => basis === 'diff'));
  const turned = (turn: (sentence: Sentence) => string[]): Sentence[] =>
    plain.flatMap((sentence) => turn(sentence).map((text) => asControl(text, sentence.evidence)));
  const certain = turned((sentence) => [
    ...reversed(sentence, material),
    ...renamed(sentence, material, lines),
    ...renumbered(sentence, lines),
  ]);
  const ways = [() => shuffle(certain), () => plainly(lines, language, shuffle)];
  const found = ways.map((way) => way()).find(({ length }) => length > 0) ?? [];
  return found[used] ?? found[0] ?? ofWholeFile(lines, language);
}

type PlacedText = DiffLine & { path: string; isCode: boolean };

function linesCited({ files, looked }: Material, evidence: Evidence[]): PlacedText[] {
  const stays = looked
    .filter((one) => evidence.some((cited) => isOfRun(cited, one)))
    .flatMap(({ fileName, lines }) =>
      lines.map((text): PlacedText => {
        const place = { side: 'context', oldLine: null, newLine: null } as const;
        return { ...place, path: fileName, text: foldSpace(text), isCode: false };
      }),
    );
  const changed = [...files.values()].flatMap((file) => {
    const own = evidence.filter(({ fileName }) => fileName === file.path);
    return placed(
      file,
      file.hunks.filter((hunk) => own.some((one) => overlaps(one, hunk))),
    );
  });
  return [...changed, ...stays];
}

const firstHunk = ({ files }: Material): PlacedText[] => {
  const first = files.values().find(({ hunks }) => hunks.length > 0);
  return first ? placed(first, first.hunks.slice(0, 1)) : [];
};

/** Comments and documents may mention names that are being removed. */
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

/** Short lower-case words occur in every program, so they prove nothing. */
const isName = (word: string): boolean => /[A-Z_\d]/.test(word.slice(1)) || word.length > 6;

/** Lines that differ only in punctuation look the same to most readers. */
const lettersOf = (text: string): string => text.replace(/[^\p{L}\p{N}]+/gu, '').toLowerCase();

/** The only side that contains a piece of code; null if both do, or an unchanged line does. */
function sideOf(piece: string, lines: PlacedText[]): 'added' | 'removed' | null {
  const sides = new Set(
    lines.flatMap(({ side, text }) => (lettersOf(text).includes(lettersOf(piece)) ? [side] : [])),
  );
  const [side] = sides;
  return sides.size === 1 && side !== undefined && side !== 'context' ? side : null;
}

const doing = 'calls|uses|reads|takes|accepts|returns|requires|throws|sends|writes|checks';

const reversals: [pattern: RegExp, to: string, side: 'added' | 'removed'][] = [
  [/\b(adds|introduces)(?= [^`.;]{0,40}`([^`]+)`)/, 'removes', 'added'],
  [/\b(removes|drops)(?= [^`.;]{0,40}`([^`]+)`)/, 'adds', 'removed'],
  [new RegExp(`\\bnow (${doing})(?= [^\`.;]{0,40}\`([^\`]+)\`)`), 'no longer $1', 'added'],
  [new RegExp(`\\bno longer (${doing})(?= [^\`.;]{0,40}\`([^\`]+)\`)`), 'now $1', 'removed'],
  [/(?<=`([^`]+)`\s?を)(追加)/, '削除', 'added'],
  [/(?<=`([^`]+)`\s?を)(削除)/, '追加', 'removed'],
];

function reversed(sentence: Sentence, material: Material): string[] {
  const lines = linesCited(material, sentence.evidence);
  return reversals.flatMap(([pattern, to, side]) => {
    const found = pattern.exec(sentence.text);
    const name = found?.slice(1).find((group) => group && sentence.text.includes(`\`${group}\``));
    return found && name && sideOf(name, lines) === side ? [sentence.text.replace(pattern, to)] : [];
  });
}

/** Replaces a name by one that no shown line contains; the most similar one is the hardest to notice. */
function renamed({ text }: Sentence, { files }: Material, shown: PlacedText[]): string[] {
  const seen = lettersOf(shown.map(({ text: line, path }) => `${path} ${line}`).join(' '));
  const spans = Array.from(text.matchAll(/`([\w$]{4,60})`/g), ([, span = '']) => span);
  const names = spans.filter(
    (span) => seen.includes(lettersOf(span)) && spans.indexOf(span) === spans.lastIndexOf(span),
  );
  if (names.length === 0) return [];
  const others = [...files.values()]
    .flatMap(({ hunks }) => hunks.slice(0, 20))
    .flatMap((hunk) => hunk.text().match(identifier) ?? [])
    .filter((other) => isName(other) && !seen.includes(lettersOf(other)));
  const shapeOf = (name: string) => name.replace(/[a-z\d]+/g, 'a').replace(/[A-Z]+/g, 'A');
  return names.flatMap((name) => {
    const unlike = (other: string) =>
      Math.abs(other.length - name.length) + (shapeOf(other) === shapeOf(name) ? 0 : 20);
    const [other] = others.toSorted((one, two) => unlike(one) - unlike(two));
    return other ? [text.replace(`\`${name}\``, () => `\`${other}\``)] : [];
  });
}

function renumbered({ text }: Sentence, shown: PlacedText[]): string[] {
  const seen = shown.map((line) => line.text).join('\n');
  const isShown = (number: string) => new RegExp(`(?<![\\d.])${number}(?![\\d.])`).test(seen);
  return Array.from(text.matchAll(/(?<![\w.,#-])\d{1,6}(?![\w.,-])/g)).flatMap(({ 0: number, index }) => {
    const other = [1, 2, -1, 10].map((more) => `${Number(number) + more}`).find((one) => !isShown(one));
    if (!isShown(number) || other === undefined) return [];
    return [`${text.slice(0, index)}${other}${text.slice(index + number.length)}`];
  });
}

const wordings = {
  en: {
    gone: (name: string, path: string) => `\`${path}\` no longer uses \`${name}\`.`,
    come: (name: string, path: string) => `\`${path}\` now uses \`${name}\`.`,
    deleted: (path: string) => `\`${path}\` no longer exists.`,
    created: (path: string) => `\`${path}\` did not exist before.`,
  },
  ja: {
    gone: (name: string, path: string) => `\`${path}\` から \`${name}\` を削除しています。`,
    come: (name: string, path: string) => `\`${path}\` に \`${name}\` を追加しています。`,
    deleted: (path: string) => `\`${path}\` を削除しています。`,
    created: (path: string) => `\`${path}\` を新しく追加しています。`,
  },
};

const wordingIn = (language: string) => wordings[language === 'ja' ? 'ja' : 'en'];

/** If none of the first places is suitable, hardly any other is. */
const mostTried = 50;

/** Names of code, or else whole lines that are short enough to quote. */
function plainly(lines: PlacedText[], language: string, shuffle: Wanted['shuffle']): Sentence[] {
  const { gone, come } = wordingIn(language);
  const changed = shuffle(lines.filter(({ side }) => side !== 'context')).slice(0, mostTried);
  const say = (line: PlacedText, piece: string): Sentence[] => {
    const side = line.path.includes('`') ? null : sideOf(piece, lines);
    return side ? [asControl((side === 'added' ? gone : come)(piece, line.path), evidenceOf(line))] : [];
  };
  const named = changed.flatMap((line) =>
    line.isCode ? (line.text.match(identifier) ?? []).filter(isName).flatMap((name) => say(line, name)) : [],
  );
  if (named.length > 0) return named;
  const isQuotable = (text: string) => /^[^`]{4,80}$/u.test(text) && /(?:[\p{L}\p{N}].*){3}/u.test(text);
  return changed.flatMap((line) => (isQuotable(line.text) ? say(line, line.text) : []));
}

/**
 * For lines without a piece that is on one side only, such as changes of white space: a sentence that the remaining or
 * removed lines disprove.
 */
function ofWholeFile(lines: PlacedText[], language: string): Sentence | null {
  const first = lines.find(({ side }) => side !== 'context');
  if (!first) return null;
  const { deleted, created } = wordingIn(language);
  const remains = lines.some(({ side, path }) => side !== 'removed' && path === first.path);
  return asControl((remains ? deleted : created)(first.path), evidenceOf(first));
}

function evidenceOf({ path, side, oldLine, newLine }: PlacedText): Evidence[] {
  const line = (side === 'added' ? newLine : oldLine) ?? 0;
  return [{ fileName: path, side: side === 'added' ? 'new' : 'old', startLine: line, endLine: line }];
}

const asControl = (text: string, evidence: Evidence[]): Sentence => ({ ...emptySentence, text, evidence });

export interface SentenceToJudge {
  index: number;
  sentence: Sentence;
  name: string | null;
  /** Set for sentences known to be false, as in a trial: reversed they may be true, so no control is made from them. */
  isFalse?: boolean;
}

/**
 * By the number of a sentence: null if the second model approved it, or else its complaint. Sentences that were not
 * judged are missing.
 */
export type Judgement = Map<number, string | null>;

/** Sentences without a verdict are sent once more. */
const mostTurns = 2;

/**
 * Lets the second model compare each sentence with its citations, in random order, in one call or as many as needed.
 * One of the sentences is a control that is known to be false; if that is approved, no approval counts.
 */
export async function judgeSentences(
  deps: WritingDeps,
  sentences: SentenceToJudge[],
  material: Material,
): Promise<Judgement> {
  const judged: Judgement = new Map();
  if (!deps.judge) return judged;
  const { ask, mostBytes } = deps.judge;
  for (let turn = 0; turn < mostTurns; turn += 1) {
    const open = deps.shuffle(sentences.filter(({ index }) => !judged.has(index)));
    for (const batch of batchesOf(open, material, mostBytes)) {
      const control = controlFor(deps, batch, material, turn);
      const inOrder = control ? deps.shuffle([...batch, control]) : batch;
      // The order is reversed, because the same question would get the same reply.
      const batchInOrder = turn === 0 ? inOrder : inOrder.toReversed();
      const reply = await askAbout(deps, ask, batchInOrder, material);
      if (!reply) return judged;
      const { found, isAwake } = readVerdicts(reply, batchInOrder, control);
      if (control) deps.onControl?.(isAwake);
      for (const [index, complaint] of found) judged.set(index, complaint);
    }
  }
  return judged;
}

function controlFor(
  { language, shuffle }: WritingDeps,
  batch: SentenceToJudge[],
  material: Material,
  turn: number,
): SentenceToJudge | null {
  const sentences = batch.flatMap(({ sentence, isFalse }) => (isFalse ? [] : [sentence]));
  const sentence = controlSentence(material, { sentences, language, shuffle, used: turn });
  return sentence ? { index: -1, sentence, name: null } : null;
}

/** A sentence that does not fit into a question alone is left out and not judged. */
function batchesOf(sentences: SentenceToJudge[], material: Material, mostBytes: number): SentenceToJudge[][] {
  const fits = (batch: SentenceToJudge[]) =>
    Buffer.byteLength(printBatch(batch, material).join('\n')) + roomForControl <= mostBytes;
  const batches: SentenceToJudge[][] = [];
  for (const one of sentences) {
    const last = batches.at(-1);
    if (last && fits([...last, one])) last.push(one);
    else if (fits([one])) batches.push([one]);
  }
  return batches;
}

const roomForControl = 1_000;

function printBatch(batch: SentenceToJudge[], material: Material): string[] {
  const cited = {
    evidence: batch.flatMap(({ sentence }) => sentence.evidence),
    words: batch.flatMap(({ sentence }) => sentence.words),
    facts: batch.flatMap(({ sentence }) => sentence.facts),
  };
  return [
    ...batch.map(({ sentence, name }, position) => {
      const labels = labelsOf(sentence, material).join(', ');
      const kind =
        name ?? (sentence.basis !== 'judgement' ? null : sentence.certain ? 'consequence' : 'judgement');
      return `s${position + 1} (${[kind, labels].filter(Boolean).join('; ')}) ${oneLine(sentence.text)}`;
    }),
    ...printCited(cited, material),
  ];
}

async function askAbout(
  { prompts, project, language }: WritingDeps,
  ask: NonNullable<WritingDeps['judge']>['ask'],
  batch: SentenceToJudge[],
  material: Material,
): Promise<JudgeReply | null> {
  const lines = printBatch(batch, material);
  const filled = fillPrompt(prompts['judge-sentences'], { language, project, lines });
  return ask({ ...filled, schema: JudgeReply });
}

/** Every complaint counts. An approval counts only without a complaint, and if the control was rejected. */
function readVerdicts(
  { verdicts }: JudgeReply,
  batch: SentenceToJudge[],
  control: SentenceToJudge | null,
): { found: Judgement; isAwake: boolean } {
  const found: Judgement = new Map();
  for (const { n, verdict, reason } of verdicts) {
    const index = batch[n - 1]?.index;
    if (index === undefined || typeof found.get(index) === 'string') continue;
    const complaint = `a second reader found that the lines ${verdict === 'contradicted' ? 'say otherwise' : 'do not show it'}`;
    found.set(index, verdict === 'holds' ? null : `${complaint}${reason ? `: ${reason}` : ''}`);
  }
  const isAwake = control !== null && typeof found.get(control.index) === 'string';
  const counted = [...found].filter(([index, complaint]) => index >= 0 && (isAwake || complaint !== null));
  return { found: new Map(counted), isAwake };
}
