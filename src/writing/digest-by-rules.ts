import { createHash } from 'node:crypto';
import type { Statement } from '../contract/article-parts.ts';
import type { ArticleSummary } from '../contract/articles.ts';
import type { ChangeType } from '../domain/articles.ts';
import { joinNames } from '../domain/text.ts';
import { authorTitle, isAuthorTitle, splitTitle } from '../domain/titles.ts';
import { isDependencyUpdate } from '../reading/change-type.ts';
import type { OfflineLanguage } from './articles.ts';

/** An article of a digest, with its lead, the sentence about what it breaks, and the first lines that it shows. */
export interface ShownArticle extends ArticleSummary {
  lead: Statement | null;
  breaking: Statement | null;
  evidence: Statement['evidence'];
}

/** A digest begins with these, in this order; the other articles are the rest. */
const groups = ['breaking', 'FEAT', 'FIX', 'PERF', 'other'] as const;
type Group = (typeof groups)[number];

const restKinds = ['DOCS', 'TEST', 'REFACTOR', 'dependencies', 'BUILD', 'CHORE'] as const;
type RestKind = (typeof restKinds)[number];

const typesByPrefix: Record<string, ChangeType> = {
  ...{ feat: 'FEAT', feature: 'FEAT', fix: 'FIX', bugfix: 'FIX', hotfix: 'FIX', perf: 'PERF' },
  ...{ docs: 'DOCS', doc: 'DOCS', test: 'TEST', tests: 'TEST', refactor: 'REFACTOR', style: 'REFACTOR' },
  ...{ build: 'BUILD', ci: 'BUILD', deps: 'BUILD', chore: 'CHORE' },
};

/** A title names at most this many changes of each group. */
const mostNamed = 3;

interface Wording {
  groups: Record<Group, (titles: string[]) => string>;
  breaking: (sentence: string) => string;
  quoted: (title: string) => string;
  rest: (kinds: RestKind[]) => string;
  merged: (titles: string[]) => string;
}

const namedInEnglish = (label: string) => (titles: string[]) => `${label}: ${joinNames(titles)}.`;
const namedInJapanese = (label: string) => (titles: string[]) => `${label}：${titles.join('')}。`;

const restInEnglish: Record<RestKind, string> = {
  DOCS: 'documentation',
  TEST: 'tests',
  REFACTOR: 'refactoring',
  dependencies: 'dependency updates',
  BUILD: 'builds',
  CHORE: 'maintenance',
};

const restInJapanese: Record<RestKind, string> = {
  DOCS: 'ドキュメント',
  TEST: 'テスト',
  REFACTOR: 'リファクタリング',
  dependencies: '依存関係の更新',
  BUILD: 'ビルド',
  CHORE: 'メンテナンス',
};

const wordings: Record<OfflineLanguage, Wording> = {
  en: {
    groups: {
      breaking: namedInEnglish('Breaking'),
      FEAT: namedInEnglish('New'),
      FIX: namedInEnglish('Fixes'),
      PERF: namedInEnglish('Performance'),
      other: namedInEnglish('Changes'),
    },
    breaking: (sentence) => `Breaking: ${sentence}`,
    quoted: (title) => `“${title}”`,
    rest: (kinds) => `Also merged: ${joinNames(kinds.map((kind) => restInEnglish[kind]))}.`,
    merged: namedInEnglish('Merged'),
  },
  ja: {
    groups: {
      breaking: namedInJapanese('互換性に影響'),
      FEAT: namedInJapanese('新機能'),
      FIX: namedInJapanese('修正'),
      PERF: namedInJapanese('性能'),
      other: namedInJapanese('変更'),
    },
    breaking: (sentence) => `互換性に影響：${sentence}`,
    quoted: (title) => `「${title}」`,
    rest: (kinds) => `ほかに、${kinds.map((kind) => restInJapanese[kind]).join('、')}のマージがありました。`,
    merged: namedInJapanese('マージ'),
  },
};

/**
 * The first paragraph of a digest without a model: what breaks, then what users notice, by the leads of the articles or
 * by the titles of their authors, then what else there was.
 */
export function paragraphByRules(articles: ShownArticle[], language: OfflineLanguage): Statement[] {
  const wording = wordings[language];
  const people = articles.filter(({ byBot }) => !byBot);
  const told = groups.flatMap((group) => {
    const own = people.filter((one) => groupOf(one) === group).slice(0, mostNamed);
    const led = own.flatMap((one) => ledBy(one, group, wording));
    const titled = own.filter((one) => sentenceOf(one, group) === null);
    const titles = titled.map((one) => titleIn(one, group, language));
    return titles.length > 0 ? [...led, quotation(wording.groups[group](titles), titled)] : led;
  });
  const rest = articles.filter((one) => groupOf(one) === null);
  if (told.length === 0) {
    const named = rest.filter(({ byBot }) => !byBot).slice(0, mostNamed);
    const titles = (named.length > 0 ? named : rest.slice(0, mostNamed)).map((one) =>
      titleIn(one, null, language),
    );
    return titles.length > 0 ? [quotation(wording.merged(titles), named)] : [];
  }
  const kinds = restKinds.filter((kind) => rest.some((one) => kindOf(one) === kind));
  return kinds.length > 0 ? [...told, quotation(wording.rest(kinds), rest)] : told;
}

const updatesDependency = (title: string): boolean => isDependencyUpdate(title) || /^bump /i.test(title);

const saysFix = /^fix(?:es|ed)?\b/i;

function groupOf({ isBreaking, byBot, changeTypes, title, lead }: ShownArticle): Group | null {
  if (byBot) return null;
  if (isBreaking) return 'breaking';
  if (updatesDependency(title)) return null;
  const [type] = changeTypes;
  if (type === 'FEAT' || type === 'FIX' || type === 'PERF') return type;
  if (type !== undefined) return null;
  return saysFix.test(title) || saysFix.test(lead?.text ?? '') ? 'FIX' : 'other';
}

function kindOf({ title, changeTypes: [type] }: ArticleSummary): RestKind | null {
  if (updatesDependency(title)) return 'dependencies';
  return restKinds.find((kind) => kind === type) ?? null;
}

/** The author's title, without a prefix that the sentence repeats, or a title that a model wrote. */
function titleIn(article: ShownArticle, group: Group | null, language: OfflineLanguage): string {
  const { title, aiGeneratedTitle, languageCode, lead } = article;
  if (lead?.source === 'changelog') return wordings[language].quoted(lead.text.replace(/[.。]$/u, ''));
  if (!isAuthorTitle(title, aiGeneratedTitle)) return wordings[language].quoted(aiGeneratedTitle);
  const { type, rest } = splitTitle(title);
  const ofPrefix = type === null ? undefined : typesByPrefix[type];
  // Without its "fix:", the title of a fix may say the opposite.
  const isRepeated =
    ofPrefix === group || (group === 'breaking' && ofPrefix !== 'FIX' && ofPrefix !== undefined);
  return wordings[language].quoted(isRepeated ? rest : authorTitle(title, languageCode));
}

const idOf = (text: string): string => createHash('sha256').update(text).digest('hex').slice(0, 12);

const quotation = (text: string, articles: ShownArticle[]): Statement => ({
  id: idOf(text),
  text,
  basis: 'words',
  evidence: articles.flatMap(({ evidence, prNumber }) =>
    evidence.slice(0, 1).map((one) => ({ ...one, prNumber })),
  ),
  ...(articles.length === 1 && articles[0] && { prNumber: articles[0].prNumber }),
});

/**
 * A sentence about lines that tells the change: the one about what breaks, or the lead. Quotations are no better than
 * titles.
 */
function sentenceOf(
  { lead, breaking }: ShownArticle,
  group: Group,
): Pick<Statement, 'text' | 'evidence'> | null {
  if (group === 'breaking' && breaking?.basis === 'diff') return breaking;
  return lead?.basis === 'diff' ? lead : null;
}

function ledBy(article: ShownArticle, group: Group, wording: Wording): Statement[] {
  const { prNumber } = article;
  const said = sentenceOf(article, group);
  if (!said) return [];
  const text = group === 'breaking' ? wording.breaking(said.text) : said.text;
  const evidence = said.evidence.map((one) => ({ ...one, prNumber }));
  return [{ id: idOf(text), text, basis: 'diff', evidence, prNumber }];
}
