import type { PointLabel, QuoteSource } from './article.ts';
import type { FileKind } from './file-kinds.ts';

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
    measured: 'Measured',
    limits: 'Known limits',
  },
  quotedFrom: {
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
};

export const japanese: ArticleWords = {
  states: { open: 'オープン', closed: 'クローズ済み', merged: 'マージ済み' },
  labels: {
    breaking: '互換性',
    migration: '移行',
    deprecated: '非推奨',
    security: 'セキュリティ',
    measured: '計測',
    limits: '既知の制限',
  },
  quotedFrom: {
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
};

const languages: Record<string, ArticleWords> = { en: english, ja: japanese };

/** The words of a language, or English ones where it has none of its own. */
export const articleWordsFor = (languageCode: string): ArticleWords => languages[languageCode] ?? english;
