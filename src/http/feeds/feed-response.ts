import { setImmediate } from 'node:timers/promises';
import { findDigest, findPeriods } from '../../actions/digests/digest.ts';
import { withPresentUrl } from '../../actions/pull-requests/find-pull-request.ts';
import { openReview } from '../../actions/reviews/read-review.ts';
import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { Digest } from '../../contract/digests.ts';
import { Type } from '../../contract/type.ts';
import { type FeedArticle as Found, findFeedArticles } from '../../db/following.ts';
import { findRenewalStart } from '../../db/repositories.ts';
import type { ListScope } from '../../db/visibility.ts';
import { lastPeriods } from '../../domain/digests.ts';
import { secondLineOf } from '../../domain/second-line.ts';
import type { digestEntry as DigestEntry } from '../../feeds/digest-entry.ts';
import {
  type FeedArticle,
  type FeedEntry,
  type FeedFormat,
  type FeedRoot,
  feedTypes,
  writeFeed,
} from '../../feeds/feed.ts';
import { mostFeedBytes, Room } from '../../pages/html.ts';
import type { PageContext } from '../../pages/layout.ts';
import type { FeedAddress } from '../../pages/links.ts';
import { cacheKey, tagOf } from '../cache/cache-policy.ts';
import type { Deps } from '../deps.ts';
import { type DigestQuery, settledSpanOf } from '../digests.ts';
import type { Call as EndpointCall } from '../endpoint.ts';
import { originOf } from '../requests/addresses.ts';
import { type ContentResponse, content } from '../responses/response.ts';

export const mostEntries = 30;

interface NamedFeed {
  context: PageContext;
  title: string;
  page: string;
  self: FeedAddress | { ofUser: string };
  since?: () => Promise<Date>;
}

export interface FoundFeed extends NamedFeed {
  viewer: ListScope;
  found: Pick<Found, 'articleId' | 'languageCode'>[];
}

export const describedAs = (format: FeedFormat, name: string, summary: string) => ({
  operationId: `get${name}${format === 'atom' ? 'Atom' : 'Json'}`,
  summary: `${summary}, as ${format === 'atom' ? 'Atom' : 'JSON Feed 1.1'}`,
  tag: 'Feed',
  access: 'public' as const,
  contentType: `${feedTypes[format]}; charset=utf-8`,
  data:
    format === 'atom' ? Type.String() : Type.Unsafe<string>({ type: 'object', additionalProperties: true }),
  success: { 200: 'The feed.' },
});

type Call = Pick<EndpointCall, 'request' | 'reply'>;

export async function sendFeed(
  deps: Deps,
  call: Call,
  format: FeedFormat,
  { viewer, found, ...named }: FoundFeed,
): Promise<ContentResponse> {
  const { articleEntry } = await import('../../feeds/article-entry.ts');
  const articles = await findFeedArticles(deps.database, found, viewer);
  const room = new Room(mostFeedBytes);
  return sendEntries(deps, call, format, named, async (root) => {
    const entries: FeedEntry[] = [];
    for (const article of articles) {
      const present = presentForFeed(deps.codeHosts, article);
      const tell = room.isUsedUp ? null : await openReview(deps, article, viewer);
      const { languageCode, content } = article;
      const review = tell?.(content.summaryGeneratedAt, languageCode, article.chosen ?? []) ?? null;
      entries.push(articleEntry(root, { ...present, content: { ...content, review } }, room));
      // Other requests take their turn between two entries.
      await setImmediate();
    }
    return entries;
  });
}

async function sendEntries(
  { database, feedTimes, clock, publicUrl }: Deps,
  { request, reply }: Call,
  format: FeedFormat,
  { context, title, page, self, since = () => findRenewalStart(database) }: NamedFeed,
  entriesFrom: (root: FeedRoot) => Promise<FeedEntry[]>,
): Promise<ContentResponse> {
  const { firstHost, language } = context;
  const origin = originOf(request, publicUrl);
  const entries = await entriesFrom({ origin, firstHost });
  const written = await writeFeed(format, {
    origin,
    firstHost,
    identity: 'ofUser' in self ? self.ofUser : origin + self('atom'),
    title,
    language,
    page,
    self: 'ofUser' in self ? null : self(format),
    since: entries.length === 0 ? await since() : new Date(0),
    entries,
  });
  const seen = feedTimes.note(tagOf(`${origin} ${cacheKey(request.raw)}`), tagOf(written), clock());
  reply.header('last-modified', seen);
  return content(`${feedTypes[format]}; charset=utf-8`, written);
}

function presentForFeed(codeHosts: CodeHost[], found: Found): FeedArticle {
  const codeHost = codeHosts.find(({ id }) => id === found.host);
  const { number, hostUrl, touches, ...same } = withPresentUrl(codeHost, found);
  const { standfirst, ...content } = found.content;
  const secondLine = secondLineOf({ ...content, standfirst: standfirst?.text ?? null, touches });
  return { ...same, prNumber: number, hostPrUrl: hostUrl, secondLine };
}

const mostPeriods = 8;

export const digestFeedEntries = `One entry for each of the last ${mostPeriods} periods with merges, as \`GET /digest\` returns it; the newest appears an hour after the period ends, when its articles are written.`;

interface FoundDigests extends NamedFeed {
  query: DigestQuery;
  wanted: Omit<Parameters<typeof findDigest>[1], 'period' | 'span'>;
  of: Parameters<typeof DigestEntry>[2];
}

export async function sendDigestFeed(
  deps: Deps,
  call: Call,
  format: FeedFormat,
  { query, wanted, of, ...named }: FoundDigests,
): Promise<ContentResponse> {
  const { digestEntry } = await import('../../feeds/digest-entry.ts');
  const { period = 'weekly' } = query;
  const spans = lastPeriods(period, settledSpanOf(query, deps.clock()), mostPeriods);
  const digests: Digest[] = [];
  for (const span of await findPeriods(deps, wanted, spans))
    digests.push(await findDigest(deps, { ...wanted, period, span }));
  return sendEntries(deps, call, format, named, async (root) =>
    digests.map((digest) => digestEntry(root, digest, of)),
  );
}
