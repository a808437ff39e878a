import assert from 'node:assert/strict';
import { printArticleBlocks, publishedContent } from '../src/actions/articles/read-article.ts';
import type { DetailScope } from '../src/db/visibility.ts';
import { sentencesOf } from '../src/mcp/article-sentences.ts';
import { readResource, tellArticle } from '../src/mcp/present-article.ts';
import type { ToolAnswer } from '../src/mcp/tool.ts';
import { tellEvidence } from '../src/mcp/tools/get-evidence.ts';
import { listAnswer, pieceOfSummary } from '../src/mcp/tools/list-articles.ts';
import { makeLargeArticle } from './make-large-article.ts';

const parts = { codeHosts: [] };
const call = { viewer: null, origin: 'https://pullquote.example', signal: new AbortController().signal };
const seen: DetailScope = { userId: null, now: new Date(), purpose: 'detail' };
const madeFrom = (seed: number) => {
  const made = makeLargeArticle(seed);
  return { ...made, said: publishedContent(made.content), seen };
};

/** Estimates the tokens of a response, at two bytes each. */
const tokensOf = ({ text, data }: ToolAnswer): number =>
  Math.ceil(
    Buffer.byteLength(JSON.stringify({ content: [{ type: 'text', text }], structuredContent: data })) / 2,
  );

interface Paged {
  nextCursor: string | null;
  sentences?: { id: string }[];
  markdown?: string;
  places?: unknown[];
  items?: { articleId: string }[];
}

/** The number of read responses, and the tokens of the largest. */
interface Read {
  answers: number;
  mostTokens: number;
}

/** Reads all pages and checks each against the limit. */
async function readAll(
  read: Read,
  ask: (cursor?: string) => ToolAnswer | Promise<ToolAnswer>,
): Promise<Paged[]> {
  const pages: Paged[] = [];
  let cursor: string | undefined;
  do {
    const told = await ask(cursor);
    const tokens = tokensOf(told);
    assert.ok(tokens <= 8_000, `${tokens} tokens`);
    read.mostTokens = Math.max(read.mostTokens, tokens);
    read.answers += 1;
    const data: Paged = { nextCursor: null, ...told.data };
    assert.ok(data.nextCursor === null || told.text.includes(`cursor "${data.nextCursor}"`));
    pages.push(data);
    cursor = data.nextCursor ?? undefined;
  } while (cursor !== undefined);
  return pages;
}

/** Reads large articles in every way, page by page. Fails if a response is too large, or if a text is missing or repeated. */
export async function readLargeArticles(count: number): Promise<Read> {
  const read = { answers: 0, mostTokens: 0 };
  for (let index = 0; index < count; index += 1) {
    const found = madeFrom(index);
    const sentences = sentencesOf(found.said);
    const brief = await readAll(read, (cursor) =>
      tellArticle(parts, found, call, { detail: 'brief', ...(cursor !== undefined && { cursor }) }),
    );
    assert.deepEqual(
      brief.flatMap((page) => page.sentences ?? []).map(({ id }) => id),
      sentences.map(({ statement }) => statement.id),
    );
    const full = await readAll(read, (cursor) =>
      tellArticle(parts, found, call, { detail: 'full', ...(cursor !== undefined && { cursor }) }),
    );
    const whole = (await printArticleBlocks(found.article, found.content)).map(({ text }) => text).join('\n');
    // A cut fence is reopened on the next page; all other text occurs once.
    const signs = (text: string) => text.replace(/^`{3,}\w*$/gm, '').replace(/\s/g, '');
    const told = full.map(({ markdown = '' }) => markdown).join('\n');
    assert.ok(signs(told) === signs(whole), 'nothing is lost or told twice');
    // A few sentences of each article, with the longest possible lines.
    for (const sentence of sentences.slice(index % 7, (index % 7) + 3)) {
      const { evidence } = sentence.statement;
      const code = evidence.map(() => ({ lines: Array(24).fill(`+${'行`'.repeat(400)}`), omitted: 7 }));
      const pages = await readAll(read, (cursor) => {
        const from = Number(cursor?.split('-')[0] ?? 0);
        return tellEvidence(parts, { found, sentence, from, code: code.slice(from) }, call);
      });
      assert.equal(pages.flatMap(({ places }) => places ?? []).length, evidence.length);
    }
    const { contents } = await readResource(
      async () => found,
      `pullquote://articles/${found.article.id}/en`,
      call,
    );
    assert.ok(Buffer.byteLength(JSON.stringify(contents)) <= 16_000);
    assert.match(contents[0]?.text ?? '', /The article continues: call get_article .* cursor "\d+-3"\.\)\n$/);
  }
  return read;
}

/** Reads lists of large articles, page by page, with the same checks. */
export async function listLargeArticles(count: number): Promise<Read> {
  const read = { answers: 0, mostTokens: 0 };
  const articles = Array.from({ length: count }, (_, seed) => madeFrom(seed));
  const pieces = articles.map(({ article, said }) => {
    const { aiGeneratedTitle, standfirst, changeTypes, quote, readingMinutes } = said;
    const { id: articleId, host, owner, repo, number: prNumber, title, authorLogin, state } = article;
    const lines = ['> '.padEnd(900, '深'), '> '.padEnd(900, '深'), '> '.padEnd(900, '深')];
    const summary = {
      ...{
        articleId,
        host,
        owner,
        repo,
        prNumber,
        title,
        authorLogin,
        byBot: false,
        state,
        changeTypes,
        quote,
        readingMinutes,
      },
      ...{ hostPrUrl: null, isExample: false, additions: 1, deletions: 0 },
      ...{ aiGeneratedTitle, standfirst: standfirst?.text ?? null, isBreaking: true, mergedAt: null },
      secondLine: { text: standfirst?.text ?? lines.join(' '), from: 'lead' as const },
      ...{ languageCode: 'en', repositoryFullName: `${owner}/${repo}` },
    };
    return pieceOfSummary(summary, { deps: parts, call, detail: 'full' }, { data: {}, lines });
  });
  const pages = await readAll(read, (cursor) => {
    const offset = Number(cursor ?? 0);
    const shown = pieces.slice(offset, offset + 100);
    return listAnswer({ what: 'Articles', pieces: shown, total: count, page: { limit: 100, offset } });
  });
  const listed = pages.flatMap(({ items }) => items ?? []).map(({ articleId }) => articleId);
  assert.deepEqual(
    listed,
    articles.map(({ article }) => article.id),
  );
  return read;
}
