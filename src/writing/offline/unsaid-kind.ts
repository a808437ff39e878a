import type { FileFacts } from '../../reading/facts.ts';
import type { AuthorTitle, Outline } from './outline.ts';

/** Words of those who speak of documents, or of a release, which may have nothing but notes. */
const ofDocuments =
  /doc(?!k)|read-?me|change-?log|change log|guide|typo|comment|spell|grammar|wording|phrasing|rephras|tutorial|web-?site|homepage|\bsite\b|translat|licen[sc]e|copyright|contribut|\bnews\b|release notes|notes?\b|examples?\b|sponsor|backer|authors|links?\b|badge|\bfaqs?\b|manual|man ?pages?|wiki|book|blog|article|markdown|\.(?:r?md|mdx|rst|adoc|rdoc|txt|html|tex)\b|history|sidebar|heading|foreword|^release\b|^prepare\b|release$|template|roadmap|instructions?|explain|clarif|describ|description|mention|glossary|文書|説明|誤字|訳|手順|リンク|ガイド|変更履歴|ライセンス/i;

/** And of tests. */
const ofTests =
  /tests?\b|testing|tested|testsuite|test[-_ ]|_test|\bspecs?\b|coverage|fixture|snapshot|\bmock|stub|assert|expectation|\be2e\b|flak[ye]|suite|benchmark|テスト|検証/i;

/** What all of a change is, where its title does not say so: who reads only that takes it for a change of code. */
export function unsaidKindOf(title: AuthorTitle | null, files: FileFacts[]): Outline['unsaidKind'] {
  const said = `${title?.text} ${title?.scope ?? ''}`;
  const isAll = (kind: FileFacts['kind']): boolean => files.every((file) => file.kind === kind);
  if (title === null || files.length === 0) return null;
  if (isAll('documentation')) return ofDocuments.test(said) ? null : 'documentation';
  return isAll('test') && !ofTests.test(said.replace(/([a-z])([A-Z])/g, '$1 $2')) ? 'test' : null;
}
