import type { Static, TObject } from 'typebox';
import { usualLanguage } from '../actions/articles/request-article.ts';
import type { SignedUpViewer, Viewer } from '../actions/deps.ts';
import { chooseDigest, findDigest, requireEmail, type WantedDigest } from '../actions/digests/digest.ts';
import { requireVisibleRepository } from '../actions/repositories/find-repository.ts';
import type { CodeHost } from '../code-hosts/code-host.ts';
import { Digest, DigestSettings } from '../contract/digests.ts';
import { LanguageCode, nullable, OneOf, record, ref } from '../contract/formats.ts';
import { Type } from '../contract/type.ts';
import { findDigestSettings, type StoredDigestSettings } from '../db/digests.ts';
import {
  digestChoices,
  digestPeriods,
  lastPeriod,
  longestEmail,
  type Span,
  settlesForMs,
} from '../domain/digests.ts';
import { Failure, notSignedUp } from '../domain/errors.ts';
import { hostMeant } from '../domain/repositories.ts';
import { parseMoment } from '../domain/time.ts';
import { confirmationMail } from '../feeds/mails.ts';
import type { Deps } from './deps.ts';
import { endpoint } from './endpoint.ts';
import { noCredential } from './requests/authenticate.ts';
import { repositoryQuery, requestedAddress } from './requests/choose-code-host.ts';
import { ok } from './responses/response.ts';

const tag = 'Digest';

export const digestWish = () => ({
  period: Type.Optional(OneOf(digestPeriods, 'A day or a week', { default: 'weekly' })),
  until: Type.Optional(
    Type.String({
      maxLength: 40,
      description:
        'A past date or time in ISO 8601; selects the last period that ended by then. Default: the most recent period that has ended',
      examples: ['2026-03-02'],
    }),
  ),
  language: Type.Optional(LanguageCode()),
});

export const digestQuery = (codeHosts: CodeHost[]) => ({ ...digestWish(), ...repositoryQuery(codeHosts) });

export type DigestQuery = Static<TObject<ReturnType<typeof digestQuery>>>;

/** Nothing was merged earlier, and databases write years before our era differently. */
const firstMoment = new Date('1970-01-01');

function requestedSpan({ period = 'weekly', until }: DigestQuery, now: Date): Span {
  const moment = until === undefined ? now : parseMoment(until);
  if (moment && moment >= firstMoment && moment <= now) return lastPeriod(period, moment);
  throw invalid('until', 'must be a past date or time, no earlier than 1970-01-01, such as 2026-03-02');
}

export const settledSpanOf = (query: DigestQuery, now: Date): Span =>
  query.until === undefined
    ? lastPeriod(query.period ?? 'weekly', new Date(now.getTime() - settlesForMs))
    : requestedSpan(query, now);

const invalid = (field: string, problem: string): Failure =>
  new Failure('INVALID_REQUEST', `${field} ${problem}.`, { details: [{ field, problem }] });

export async function findWanted(
  deps: Deps,
  query: DigestQuery,
  viewer: Viewer | null,
): Promise<WantedDigest> {
  const { codeHosts, clock } = deps;
  const { period = 'weekly', host, owner, repo } = query;
  const now = clock();
  const isOfFavorites = owner === undefined && repo === undefined;
  // The credential is checked before the query, as in all operations.
  if (isOfFavorites && !viewer) throw noCredential();
  const span = requestedSpan(query, now);
  const language = query.language ?? usualLanguage(deps, viewer?.user ?? undefined, false);
  const wanted = { language, period, span };
  if (isOfFavorites) {
    if (!viewer?.user) throw notSignedUp();
    const scope = { kind: 'favorites', userId: viewer.user.id } as const;
    return { ...wanted, scope, viewer: deps.listViewer(viewer) };
  }
  if (owner === undefined) throw invalid('owner', 'is required together with repo');
  if (repo === undefined) throw invalid('repo', 'is required together with owner');
  const address = requestedAddress(
    codeHosts,
    { owner, repo },
    { host: host ?? hostMeant(codeHosts, owner)?.id },
  );
  const { found, seen } = await requireVisibleRepository(deps, address, { viewer, now });
  const scope = { kind: 'repository', repositoryId: found.id } as const;
  return { ...wanted, scope, viewer: seen };
}

export const getDigest = (deps: Deps) =>
  endpoint({
    operationId: 'getDigest',
    summary: 'Get the digest of a day or a week',
    description:
      "Says in a paragraph what a period was, and shows at most ten articles: what breaks, then what users notice, then the rest, each by likes and then by changed lines. Merges that are not shown are counted by reason, so the counts add up to all merges. Covers the caller's favorites, or one repository; a public one needs no credential. All merges of clones are known, and on other hosts those in repositories that someone watches and pull requests that were fetched.",
    tag,
    access: 'viewer',
    query: digestQuery(deps.codeHosts),
    data: ref(Digest),
    success: { 200: 'The merges of the period and a selection of articles.' },
    failures: ['USER_NOT_FOUND', 'REPOSITORY_NOT_FOUND'],
    handle: async ({ query, viewer }) => ok(await findDigest(deps, await findWanted(deps, query, viewer))),
  });

export function takeChoice(
  { mail, publicUrl, ...deps }: Deps,
  choice: Parameters<typeof chooseDigest>[1],
  viewer: SignedUpViewer,
): Promise<StoredDigestSettings> {
  const mailing =
    mail && publicUrl ? { client: mail, publicUrl, composeConfirmation: confirmationMail } : null;
  return chooseDigest({ ...deps, mailing }, choice, viewer);
}

export const presentDigestSettings = ({ isConfirmed, ...same }: StoredDigestSettings): DigestSettings => ({
  ...same,
  confirmed: isConfirmed,
});

export const getDigestSettings = ({ database }: Deps) =>
  endpoint({
    operationId: 'getDigestSettings',
    summary: "Get the caller's digest settings",
    description: 'No digest is sent until the address is confirmed.',
    tag,
    access: 'user',
    data: ref(DigestSettings),
    success: { 200: 'Your digest settings.' },
    handle: async ({ viewer }) =>
      ok(presentDigestSettings(await findDigestSettings(database, viewer.user.id))),
  });

const confirmFirst =
  'Open the link in the email to this address and confirm. No digest is sent until you do.';

export const putDigest = (deps: Deps) =>
  endpoint({
    operationId: 'chooseDigest',
    summary: "Change the caller's digest settings",
    description:
      'Sends an email with a confirmation link to a new address. Repeating the request sends another: at most three a day to one address, and ten a day for one caller. Null deletes the saved address; omitting the field keeps it. If the service does not send email, only `off` is accepted.',
    tag,
    access: 'user',
    body: record(
      {
        period: OneOf(digestChoices, 'How often to send the digest, or off'),
        email: Type.Optional(
          nullable(
            Type.String({ maxLength: longestEmail, description: 'Where to', examples: ['mara@example.org'] }),
          ),
        ),
      },
      { example: { period: 'weekly', email: 'mara@example.org' } },
    ),
    refuseBody: ({ email }) => requireEmail(email),
    data: ref(DigestSettings),
    success: { 200: 'Your digest settings are saved.' },
    failures: ['FORBIDDEN', 'QUOTA_EXHAUSTED'],
    async handle({ body: { period, email }, viewer }) {
      const chosen = await takeChoice(deps, { period, email }, viewer);
      const isUnconfirmed = period !== 'off' && !chosen.isConfirmed;
      return ok(presentDigestSettings(chosen), isUnconfirmed ? confirmFirst : undefined);
    },
  });
