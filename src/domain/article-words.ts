import type { PointLabel, QuoteSource, ReasonForOffline } from './article.ts';
import type { FileKind } from './file-kinds.ts';

/** What became of the claims of an article: each was verified, repaired, left unjudged, or dropped. */
export interface CheckedClaims {
  claims: number;
  verified: number;
  repaired: number;
  dropped: number;
  judged: number;
  unjudged: number;
}

/** What is said around an article wherever it is shown, in one language. */
export interface ArticleWords {
  /** What has become of a pull request. */
  states: Record<'open' | 'closed' | 'merged', string>;
  labels: Record<PointLabel, string>;
  /** Stands behind the name of the author. */
  quotedFrom: Record<QuoteSource, string>;
  /** The same where sentences of several commits are quoted. */
  quotedFromCommits: string;
  files: (count: number) => string;
  commits: (count: number) => string;
  /** So many files of a kind. */
  parts: Record<FileKind, (count: number) => string>;
  /** How often an edit was made. */
  times: (count: number) => string;
  sameEdit: string;
  tests: string;
  /** Stands before what follows the names of files that are listed. */
  andMore: (count: number) => string;
  byRules: string;
  byModel: (model: string) => string;
  /** Why a service that has a model wrote without it. */
  because: Record<ReasonForOffline, string>;
  /** What was checked and by what, and never more than that. */
  checked: (found: CheckedClaims) => string;
}

const counted =
  (one: string, several = `${one}s`) =>
  (count: number): string =>
    `${count.toLocaleString('en')} ${count === 1 ? one : several}`;
const inJapanese =
  (before: string, behind = '') =>
  (count: number): string =>
    `${before}${count.toLocaleString('ja')}${behind}`;

export const english: ArticleWords = {
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
  },
  quotedFrom: {
    title: ', in the title',
    description: ', in the description',
    commit: ', in a commit message',
    issue: ', in a linked issue',
    code: ', in a comment in the code',
    changelog: ', in the changelog',
  },
  quotedFromCommits: ', in commit messages',
  files: counted('file'),
  commits: counted('commit'),
  parts: {
    source: counted('source', 'source'),
    test: counted('test'),
    documentation: counted('document'),
    build: counted('build', 'build'),
    configuration: counted('configuration', 'configuration'),
    manifest: counted('manifest'),
    lock: counted('lock file'),
    generated: counted('generated', 'generated'),
    vendored: counted('vendored', 'vendored'),
    binary: counted('binary', 'binary'),
  },
  times: (count) => (count === 1 ? 'once' : counted('time')(count)),
  sameEdit: 'The same edit',
  tests: 'Tests',
  andMore: (count) => `and ${count.toLocaleString('en')} more`,
  byRules: 'Written from the diff by rules, without a language model.',
  byModel: (model) => `Written by ${model}.`,
  because: {
    tooLarge: 'The change is too large for the model.',
    private: 'The repository is private and is not shown to a model.',
    failed: 'The model gave no usable answer.',
    budget:
      'What the model may write in a day about watched repositories was used up; it can be written anew.',
    trivial: 'Nothing in this change needs a model to explain it.',
  },
  checked: ({ claims, verified, repaired, dropped, judged, unjudged }) => {
    const found = verified + repaired;
    const claim = counted('claim');
    if (claims === 0) return 'It makes no claim that would need the diff.';
    const all = claims === 1 ? 'Its one claim was' : `All ${claim(claims)} were`;
    const some = `${found.toLocaleString('en')} of ${claim(claims)} ${found === 1 ? 'was' : 'were'}`;
    const others = found > 0 ? `${unjudged.toLocaleString('en')} more` : claim(unjudged);
    return [
      ...(found > 0
        ? [
            `${found === claims ? all : some} borne out by the diff, or by the words that ${found === 1 ? 'it reports' : 'they report'}.`,
          ]
        : []),
      ...(judged > 0 ? [`A second reader agreed with ${judged.toLocaleString('en')}.`] : []),
      ...(unjudged > 0
        ? [
            `Names and numbers of ${others} were checked by rules alone; no second reader read ${unjudged === 1 ? 'it' : 'them'}.`,
          ]
        : []),
      ...(dropped > 0
        ? [
            `${counted('sentence')(dropped)} that could not be confirmed ${dropped === 1 ? 'was' : 'were'} left out.`,
          ]
        : []),
    ].join(' ');
  },
};

export const japanese: ArticleWords = {
  states: { open: 'オープン', closed: 'クローズ済み', merged: 'マージ済み' },
  labels: {
    breaking: '互換性に影響',
    migration: '移行',
    deprecated: '非推奨',
    security: 'セキュリティ',
    default: '既定値',
    permission: '権限',
    skippedTest: 'スキップしたテスト',
    measured: '計測',
    limits: '既知の制限',
  },
  quotedFrom: {
    title: '、タイトルより',
    description: '、説明文より',
    commit: '、コミットメッセージより',
    issue: '、関連 issue より',
    code: '、コード中のコメントより',
    changelog: '、変更履歴より',
  },
  quotedFromCommits: '、コミットメッセージより',
  files: inJapanese('', ' ファイル'),
  commits: inJapanese('コミット '),
  parts: {
    source: inJapanese('ソース '),
    test: inJapanese('テスト '),
    documentation: inJapanese('文書 '),
    build: inJapanese('ビルド '),
    configuration: inJapanese('設定 '),
    manifest: inJapanese('マニフェスト '),
    lock: inJapanese('ロックファイル '),
    generated: inJapanese('生成ファイル '),
    vendored: inJapanese('外部コード '),
    binary: inJapanese('バイナリ '),
  },
  times: inJapanese('', ' か所'),
  sameEdit: '同じ変更',
  tests: 'テスト',
  andMore: inJapanese('ほか ', ' 件'),
  byRules: '言語モデルを使わず、差分から規則に従って書かれました。',
  byModel: (model) => `${model} が書きました。`,
  because: {
    tooLarge: '変更が大きく、モデルでは読みきれません。',
    private: '非公開リポジトリのため、モデルには見せていません。',
    failed: 'モデルから使える回答が得られませんでした。',
    budget: 'ウォッチ中のリポジトリについてモデルが 1 日に書ける分を使い切りました。書き直しを依頼できます。',
    trivial: 'モデルの説明を要しない変更です。',
  },
  checked: ({ claims, verified, repaired, dropped, judged, unjudged }) => {
    const found = verified + repaired;
    const number = inJapanese('', ' 件');
    if (claims === 0) return '差分との照合が必要な記述はありません。';
    const which =
      found === claims ? `${number(claims)}の記述すべて` : `${number(claims)}の記述のうち ${number(found)}`;
    const others = `${found > 0 ? 'ほかの ' : ''}${number(unjudged)}`;
    return [
      ...(found > 0 ? [`${which}を、差分か、引かれた言葉の中に確認しました。`] : []),
      ...(judged > 0 ? [`うち ${number(judged)}は第二の読み手も認めました。`] : []),
      ...(unjudged > 0
        ? [`${others}は名前と数値を規則だけで照合したもので、第二の読み手は読んでいません。`]
        : []),
      ...(dropped > 0 ? [`確認できなかった ${number(dropped)}は載せていません。`] : []),
    ].join('');
  },
};

const languages: Record<string, ArticleWords> = { en: english, ja: japanese };

/** The words of a language, or English ones where it has none of its own. */
export const articleWordsFor = (languageCode: string): ArticleWords => languages[languageCode] ?? english;

/** Who wrote an article, and why not another one, a sentence each. */
export function writtenBy(
  { byRules, byModel, because }: ArticleWords,
  writer: { kind: 'offline' | 'ai'; provider?: string; model?: string; because?: ReasonForOffline },
): string[] {
  const { kind, provider, model } = writer;
  const by = kind === 'offline' ? byRules : byModel([provider, model].filter(Boolean).join('/'));
  return [by, ...(writer.because ? [because[writer.because]] : [])];
}
