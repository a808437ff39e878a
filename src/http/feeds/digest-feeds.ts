import { findFeedHolder } from '../../actions/accounts/account.ts';
import { findDigest } from '../../actions/digests/digest.ts';
import { findVisibleRepository, noRepository, seenBy } from '../../actions/repositories/find-repository.ts';
import type { Digest } from '../../contract/digest.ts';
import { Type } from '../../contract/type.ts';
import { findPeriodsWithMerges } from '../../db/digest-contents.ts';
import { findFeedAddress } from '../../db/feeds.ts';
import { findKnownSince } from '../../db/list-renewals.ts';
import { lastPeriods } from '../../domain/digest.ts';
import type { FeedFormat } from '../../feeds/feed.ts';
import { digestFeed } from '../../pages/feed-links.ts';
import { withQuery } from '../../pages/links.ts';
import { vary } from '../cache/cache-policy.ts';
import type { Deps } from '../deps.ts';
import { type DigestQuery, digestWish, settledSpanOf } from '../digest.ts';
import { endpoint } from '../endpoint.ts';
import { repositoryParams } from '../pull-requests.ts';
import { chooseCodeHost, hostQuery } from '../requests/choose-code-host.ts';
import { answerEntries, describedAs } from './answer-feed.ts';
import { noFeed, secretParam } from './own-feeds.ts';

/** As many periods as a reader of feeds may have missed: each is counted anew. */
const mostPeriods = 8;

const whatItHas =
  `One entry for each of the last ${mostPeriods} periods in which something is known to have been merged, with what \`GET /digest\` ` +
  'answers for it; the last one comes an hour after it has ended, when what was merged in it is written about.';

type Wanted = Omit<Parameters<typeof findDigest>[1], 'period' | 'span'>;

async function readDigests({ database, clock }: Deps, query: DigestQuery, wanted: Wanted): Promise<Digest[]> {
  const { period = 'weekly' } = query;
  const spans = lastPeriods(period, settledSpanOf(query, clock()), mostPeriods);
  const digests: Digest[] = [];
  for (const span of await findPeriodsWithMerges(database, wanted, spans))
    digests.push(await findDigest(database, { ...wanted, period, span }));
  return digests;
}

export const getRepositoryDigestFeed = (deps: Deps, format: FeedFormat) =>
  endpoint({
    ...describedAs(format, 'RepositoryDigestFeed', 'The digests of a repository'),
    description: `Of a public repository that is known here. ${whatItHas}`,
    params: Type.Object(repositoryParams),
    query: Type.Object({ ...hostQuery(deps.codeHosts), ...digestWish() }, { additionalProperties: false }),
    failures: ['REPOSITORY_NOT_FOUND'],
    async handle({ params: { owner, repo: name }, query, request, reply }) {
      const address = { codeHost: chooseCodeHost(deps.codeHosts, query.host), owner, name };
      const look = { viewer: null, now: deps.clock() };
      const repository = await findVisibleRepository(deps, address, look);
      if (!repository) throw noRepository(address);
      vary(reply, 'Accept-Language');
      const context = deps.contexts.contextFor(request, query.language);
      const [language, viewer] = [query.language ?? context.language, seenBy(look)];
      const scope = { kind: 'repository', repositoryId: repository.id } as const;
      const digests = await readDigests(deps, query, { language, scope, viewer });
      const { digestEntry } = await import('../../feeds/digest-entry.ts');
      const place = { host: repository.host, owner: repository.owner, repo: repository.name };
      const { period = 'weekly', until } = query;
      const named = {
        context,
        title: `Pullquote · ${context.words.digest.kinds[period]} · ${place.owner}/${place.repo}`,
        page: withQuery('/my/digest', { period, ...place }),
        self: digestFeed(place, context.firstHost, { period, until, language: query.language }),
        since: () => findKnownSince(deps.database, { repositoryId: repository.id, viewer }),
      };
      return answerEntries(deps, { request, reply }, format, named, (root) =>
        digests.map((digest) => digestEntry(root, digest, { repository: place })),
      );
    },
  });

export const getOwnDigestFeed = (deps: Deps, format: FeedFormat) =>
  endpoint({
    ...describedAs(format, 'OwnDigestFeed', 'The digests of the favorites of a user'),
    description: `For the user of this secret address, with the rights of the tokens that they saved. ${whatItHas}`,
    params: Type.Object(secretParam),
    query: Type.Object(digestWish(), { additionalProperties: false }),
    failures: ['NOT_FOUND'],
    async handle({ params, query, request, reply }) {
      const holder = await findFeedHolder(deps, params.secret);
      if (!holder) throw noFeed();
      const { identity, user } = holder;
      const language = query.language ?? user.language;
      const scope = { kind: 'favorites', userId: user.id } as const;
      const viewer = deps.listViewer(holder);
      const digests = await readDigests(deps, query, { language, scope, viewer });
      const { digestEntry } = await import('../../feeds/digest-entry.ts');
      const context = deps.contexts.contextFor(request, language);
      const { period = 'weekly' } = query;
      reply.headers({ 'cache-control': 'private, no-cache', 'x-robots-tag': 'noindex' });
      const named = {
        context,
        title: `Pullquote · ${context.words.digest.kinds[period]} · ${identity.hostUsername}`,
        page: withQuery('/my/digest', { period }),
        self: { ofUser: `${user.id} ${period}` },
        since: async () => (await findFeedAddress(deps.database, user.id))?.createdAt ?? deps.clock(),
      };
      return answerEntries(deps, { request, reply }, format, named, (root) =>
        digests.map((digest) => digestEntry(root, digest, { ofUser: user.id })),
      );
    },
  });
