/** The types of Conventional Commits as words. Other prefixes stay unchanged. */
const types: Record<string, { en: string; ja: string }> = {
  feat: { en: 'Feature', ja: '新機能' },
  feature: { en: 'Feature', ja: '新機能' },
  fix: { en: 'Fix', ja: '修正' },
  bugfix: { en: 'Fix', ja: '修正' },
  hotfix: { en: 'Fix', ja: '修正' },
  refactor: { en: 'Refactoring', ja: 'リファクタリング' },
  docs: { en: 'Documentation', ja: 'ドキュメント' },
  doc: { en: 'Documentation', ja: 'ドキュメント' },
  test: { en: 'Tests', ja: 'テスト' },
  tests: { en: 'Tests', ja: 'テスト' },
  perf: { en: 'Performance', ja: '性能' },
  build: { en: 'Build', ja: 'ビルド' },
  ci: { en: 'CI', ja: 'CI' },
  chore: { en: 'Chore', ja: 'メンテナンス' },
  style: { en: 'Style', ja: 'コードスタイル' },
  revert: { en: 'Revert', ja: '取り消し' },
  deps: { en: 'Dependencies', ja: '依存関係' },
};

const conventional =
  /^(?::[a-z0-9_+-]{1,40}:\s*|\p{Extended_Pictographic}\uFE0F?\s*)?([a-z]{2,10})(?:\(([^()]{1,60})\))?(!)?[:：]\s*(?=\S)/iu;

/** Hosts allow 256 characters; a commit in a clone may have a subject of any length. */
const longestTitle = 1_000;

/** A title without the number at the end of merged commits, its known prefix, and the rest. */
export function splitTitle(title: string) {
  const line = title.trim().replace(/\s+/g, ' ');
  const cut = line.length > longestTitle ? `${line.slice(0, longestTitle).toWellFormed()}…` : line;
  const whole = cut.replace(/ \(#\d{1,15}\)$/, '');
  const [prefix = '', given = '', scope, mark] = conventional.exec(whole) ?? [];
  const type = given.toLowerCase();
  if (!Object.hasOwn(types, type)) return { whole, type: null, rest: whole };
  return { whole, type, scope, mark, rest: whole.slice(prefix.length) };
}

/**
 * A pull request's title as its author wrote it, with the type as a word: without "fix:", a title can say the opposite.
 */
export function authorTitle(title: string, languageCode: string): string {
  const { whole, type, scope, mark, rest } = splitTitle(title);
  const word = type === null ? undefined : types[type];
  if (!word) return whole;
  if (languageCode === 'ja') {
    const notes = [...(scope ? [scope] : []), ...(mark ? ['互換性に影響'] : [])];
    return `${word.ja}${notes.length > 0 ? `（${notes.join('、')}）` : ''}：${rest}`;
  }
  const notes = [...(scope ? [scope] : []), ...(mark ? ['breaking'] : [])];
  return `${word.en}${notes.length > 0 ? ` (${notes.join(', ')})` : ''}: ${rest}`;
}

const lettersOnly = (text: string): string =>
  text
    .toLowerCase()
    .match(/[\p{L}\p{N}]+/gu)
    ?.join('') ?? '';

/**
 * The headline of an article: the author's title, unless a writer chose another one. Stored titles may be cut or lack
 * their prefix, so the author's is read from the pull request.
 */
export function headlineOf(
  title: string,
  { aiGeneratedTitle, languageCode }: { aiGeneratedTitle: string; languageCode: string },
): string {
  return isAuthorTitle(title, aiGeneratedTitle) ? authorTitle(title, languageCode) : aiGeneratedTitle;
}

export function isAuthorTitle(title: string, aiGeneratedTitle: string): boolean {
  const stored = lettersOnly(aiGeneratedTitle);
  return stored !== '' && lettersOnly(title.slice(0, longestTitle)).includes(stored);
}
