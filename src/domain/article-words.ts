import {
  type AuthorWordsSource,
  type ChangeType,
  type FileKind,
  otherLanguageOf,
  type PointLabel,
  type QuoteSource,
  type ReasonForOffline,
} from './articles.ts';
import { recordedProvider } from './model-providers.ts';
import { afterSentence, joinNames } from './text.ts';

interface ReadShare {
  filesRead: number;
  filesTotal: number;
  linesRead: number;
  linesTotal: number;
  skippedTotal: number;
  notes?: { total: number; used: number };
  lookedAt?: { fileName: string; lines: number }[];
}

const countOfNouns =
  (one: string, several = `${one}s`) =>
  (count: number): string =>
    `${count.toLocaleString('en')} ${count === 1 ? one : several}`;
const inJapanese =
  (before: string, behind = '') =>
  (count: number): string =>
    `${before}${count.toLocaleString('ja')}${behind}`;

interface Dependencies<Item> {
  items: Item[];
  total: number;
}

/** Dependencies that only lock files pin are counted and not listed, unless there are no others. */
export function firstDependencies<Item extends { direct: boolean }>(
  { items, total }: Dependencies<Item>,
  most = 12,
): { shown: Item[]; more: number } {
  const direct = items.filter((item) => item.direct);
  const shown = (direct.length > 0 ? direct : items).slice(0, most);
  return { shown, more: total - shown.length };
}

/** The file that names a dependency, and whether only development uses it. */
export const placeOfDependency = (
  { comma, forDevelopment }: ArticleWords,
  { fileName, development }: { fileName: string; development?: true },
): [fileName: string, use: string] => [fileName, development ? `${comma}${forDevelopment}` : ''];

/** The change of a version: `^6.1.0 → ^6.2.0`, added or removed. */
export const sayTurn = (
  { turns }: ArticleWords,
  { from, to }: { from: string | null; to: string | null },
): string =>
  from !== null && to !== null
    ? `${from} → ${to}`
    : [to ?? from ?? '', from === null ? turns.added : turns.removed].filter(Boolean).join(' ');

interface Judged {
  basis: string;
  certain?: true | undefined;
}

/** The word before a judgement; null if it is certain. */
export const judgementWord = ({ judgement }: ArticleWords, { basis, certain }: Judged): string | null =>
  basis === 'judgement' && !certain ? judgement : null;

/** A paragraph with one label for its first sentence: that of a risk includes the word of a judgement. */
export function sayLabel<Statement extends Judged>(
  words: ArticleWords,
  { label, statements }: { label: PointLabel | null; statements: Statement[] },
): { label: string | null; statements: Statement[] } {
  const [first, ...others] = statements;
  if (label === null || !first) return { label: null, statements };
  const word = judgementWord(words, first);
  return {
    label: word === null ? words.labels[label] : words.inferred(words.labels[label]),
    statements: [{ ...first, certain: true }, ...others],
  };
}

interface HunkLine {
  oldLine: number | null;
  newLine: number | null;
  unchanged?: 'moved' | 'layout';
}

/** The changed lines of a hunk that only moved or were reformatted: `…: +12–18`. */
export function sayUnchanged({ unchanged: said, lines, comma }: ArticleWords, shown: HunkLine[]): string[] {
  return (['moved', 'layout'] as const).flatMap((reason) => {
    const ranges: { side: 'old' | 'new'; from: number; to: number }[] = [];
    for (const { oldLine, newLine, unchanged } of shown) {
      const number = newLine ?? oldLine;
      if (unchanged !== reason || number === null) continue;
      const side = newLine === null ? 'old' : 'new';
      const last = ranges.findLast((range) => range.side === side);
      if (last?.to === number - 1) last.to = number;
      else ranges.push({ side, from: number, to: number });
    }
    const places = ranges.map(({ side, from, to }) => lines(from === to ? `${from}` : `${from}–${to}`, side));
    return places.length > 0 ? [`${said[reason]}${places.join(comma)}`] : [];
  });
}

interface Range {
  from: string;
  to: string;
  commits: number;
  isUncommitted: boolean;
}

export type ArticleWords = typeof english;

export const english = {
  code: 'en' as 'en' | 'ja',
  change: 'The change',
  tests: 'Tests',
  also: 'Also',
  authorsWords: {
    description: 'In the author’s words',
    commit: 'In the author’s words',
    commits: 'Commits',
  } satisfies Record<AuthorWordsSource, string>,
  risk: 'Risk',
  judgement: 'Inference',
  inferred: (label: string) => `${label} (inference)`,
  before: 'Before',
  after: 'After',
  evidence: (file: string) => ` (${file})`,
  lines: (numbers: string, side: 'old' | 'new', unchanged = false) =>
    unchanged
      ? `${numbers} (unchanged${side === 'old' ? ', before' : ''})`
      : `${side === 'old' ? '−' : '+'}${numbers}`,
  unchanged: {
    moved: 'Lines that only moved, by their numbers in the file: ',
    layout: 'Lines with other white space only, by their numbers in the file: ',
  },
  quotedIn: (file: string) => file,
  afterLabel: ' ',
  betweenSentences: ' ',
  author: (source: QuoteSource): string =>
    source === 'changelog' ? ' (from the changelog)' : ` (the author${english.quotedFrom[source]})`,
  colon: ': ',
  comma: ', ',
  originalTitle: 'Original title: ',
  original: { en: 'Original (English)', ja: 'Original (Japanese)' },
  newTests: (names: string[], more: number) =>
    `New: ${names.join(', ')}${more > 0 ? ` and ${more.toLocaleString('en')} more` : ''}`,
  touchesIn: (names: string[], isMore: boolean) =>
    isMore ? `In ${names.join(', ')} and more` : `In ${names.join(', ').replace(/, (?=[^,]+$)/, ' and ')}`,
  touchesFiles: (count: number) => `In ${countOfNouns('file')(count)}`,
  newTestCount: countOfNouns('new test'),
  dependencies: 'Dependencies',
  turns: { added: 'added', removed: 'removed' },
  forDevelopment: 'development',
  moreDependencies: countOfNouns('more dependency', 'more dependencies'),
  moreLines: countOfNouns('more line'),
  states: { open: 'open', closed: 'closed', merged: 'merged' },
  labels: {
    breaking: 'Breaking',
    migration: 'Migration',
    deprecated: 'Deprecated',
    security: 'Security',
    default: 'New default',
    permission: 'Permission',
    skippedTest: 'Skipped test',
    measured: 'Measured',
    limits: 'Known limits',
  } satisfies Record<PointLabel, string>,
  types: {
    FEAT: 'FEAT',
    FIX: 'FIX',
    REFACTOR: 'REFACTOR',
    DOCS: 'DOCS',
    TEST: 'TEST',
    PERF: 'PERF',
    BUILD: 'BUILD',
    CHORE: 'CHORE',
  } satisfies Record<ChangeType, string>,
  quotedFrom: {
    title: ', in the title',
    description: ', in the description',
    commit: ', in a commit message',
    issue: ', in a linked issue',
    code: ', in a comment in the code',
    changelog: ', in the changelog',
  } satisfies Record<QuoteSource, string>,
  writtenIn: {
    description: ', in the description',
    commit: ', in the commit message',
    commits: 'From the commit messages',
  },
  someCommits: (shown: number, total: number) => `From ${shown} of ${total} commits`,
  shortened: 'Shortened',
  files: countOfNouns('file'),
  commits: countOfNouns('commit'),
  parts: {
    source: countOfNouns('source', 'source'),
    test: countOfNouns('test'),
    documentation: countOfNouns('doc'),
    build: countOfNouns('build', 'build'),
    configuration: countOfNouns('configuration', 'configuration'),
    manifest: countOfNouns('manifest'),
    lock: countOfNouns('lock file'),
    generated: countOfNouns('generated', 'generated'),
    vendored: countOfNouns('vendored', 'vendored'),
    binary: countOfNouns('binary', 'binary'),
  } satisfies Record<FileKind, (count: number) => string>,
  review: {
    heading: 'From the review',
    asReviewed: 'As reviewed',
    asMerged: 'As merged',
    asNow: 'In the latest version',
    takenOver: (reviewer: string, lines: number, isMerged: boolean) =>
      `${lines === 1 ? 'A line' : `${lines} lines`} that ${reviewer} wrote in this comment ${lines === 1 ? 'is' : 'are'} in ${isMerged ? 'the code as merged' : 'the latest version'}.`,
    come: (name: string) => `After this comment, ${name} was added here.`,
    gone: (name: string) => `After this comment, ${name} was removed here.`,
    renamed: (from: string, to: string) => `After this comment, ${from} was renamed to ${to} here.`,
    others: (threads: number, changed: number) =>
      `${countOfNouns('more thread')(threads)}${changed > 0 ? `; the code changed after ${changed === threads ? (threads === 1 ? 'it' : 'them') : `${changed} of them`}` : ''}.`,
    elsewhere: (number: number) => `A thread points to #${number}.`,
    approved: (names: string[]) => `Approved by ${joinNames(names)}.`,
    requested: (names: string[]) => `Changes requested by ${joinNames(names)}.`,
    replaced: 'Commits were replaced during the review.',
    hasMore: 'Not all comments were read.',
    hasCut: 'Of some other comments, only the beginning was read.',
    changedAfter: (some: number, all: number) =>
      `The code changed after ${all === 1 ? 'this discussion' : some === all ? 'these discussions' : `${some} of these discussions`}.`,
    on: (fileName: string | null) => (fileName === null ? 'On the whole change:' : `On \`${fileName}\`:`),
    whole: 'Read the whole review',
    newComments: (count: number) => `${countOfNouns('new comment')(count)} since`,
  },
  andMore: (count: number) => `and ${count.toLocaleString('en')} more`,
  range: ({ from, to, commits, isUncommitted }: Range) => {
    if (commits === 0) return `Uncommitted changes on ${to}`;
    const all = `${countOfNouns('commit')(commits)}${isUncommitted ? ' and uncommitted changes' : ''}`;
    return `${all}, ${from} to ${to}`;
  },
  byRules: 'Generated from the diff by rules, without a language model.',
  byModel: (model: string) => `Written by the language model ${model}.`,
  recorded: 'Example: written by a language model, recorded. Checked on this machine.',
  because: {
    tooLarge: 'The change is too large for the model.',
    private: 'The repository is private and is not shown to a model.',
    failed: 'The model could not be reached, or gave no usable answer.',
    budget: 'A limit on the use of the model was reached. You can have it rewritten.',
    trivial: 'Nothing in this change needs a model to explain it.',
  } satisfies Record<ReasonForOffline, string>,
  read: ({ filesRead, filesTotal, linesRead, linesTotal, skippedTotal, notes }: ReadShare): string => {
    const number = (count: number): string => count.toLocaleString('en');
    const noted = notes ? ', in parts' : '';
    const lines = countOfNouns('changed line')(linesTotal);
    if (skippedTotal === 0 && linesRead === linesTotal)
      return `The whole change was read${noted}: ${countOfNouns('file')(filesTotal)}, ${lines}.`;
    const isMore = skippedTotal > filesTotal - filesRead;
    const unread = isMore ? `; ${number(skippedTotal)} not read, or not to the end` : '';
    return `${number(filesRead)} of ${countOfNouns('file')(filesTotal)} and ${number(linesRead)} of ${lines} were read${noted}${unread}.`;
  },
  notesUsed: ({ total, used }: { total: number; used: number }): string =>
    `${used.toLocaleString('en')} of ${countOfNouns('note')(total)} on the parts went into the article.`,
  lookedAt: (files: number, lines: number): string =>
    `The model also saw ${countOfNouns('line')(lines)} that the change leaves alone, in ${countOfNouns('file')(files)}.`,
};

export const japanese: ArticleWords = {
  code: 'ja',
  change: '変更内容',
  tests: 'テスト',
  also: 'その他',
  authorsWords: { description: '作成者の説明', commit: 'コミットメッセージ', commits: 'コミット' },
  risk: '注意',
  judgement: '推測',
  inferred: (label) => `${label}（推測）`,
  before: '変更前',
  after: '変更後',
  evidence: (file) => `（${file}）`,
  lines: (numbers, side, unchanged = false) =>
    `${side === 'old' ? '変更前の ' : ''}${numbers} 行目${unchanged ? '（変更なし）' : ''}`,
  unchanged: {
    moved: '移動しただけの行（ファイルの行番号）：',
    layout: '空白だけが変わった行（ファイルの行番号）：',
  },
  quotedIn: (file) => `${file} より`,
  afterLabel: '：',
  betweenSentences: '',
  author: (source) =>
    source === 'changelog' ? '（変更履歴より）' : `（作成者${japanese.quotedFrom[source]}）`,
  colon: '：',
  comma: '、',
  originalTitle: '原題：',
  original: { en: '原文（英語）', ja: '原文（日本語）' },
  newTests: (names, more) =>
    `追加：${names.join('、')}${more > 0 ? `、ほか ${more.toLocaleString('ja')} 件` : ''}`,
  touchesIn: (names, isMore) => `${names.join('、')}${isMore ? ' など' : ' '}を変更`,
  touchesFiles: inJapanese('', ' 件のファイルを変更'),
  newTestCount: inJapanese('テスト ', ' 件を追加'),
  dependencies: '依存関係',
  turns: { added: '追加', removed: '削除' },
  forDevelopment: '開発用',
  moreDependencies: inJapanese('ほか ', ' 件'),
  moreLines: inJapanese('ほか ', ' 行'),
  states: { open: 'オープン', closed: 'クローズ済み', merged: 'マージ済み' },
  labels: {
    breaking: '互換性に影響',
    migration: '移行',
    deprecated: '非推奨',
    security: 'セキュリティ',
    default: '既定値の変更',
    permission: '権限',
    skippedTest: 'テストのスキップ',
    measured: '計測',
    limits: '既知の制限',
  },
  types: {
    FEAT: '新機能',
    FIX: '修正',
    REFACTOR: 'リファクタリング',
    DOCS: 'ドキュメント',
    TEST: 'テスト',
    PERF: '性能',
    BUILD: 'ビルド',
    CHORE: 'メンテナンス',
  },
  quotedFrom: {
    title: '、タイトルより',
    description: '、説明文より',
    commit: '、コミットメッセージより',
    issue: '、関連 issue より',
    code: '、コード中のコメントより',
    changelog: '、変更履歴より',
  },
  writtenIn: {
    description: '、説明文より',
    commit: '、コミットメッセージより',
    commits: 'コミットメッセージより',
  },
  someCommits: (shown, total) => `コミット ${total} 件中 ${shown} 件のメッセージより`,
  shortened: '一部省略',
  files: inJapanese('', ' ファイル'),
  commits: inJapanese('コミット ', ' 件'),
  parts: {
    source: inJapanese('ソース '),
    test: inJapanese('テスト '),
    documentation: inJapanese('ドキュメント '),
    build: inJapanese('ビルド・CI 設定 '),
    configuration: inJapanese('設定 '),
    manifest: inJapanese('マニフェスト '),
    lock: inJapanese('ロックファイル '),
    generated: inJapanese('生成ファイル '),
    vendored: inJapanese('外部コード '),
    binary: inJapanese('バイナリ '),
  },
  review: {
    heading: 'レビューから',
    asReviewed: 'レビュー時',
    asMerged: 'マージ時',
    asNow: '最新版',
    takenOver: (reviewer, lines, isMerged) =>
      `${reviewer} がこのコメントに書いたコード ${lines} 行が、${isMerged ? 'マージされたコード' : '最新版'}にあります。`,
    come: (name) => `このコメントの後、${name} が追加されました。`,
    gone: (name) => `このコメントの後、${name} がなくなりました。`,
    renamed: (from, to) => `このコメントの後、${from} は ${to} に改名されました。`,
    others: (threads, changed) =>
      `ほかにスレッド ${threads} 件${changed > 0 ? `（うち ${changed} 件はその後コードを変更）` : ''}。`,
    elsewhere: (number) => `#${number} に触れているスレッドがあります。`,
    approved: (names) => `承認：${names.join('、')}。`,
    requested: (names) => `変更の要求：${names.join('、')}。`,
    replaced: 'レビュー中にコミットが置き換えられました。',
    hasMore: 'コメントの一部は読み取っていません。',
    hasCut: 'ほかのコメントの一部は、最初の部分だけを読み取りました。',
    changedAfter: (some, all) =>
      `${some === all ? 'このやり取り' : `このやり取りのうち ${some} 件`}の後、コードは変更されました。`,
    on: (fileName) => (fileName === null ? '変更全体について：' : `\`${fileName}\` について：`),
    whole: 'レビュー全体を読む',
    newComments: (count) => `その後の新しいコメント ${count} 件`,
  },
  andMore: inJapanese('ほか ', ' 件'),
  range: ({ from, to, commits, isUncommitted }) =>
    commits === 0
      ? `${to} の未コミットの変更`
      : `${from} から ${to} までの${inJapanese('コミット ', ' 件')(commits)}${isUncommitted ? 'と未コミットの変更' : ''}`,
  byRules: '言語モデルを使わず、差分から自動生成した記事です。',
  byModel: (model) => `この記事は言語モデル（${model}）が書きました。`,
  recorded: 'サンプル：言語モデルが書いた記事の記録です。このマシンで検証しました。',
  because: {
    tooLarge: '変更が大きすぎるため、モデルを使えませんでした。',
    private: '非公開リポジトリのため、モデルには送信していません。',
    failed: 'モデルに接続できないか、有効な回答を得られませんでした。',
    budget: 'モデルの利用上限に達したため、モデルを使わずに作成しました。モデルで作り直すこともできます。',
    trivial: '機械的な変更のため、モデルは使っていません。',
  },
  read: ({ filesRead, filesTotal, linesRead, linesTotal, skippedTotal, notes }) => {
    const number = (count: number): string => count.toLocaleString('ja');
    const noted = notes ? '、分割して' : 'に';
    if (skippedTotal === 0 && linesRead === linesTotal)
      return `${number(filesTotal)} ファイル、変更 ${number(linesTotal)} 行のすべて${noted}目を通しました。`;
    const isMore = skippedTotal > filesTotal - filesRead;
    const unread = isMore ? `（目を通していない、または途中までのファイル：${number(skippedTotal)} 件）` : '';
    return `${number(filesTotal)} ファイルのうち ${number(filesRead)} ファイル、変更 ${number(linesTotal)} 行のうち ${number(linesRead)} 行${noted}目を通しました${unread}。`;
  },
  notesUsed: ({ total, used }) =>
    `読み取り時に作成したメモ ${total.toLocaleString('ja')} 件のうち ${used.toLocaleString('ja')} 件を記事に使いました。`,
  lookedAt: (files, lines) =>
    `モデルは、変更されていないコードも ${files.toLocaleString('ja')} ファイル、${lines.toLocaleString('ja')} 行参照しました。`,
};

const languages: Record<string, ArticleWords> = { en: english, ja: japanese };

export const articleWordsFor = (languageCode: string): ArticleWords => languages[languageCode] ?? english;

interface Size {
  files: number;
  additions: number;
  deletions: number;
  commits: number;
  parts: { kind: FileKind; files: number }[];
}

/** The size of a change, and without a model also its kinds of files and number of commits. */
export function countsLine(
  words: ArticleWords,
  { files, additions, deletions, commits, parts }: Size,
  isByModel = false,
): string {
  const sizes = [words.files(files)];
  if (additions + deletions > 0) sizes.push(`+${additions} −${deletions}`);
  if (isByModel) return sizes.join(' · ');
  if (parts.length > 0) sizes.push(parts.map((part) => words.parts[part.kind](part.files)).join(words.comma));
  if (commits > 0) sizes.push(words.commits(commits));
  return sizes.join(' · ');
}

interface AuthorText {
  authorWords: { markdown: string; from: AuthorWordsSource; more: boolean } | null;
  quote: { text: string; from: QuoteSource } | null;
  languageCode: string;
  counts: { commits: number };
}

interface AuthorPlace {
  /** Whether the author's name is printed before the place: commits may have several authors. */
  isNamed: boolean;
  place: string;
  notes: string[];
}

/** The source of the author's words, their language, and whether they are cut. */
export function authorPlaceOf(
  { quotedFrom, writtenIn, someCommits, shortened, original }: ArticleWords,
  { authorWords, quote, languageCode, counts }: AuthorText,
): AuthorPlace {
  const other = otherLanguageOf(authorWords?.markdown ?? quote?.text ?? '', languageCode);
  const notes = other ? [original[other]] : [];
  if (!authorWords) return { isNamed: true, place: quotedFrom[quote?.from ?? 'description'], notes };
  const { from, markdown, more } = authorWords;
  const isNamed = from !== 'commits';
  const listed = isNamed ? 0 : (markdown.match(/^- /gm)?.length ?? 0);
  if (more && listed > 0 && listed < counts.commits)
    return { isNamed, place: someCommits(listed, counts.commits), notes };
  return { isNamed, place: writtenIn[from], notes: more ? [...notes, shortened] : notes };
}

export function authorTextOf(
  words: ArticleWords,
  content: AuthorText,
  author: string,
): { heading: string; text: string; by: string } | null {
  const text = content.authorWords?.markdown ?? content.quote?.text;
  if (!text) return null;
  const { isNamed, place, notes } = authorPlaceOf(words, content);
  const by = [`— ${isNamed ? author : ''}${place}`, ...notes].join(' · ');
  return { heading: words.authorsWords[content.authorWords?.from ?? 'description'], text, by };
}

export const joinSentences = (sentences: string[]): string =>
  sentences
    .map((sentence) => `${sentence}${afterSentence(sentence)}`)
    .join('')
    .trim();

export const footOf = (
  words: ArticleWords,
  { coverage, writer }: { coverage: ReadShare; writer: Writer },
): string => joinSentences([words.read(coverage), ...writtenBy(words, writer)]);

/** The notes on a change that was read in parts, and the share of the repository around it that the model saw. */
export function readingDetails(
  words: ArticleWords,
  { lookedAt = [], notes }: Pick<ReadShare, 'lookedAt' | 'notes'>,
): string[] {
  const files = new Set(lookedAt.map(({ fileName }) => fileName)).size;
  const lines = lookedAt.reduce((sum, one) => sum + one.lines, 0);
  return [...(notes ? [words.notesUsed(notes)] : []), ...(files > 0 ? [words.lookedAt(files, lines)] : [])];
}

interface Writer {
  kind: 'offline' | 'ai';
  provider?: string;
  model?: string;
  because?: ReasonForOffline;
}

export const isRecorded = ({ provider }: Pick<Writer, 'provider'>): boolean => provider === recordedProvider;

/** "Also" stands only below something else. */
export const headingOfRest = (
  { also, change }: ArticleWords,
  content: { mainChanges: object[]; tests: object | null; dependencies?: object | null | undefined },
): string => (content.mainChanges.length > 0 || content.tests || content.dependencies ? also : change);

export function writtenBy({ byRules, byModel, recorded, because }: ArticleWords, writer: Writer): string[] {
  const { kind, model = '' } = writer;
  const by = kind === 'offline' ? byRules : isRecorded(writer) ? recorded : byModel(model);
  return [by, ...(writer.because ? [because[writer.because]] : [])];
}
