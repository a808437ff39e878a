import { type RankedPassage, rankPassages } from '../../domain/search/rank-passages.ts';
import { holdsKey } from '../../domain/secrets.ts';
import { visibleText } from '../../reading/description/sentences.ts';
import type { OfflineLanguage, Verification, WrittenStatement } from '../articles.ts';
import { emptyDraft, emptySentence, type Sentence } from '../draft.ts';
import { asWritten, verifyDraft } from '../verify/verify-drafts.ts';
import type { AnswerSource } from './passages.ts';
import { type ChangePassage, type LinePassage, shownAround, type WordsPassage } from './passages.ts';

interface WrittenAnswer {
  found: boolean;
  statements: WrittenStatement[];
  verification: Verification;
}

const most = { line: 4, words: 2 };
/** Answers to "why" take more sentences of people than lines, because code seldom gives reasons. */
const mostOfReasons = { line: 2, words: 4 };

/** Longer lines are cut off in the answer: the whole line is shown where it is cited. */
const longestShown = 160;

export function answerBySearch(
  { passages, ground, lookedAt, placeOf }: AnswerSource,
  question: string,
  language: OfflineLanguage,
): WrittenAnswer & { sentences: Sentence[] } {
  const say = wordings[language];
  const isWhy = whys.test(question);
  const showable = passages.filter(isShowable);
  const ranked = rankPassages(question, isWhy ? showable.flatMap(asReason) : showable);
  const chosen = chooseBest(ranked, isWhy ? mostOfReasons : most);
  if (isWhy) chosen.sort((one, other) => other.kind.localeCompare(one.kind));
  const sentences = chosen.map((passage) =>
    passage.kind === 'line' ? say.line(passage, placeOf) : say.words(passage),
  );
  const found = checked(sentences, ground);
  const statements = found.length > 0 ? found : checked([lookedAtIn(lookedAt, language)], ground);
  const claims = Math.max(1, sentences.length);
  const verified = statements.length;
  return {
    found: found.length > 0,
    statements,
    sentences,
    verification: { claims, verified, repaired: 0, dropped: claims - verified, judged: 0, unjudged: 0 },
  };
}

export const checked = (background: Sentence[], ground: AnswerSource['ground']): WrittenStatement[] =>
  asWritten(verifyDraft({ ...emptyDraft, background }, ground)).background;

/** Passages that score less than this share of the best of their kind match only common words of the question. */
const leastShare = 0.35;

const isShowable = ({ own }: ChangePassage): boolean => !holdsKey(own) && visibleText(own) === own;

const whys = /\b(?:why|how come|what for|reasons?)\b|なぜ|何故|どうして|理由/i;
const reasons =
  /\b(?:because|since|so that|so as|in order to|to avoid|to prevent|otherwise|due to|thanks to|as a result|therefore)\b|ため|ので|から|ように|理由/i;

/** A title never gives the reason for a change. */
function asReason(passage: ChangePassage): ChangePassage[] {
  if (passage.kind === 'line') return [passage];
  if (passage.words.where === 'title') return [];
  return [{ ...passage, weight: passage.weight * (reasons.test(passage.own) ? 2 : 1) }];
}

/** Keeps the ranking, but each line and each place only once. */
function chooseBest(ranked: RankedPassage<ChangePassage>[], most: Record<ChangePassage['kind'], number>) {
  const chosen: ChangePassage[] = [];
  const left = { ...most };
  const best = { line: 0, words: 0 };
  for (const { passage, score } of ranked) {
    const { kind } = passage;
    best[kind] ||= score;
    if (left[kind] === 0 || score < best[kind] * leastShare) continue;
    if (chosen.some((one) => isSamePassage(one, passage))) continue;
    left[kind] -= 1;
    chosen.push(passage);
  }
  return chosen;
}

const isSamePassage = (one: ChangePassage, other: ChangePassage): boolean =>
  one.own.trim() === other.own.trim() ||
  (one.kind === 'line' && other.kind === 'line' && areBeside(one, other));

/** The removed and the added line of an edit count as one place. */
function areBeside(one: LinePassage, other: LinePassage): boolean {
  if (one.hunk) return one.hunk === other.hunk && Math.abs(one.at - other.at) <= 2 * shownAround;
  const [lines, others] = [one.evidence, other.evidence];
  return (
    !other.hunk &&
    lines.fileName === others.fileName &&
    lines.startLine <= others.endLine &&
    others.startLine <= lines.endLine
  );
}

/** The answer if no article of the repository matches the question; nothing else is read. */
export function answerNowhere(language: OfflineLanguage): WrittenAnswer {
  const text = wordings[language].nowhere;
  const sentence: Sentence = { ...emptySentence, text, facts: [{ relation: 'found', text }] };
  return {
    found: false,
    statements: asWritten({ ...emptyDraft, background: [sentence] }).background,
    verification: { claims: 1, verified: 1, repaired: 0, dropped: 0, judged: 0, unjudged: 0 },
  };
}

interface LookedAt {
  files: string[];
  changedLines: number;
  sentences: number;
}

const mostNamed = 3;

export function lookedAtIn(
  { files, changedLines, sentences }: LookedAt,
  language: OfflineLanguage,
): Sentence {
  const named = files.slice(0, mostNamed).map(codeSpanOf);
  const text = wordings[language].nothing(named, files.length - named.length, changedLines, sentences);
  return { ...emptySentence, text, facts: [{ relation: 'found', text }] };
}

function codeSpanOf(code: string): string {
  const longest = Math.max(0, ...Array.from(code.matchAll(/`+/g), ([run]) => run.length));
  const fence = '`'.repeat(longest + 1);
  return longest === 0 ? `${fence}${code}${fence}` : `${fence} ${code} ${fence}`;
}

function shownCode(text: string): { code: string; isCut: boolean } {
  const code = text.trim();
  if (code.length <= longestShown) return { code, isCut: false };
  const cut = code.slice(0, longestShown);
  return { code: cut.slice(0, Math.max(cut.lastIndexOf(' '), longestShown / 2)).trim(), isCut: true };
}

interface Wording {
  line: (passage: LinePassage, placeOf: AnswerSource['placeOf']) => Sentence;
  words: (passage: WordsPassage) => Sentence;
  nowhere: string;
  nothing: (named: string[], more: number, changedLines: number, sentences: number) => string;
}

const lineBy =
  (before: Record<LinePassage['side'], (path: string) => string>) =>
  ({ own, side, evidence }: LinePassage, placeOf: AnswerSource['placeOf']): Sentence => {
    const { code, isCut } = shownCode(own);
    const text = `${before[side](codeSpanOf(placeOf(evidence.fileName).path))}${codeSpanOf(code)}${isCut ? ' …' : ''}`;
    return { ...emptySentence, text, quote: code, evidence: [evidence] };
  };

const wordsBy =
  (say: (speaker: string, where: string, text: string) => string, places: Record<string, string>) =>
  ({ words }: WordsPassage): Sentence => ({
    ...emptySentence,
    basis: 'words',
    text: say(words.speaker, places[words.where] ?? words.where, words.text),
    quote: words.text,
    words: [words],
  });

const wordings: Record<OfflineLanguage, Wording> = {
  en: {
    line: lineBy({
      added: (path) => `Added in ${path}: `,
      removed: (path) => `Removed from ${path}: `,
      context: (path) => `Unchanged in ${path}: `,
    }),
    words: wordsBy((speaker, where, text) => `${speaker} writes in the ${where}: “${text}”`, {
      commit: 'commit message',
      comment: 'discussion',
    }),
    nowhere: 'Nothing found. Searched: the articles of this repository.',
    nothing: (named, more, changedLines, sentences) =>
      `Nothing found. Searched: ${changedLines} changed lines in ${named.join(', ')}${more > 0 ? ` and ${more} more files` : ''}, and ${sentences} sentences by people.`,
  },
  ja: {
    line: lineBy({
      added: (path) => `${path} の追加行：`,
      removed: (path) => `${path} の削除行：`,
      context: (path) => `${path}（変更のない行）：`,
    }),
    words: wordsBy((speaker, where, text) => `${speaker} さん（${where}）：「${text}」`, {
      title: 'タイトル',
      description: '説明',
      commit: 'コミットメッセージ',
      issue: 'issue',
      comment: 'コメント',
    }),
    nowhere: '該当する記述は見つかりませんでした。検索範囲：このリポジトリの記事。',
    nothing: (named, more, changedLines, sentences) =>
      `該当する記述は見つかりませんでした。検索範囲：変更 ${changedLines} 行${named.length > 0 ? `（${named.join('、')}${more > 0 ? `、ほか ${more} ファイル` : ''}）` : ''}、説明やコメント ${sentences} 文。`,
  },
};
