import type { TSchema } from 'typebox';
import type { ArticleSummary } from '../contract/article.ts';
import { record, Text } from '../contract/formats.ts';
import { Type } from '../contract/type.ts';
import { headlineOf } from '../domain/titles.ts';
import { articleLink } from '../pages/links.ts';
import { markOf, type Said } from './article-sentences.ts';
import { resourceOf } from './tell-article.ts';
import {
  type AgentCall,
  type AgentDeps,
  cursorAt,
  inShort,
  NextCursor,
  Notice,
  notice,
  type Piece,
  type ToolAnswer,
  takeFitting,
} from './tool.ts';

const longestSentence = 300;

const listed = {
  articleId: Text('The article, for get_article and get_evidence.'),
  pullRequest: Text('The pull request, as in owner/repo#7.'),
  host: Text('The code host.'),
  language: Text('Language of this version.'),
  title: Type.String(),
  standfirst: Type.Unsafe<string | null>({ type: ['string', 'null'], description: 'What changes for whom.' }),
  url: Text('Its page.'),
  resource: Type.Optional(Text('The article as a resource.')),
  author: Type.Optional(Type.String()),
  changeTypes: Type.Optional(Type.Array(Type.String())),
  isBreaking: Type.Optional(Type.Boolean()),
  state: Type.Optional(Type.String()),
  mergedAt: Type.Optional(Type.Unsafe<string | null>({ type: ['string', 'null'] })),
  writtenAt: Type.Optional(Type.String()),
  readingMinutes: Type.Optional(Type.Integer()),
};

interface Extra {
  data: object;
  lines: string[];
}

type Summary = Omit<ArticleSummary, 'likeCount' | 'summaryGeneratedAt'> & { summaryGeneratedAt?: string };

interface ListOptions {
  deps: Pick<AgentDeps, 'codeHosts'>;
  call: Pick<AgentCall, 'origin'>;
  detail: 'brief' | 'full';
}

export function pieceOf(
  summary: Summary,
  { deps, call, detail }: ListOptions,
  extra: Extra = { data: {}, lines: [] },
): Piece<object> {
  const { articleId, languageCode: language, owner, repo, prNumber, host, mergedAt, changeTypes } = summary;
  const pullRequest = `${owner}/${repo}#${prNumber}`;
  const title = inShort(headlineOf(summary.title, summary), longestSentence);
  const standfirst = summary.standfirst === null ? null : inShort(summary.standfirst, longestSentence);
  const url = `${call.origin}${articleLink(summary, deps.codeHosts[0]?.id ?? '', { language })}`;
  const more = {
    resource: resourceOf(articleId, language),
    author: inShort(summary.authorLogin, longestSentence),
    ...{ changeTypes, isBreaking: summary.isBreaking, state: summary.state, mergedAt },
    ...(summary.summaryGeneratedAt !== undefined && { writtenAt: summary.summaryGeneratedAt }),
    readingMinutes: summary.readingMinutes,
  };
  const said = [
    pullRequest,
    `on ${host}`,
    ...(changeTypes.length > 0 ? [changeTypes.join(', ')] : []),
    ...(summary.isBreaking ? ['BREAKING'] : []),
    mergedAt === null ? summary.state : `merged ${mergedAt.slice(0, 10)}`,
    ...(detail === 'full' ? [more.author] : []),
  ];
  const lines = [said.join(' · '), ...(standfirst === null ? [] : [standfirst]), ...extra.lines, url];
  return {
    text: [`- ${title}`, ...lines.map((line) => `  ${line}`)].join('\n'),
    data: {
      ...{ articleId, pullRequest, host, language, title, standfirst, url },
      ...(detail === 'full' && more),
      ...extra.data,
    },
  };
}

export const sentenceLines = (sentences: Said[]): string[] =>
  sentences.map((said) => `> ${markOf(said)}${shortened(said.text)}`);

export const sentenceData = (sentences: Said[]): Said[] =>
  sentences.map(({ text, basis, source }) => ({ text: shortened(text), basis, ...(source && { source }) }));

export const shortened = (text: string): string => inShort(text, longestSentence);

export const ListedAnswer = (more: Record<string, TSchema> = {}, beside: Record<string, TSchema> = {}) =>
  record({
    notice: Notice,
    ...beside,
    items: Type.Array(record({ ...listed, ...more })),
    total: Type.Unsafe<number | null>({
      type: ['integer', 'null'],
      description: 'Total number; null if there are too many to count.',
    }),
    nextCursor: NextCursor,
  });

interface List {
  what: string;
  pieces: Piece<object>[];
  total: number | null;
  page: { limit: number; offset: number };
  beside?: Extra;
}

export function listAnswer({
  what,
  pieces,
  total,
  page,
  beside = { data: {}, lines: [] },
}: List): ToolAnswer {
  const fitting = takeFitting(pieces, [notice, notice, what, beside]);
  const end = page.offset + fitting.length;
  const isCut = fitting.length < pieces.length;
  const goesOn = isCut || (total === null ? pieces.length === page.limit : fitting.length > 0 && end < total);
  const nextCursor = goesOn ? cursorAt({ offset: end }) : null;
  const many = total === null ? 'more than 1,000' : String(total);
  const shown = fitting.length === 0 ? 'none here' : `${page.offset + 1} to ${end} here`;
  const next =
    nextCursor === null
      ? ''
      : `\n\n${isCut ? 'This result was shortened. ' : ''}Continue with cursor "${nextCursor}".`;
  const aside = beside.lines.map((line) => `\n${line}`).join('');
  return {
    text: `${notice}\n\n${what}: ${many}, ${shown}.${aside}\n\n${fitting.map(({ text }) => text).join('\n')}${next}`,
    data: { notice, ...beside.data, items: fitting.map(({ data }) => data), total, nextCursor },
  };
}
