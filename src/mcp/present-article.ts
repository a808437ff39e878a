import { presentSummary, printArticleBlocks } from '../actions/articles/read-article.ts';
import type { ArticleSummary } from '../contract/articles.ts';
import { Flag, List, record, Text } from '../contract/formats.ts';
import { Type } from '../contract/type.ts';
import { listArticles } from '../db/article-lists.ts';
import type { ArticleSection } from '../domain/articles.ts';
import { Failure } from '../domain/errors.ts';
import { headlineOf } from '../domain/titles.ts';
import { articleLink } from '../pages/links.ts';
import { SentenceOutput, sentencePiece, sentencesOf } from './article-sentences.ts';
import type { FindArticle, FoundArticle } from './find-article.ts';
import {
  type AgentCall,
  type AgentDeps,
  cursorAt,
  inShort,
  mostPieceBytes,
  NextCursor,
  Notice,
  notice,
  offsetOf,
  offsetWithin,
  type Piece,
  sentBytes,
  type ToolAnswer,
  takeFitting,
} from './tool.ts';

const mostBlockBytes = mostPieceBytes / 2;

function cutMarkdown(blocks: { text: string }[]): Piece<string>[] {
  return blocks
    .flatMap(({ text }) => (sentBytes(text) <= mostBlockBytes ? [text] : cutBlock(text)))
    .map(piece);
}

const piece = (text: string): Piece<string> => ({ text, data: text });

function cutBlock(text: string): string[] {
  const lines = text.split('\n');
  const fence = lines.at(-1) ?? '';
  const start = /^`{3,}$/.test(fence) ? lines.findIndex((line) => /^`{3,}\w*$/.test(line)) : -1;
  if (start === -1 || start === lines.length - 1) return cutLines(text, mostBlockBytes);
  const opening = lines[start] ?? '';
  const room = mostBlockBytes - sentBytes(opening) - sentBytes(fence);
  const inside = cutLines(lines.slice(start + 1, -1).join('\n'), room);
  const above = cutLines(lines.slice(0, start).join('\n'), mostBlockBytes);
  return [...above, ...inside.map((some) => `${opening}\n${some}\n${fence}`)].filter((one) => one !== '');
}

function cutLines(text: string, most: number): string[] {
  const pieces: string[] = [];
  let lines: string[] = [];
  let bytes = 0;
  for (const line of text.split('\n').flatMap((one) => cutLine(one, most))) {
    const size = sentBytes(line);
    if (lines.length > 0 && bytes + size > most) {
      pieces.push(lines.join('\n'));
      [lines, bytes] = [[], 0];
    }
    lines.push(line);
    bytes += size;
  }
  return [...pieces, lines.join('\n')];
}

const mostBytesOfCharacter = 6;

function cutLine(line: string, most: number): string[] {
  if (sentBytes(line) <= most) return [line];
  const characters = [...line];
  const each = Math.floor((most - 2) / (2 * mostBytesOfCharacter));
  return Array.from({ length: Math.ceil(characters.length / each) }, (_, index) =>
    characters.slice(index * each, (index + 1) * each).join(''),
  );
}

const scheme = 'pullquote://articles/';

export const resourceOf = (articleId: string, language: string): string =>
  `${scheme}${articleId}/${language}`;

export const resourceTemplate = {
  name: 'article',
  title: 'An article',
  uriTemplate: `${scheme}{articleId}/{language}`,
  description: 'An article about a pull request, as Markdown. Every list contains articleId and language.',
  mimeType: 'text/markdown',
};

const resourcesAtOnce = 20;
const longestDescription = 200;
const longestTitle = 300;

const listForm = { resources: [], nextCursor: '' };

export async function listResources(
  { database, codeHosts, listViewer }: AgentDeps,
  cursor: string | undefined,
  { viewer }: AgentCall,
) {
  if (cursor !== undefined && !/^\d{1,9}$/.test(cursor)) throw badCursor();
  const page = { limit: resourcesAtOnce, offset: offsetOf(cursor) };
  const { rows, total } = await listArticles(database, { viewer: listViewer(viewer), ...page });
  const fitting = takeFitting(rows.map(presentSummary(codeHosts)).map(resourcePiece), listForm);
  const end = page.offset + fitting.length;
  return {
    resources: fitting.map(({ data }) => data),
    ...(fitting.length > 0 && end < total && { nextCursor: cursorAt({ offset: end }) }),
  };
}

function resourcePiece(summary: ArticleSummary) {
  const { secondLine: line } = summary;
  const said = line === null ? '' : ` ${inShort(line.text, longestDescription)}`;
  return {
    text: '',
    data: {
      uri: resourceOf(summary.articleId, summary.languageCode),
      name: `${summary.owner}/${summary.repo}#${summary.prNumber}`,
      title: inShort(headlineOf(summary.title, summary), longestTitle),
      description: `${notice} On ${summary.host}.${said}`,
      mimeType: resourceTemplate.mimeType,
      annotations: { lastModified: summary.summaryGeneratedAt },
    },
  };
}

const badCursor = (): Failure =>
  new Failure('INVALID_REQUEST', 'This is not a cursor of this list. Call again without it.', {
    details: [{ field: 'cursor', problem: 'is of something else' }],
  });

export async function readResource(findArticle: FindArticle, uri: string, call: AgentCall) {
  const [, article, language] = /^pullquote:\/\/articles\/([0-9a-f-]{36})\/([a-z]{2})$/i.exec(uri) ?? [];
  if (article === undefined || language === undefined)
    throw new Failure(
      'NOT_FOUND',
      `Resource URIs have the form ${resourceTemplate.uriTemplate}. List them, or search.`,
    );
  const found = await findArticle({ pullRequest: article, language }, call);
  const pieces = cutMarkdown(await printArticleBlocks(found.article, found.content));
  const fitting = takeFitting(pieces, notice);
  const texts = fitting.map(({ text }) => text);
  if (fitting.length < pieces.length) {
    const cursor = cursorAt({ offset: fitting.length, revision: found.content.revision });
    texts.push(
      `(The article continues: call get_article with article "${article}", language "${language}", detail "full" and cursor "${cursor}".)`,
    );
  }
  const text = `> ${notice}\n\n${texts.join('\n\n')}\n`;
  return { contents: [{ uri, mimeType: resourceTemplate.mimeType, text }] };
}

export const ArticleHead = record({
  articleId: Type.String(),
  pullRequest: Text('The pull request, as in owner/repo#7.'),
  host: Text('The code host.'),
  language: Type.String(),
  languages: List(Type.String(), 'All available languages.'),
  title: Type.String(),
  author: Text('Author of the pull request.'),
  state: Type.String(),
  mergedAt: Type.Unsafe<string | null>({ type: ['string', 'null'] }),
  writer: Text('offline, or the model that wrote it.'),
  isStale: Flag('Whether the pull request has changed since the article was written.'),
  url: Text('Its page.'),
  resource: Text('The article as a resource.'),
});

export const ArticleAnswer = record({
  notice: Notice,
  article: ArticleHead,
  sentences: Type.Optional(List(SentenceOutput, 'With detail brief: the sentences.')),
  markdown: Type.Optional(Text('With detail full: the article with code and places.')),
  nextCursor: NextCursor,
});

export function headOf({ codeHosts }: Pick<AgentDeps, 'codeHosts'>, found: FoundArticle, call: AgentCall) {
  const { article, content, said } = found;
  const { languageCode: language } = content;
  const place = { host: article.host, owner: article.owner, repo: article.repo, prNumber: article.number };
  return {
    articleId: article.id,
    pullRequest: `${article.owner}/${article.repo}#${article.number}`,
    host: article.host,
    language,
    languages: article.contents.map(({ languageCode }) => languageCode),
    title: inShort(headlineOf(article.title, said), longestTitle),
    author: inShort(article.authorLogin, longestTitle),
    state: article.state,
    mergedAt: article.mergedAt?.toISOString() ?? null,
    writer: inShort(said.writer.model ?? said.writer.kind, longestTitle),
    isStale: content.isOutdated,
    url: `${call.origin}${articleLink(place, codeHosts[0]?.id ?? '', { language })}`,
    resource: resourceOf(article.id, language),
  };
}

interface Wish {
  section?: ArticleSection;
  detail: 'brief' | 'full';
  cursor?: string;
}

export async function tellArticle(
  deps: Pick<AgentDeps, 'codeHosts'>,
  found: FoundArticle,
  call: AgentCall,
  { section, detail, cursor }: Wish,
): Promise<ToolAnswer> {
  const { revision } = found.content;
  const from = offsetWithin(cursor, revision);
  const article = headOf(deps, found, call);
  const isWanted = (one: { section: ArticleSection }) => section === undefined || one.section === section;
  const end = <Data>(pieces: Piece<Data>[]) => {
    const fitting = takeFitting(pieces.slice(from), [
      notice,
      article,
      notice,
      article.title,
      article.url,
      article.author,
    ]);
    const offset = from + fitting.length;
    return { fitting, nextCursor: offset < pieces.length ? cursorAt({ offset, revision }) : null };
  };
  const next = (nextCursor: string | null): string =>
    nextCursor === null ? '' : `\n\nThere is more. Continue with cursor "${nextCursor}".`;
  if (detail === 'full') {
    const blocks = (await printArticleBlocks(found.article, found.content)).filter(isWanted);
    const { fitting, nextCursor } = end(cutMarkdown(blocks));
    const markdown = fitting.map(({ text }) => text).join('\n\n');
    return {
      text: `${notice}\n\n${markdown}${next(nextCursor)}`,
      data: { notice, article, markdown, nextCursor },
    };
  }
  const sentences = sentencesOf(found.said).filter(isWanted);
  const { fitting, nextCursor } = end(sentences.map(sentencePiece));
  const about = [
    article.pullRequest,
    `on ${article.host}`,
    article.author,
    article.state,
    ...(article.isStale ? ['stale'] : []),
  ];
  const lines = fitting.map(({ text }) => text).join('\n');
  return {
    text: `${notice}\n\n# ${article.title}\n${about.join(' · ')}\n${article.url}\n\n${lines}${next(nextCursor)}`,
    data: { notice, article, sentences: fitting.map(({ data }) => data), nextCursor },
  };
}
