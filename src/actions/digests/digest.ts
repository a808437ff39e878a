import { randomBytes } from 'node:crypto';
import type { ArticleSummary } from '../../contract/articles.ts';
import type { Digest } from '../../contract/digests.ts';
import { type FoundParagraph, findParagraphs } from '../../db/digest-paragraphs.ts';
import {
  type DigestScope,
  findDigestSettings,
  findPeriodsWithMerges,
  findTimeOfLastMerge,
  type ListedMerges,
  listDigestRepositories,
  type RepositoryFates,
  readDigest,
  type StoredDigestSettings,
  saveDigestSettings,
} from '../../db/digests.ts';
import { giveBackQuota, takeQuota } from '../../db/quotas.ts';
import type { VisibilityScope } from '../../db/visibility.ts';
import {
  type DigestChoice,
  type DigestPeriod,
  isEmail,
  type Mail,
  type MailClient,
  mostShown,
  restReasons,
  type Span,
  wholeOf,
} from '../../domain/digests.ts';
import { Failure } from '../../domain/errors.ts';
import { quotaExhausted } from '../../domain/limits.ts';
import { hashToken } from '../../domain/secrets.ts';
import { utcDay } from '../../domain/time.ts';
import { isOfflineLanguage } from '../../writing/articles.ts';
import { paragraphByRules } from '../../writing/digest-by-rules.ts';
import { presentSummary } from '../articles/read-article.ts';
import type { Deps, SignedUpViewer } from '../deps.ts';

export interface WantedDigest {
  scope: DigestScope;
  viewer: VisibilityScope;
  language: string;
  period: DigestPeriod;
  span: Span;
}

type Counts = Pick<Digest, 'merged' | 'written' | 'shown' | 'rest'>;

type ReadDeps = Pick<Deps, 'database' | 'codeHosts'>;

/** The merges of clones, which list all of them, whether or not a pull request was ever fetched. */
async function listMerges(
  { database, codeHosts }: ReadDeps,
  wanted: Pick<WantedDigest, 'scope' | 'viewer'>,
  span: Span,
  { needsBots }: { needsBots: boolean },
): Promise<ListedMerges> {
  const listing = new Map(codeHosts.flatMap((host) => (host.mergedWithin ? [[host.id, host]] : [])));
  if (listing.size === 0) return { repositoryIds: [], merged: [] };
  const repositories = await listDigestRepositories(database, { ...wanted, hosts: [...listing.keys()] });
  const found = await Promise.all(
    repositories.map(async (repository) => {
      // A clone that cannot be read now is like a repository on any other host.
      const merges = await listing.get(repository.host)?.mergedWithin?.(repository, span).catch(unreadable);
      if (!merges) return null;
      const bots = needsBots ? await merges.findBots().catch(unreadable) : null;
      const { id: repositoryId } = repository;
      const merged = merges.merged.map((one) => ({
        ...one,
        repositoryId,
        isBot: bots?.has(one.number) ?? false,
      }));
      return { repositoryId, merged };
    }),
  );
  const listed = found.filter((one) => one !== null);
  return {
    repositoryIds: listed.map(({ repositoryId }) => repositoryId),
    merged: listed.flatMap(({ merged }) => merged),
  };
}

function unreadable(error: unknown): null {
  if (error instanceof Failure) return null;
  throw error;
}

export async function findPeriods(
  deps: ReadDeps,
  wanted: Pick<WantedDigest, 'scope' | 'viewer'>,
  spans: [Span, ...Span[]],
): Promise<Span[]> {
  const listed = await listMerges(deps, wanted, wholeOf(spans), { needsBots: false });
  return findPeriodsWithMerges(deps.database, { ...wanted, listed }, spans);
}

/** A clone lists tens of thousands of merges; of the newest, some may have been removed. */
const mostAsked = 1_000;

export async function findLastMerge(
  deps: ReadDeps,
  wanted: Pick<WantedDigest, 'scope' | 'viewer'>,
  before: Date,
): Promise<Date | null> {
  const span = { from: new Date(0), to: before };
  const listed = await listMerges(deps, wanted, span, { needsBots: false });
  const newest = listed.merged.sort((one, other) => other.mergedAt.getTime() - one.mergedAt.getTime());
  const merged = newest.slice(0, mostAsked);
  return findTimeOfLastMerge(deps.database, { ...wanted, listed: { ...listed, merged } }, before);
}

export async function findDigest(deps: ReadDeps, wanted: WantedDigest): Promise<Digest> {
  const { period, language, span } = wanted;
  const listed = await listMerges(deps, wanted, span, { needsBots: true });
  const read = await readDigest(deps.database, { ...wanted, listed, most: mostShown });
  const { repositories } = read;
  const items = read.items.map(presentSummary(deps.codeHosts));
  const written = await findParagraphs(deps.database, wanted);
  const openings = repositories.map((one) =>
    openingOf(
      written.find(({ repositoryId }) => repositoryId === one.repositoryId),
      {
        ...{ ...one, items, language },
        groundOf: read.groundOf,
      },
    ),
  );
  const paragraph = openings.flatMap((one) => one.paragraph ?? []);
  return {
    period,
    language,
    from: span.from.toISOString(),
    to: span.to.toISOString(),
    mergedKnown: repositories.every(({ isComplete }) => isComplete) ? 'all' : 'some',
    title: openings.length === 1 ? (openings[0]?.title ?? null) : null,
    paragraph: paragraph.length > 0 ? paragraph : null,
    ...digestCountsOf(repositories),
    items,
    repositories: repositories.map((one, place) => {
      const { host, owner, repo, isComplete } = one;
      return { host, owner, repo, isComplete, ...noOpening, ...openings[place], ...digestCountsOf([one]) };
    }),
  };
}

type Opening = Pick<Digest['repositories'][number], 'title' | 'paragraph' | 'byModel'>;

const noOpening: Opening = { title: null, paragraph: null, byModel: false };

interface ToOpen extends Pick<RepositoryFates, 'host' | 'owner' | 'repo'> {
  items: ArticleSummary[];
  language: string;
  groundOf: Awaited<ReturnType<typeof readDigest>>['groundOf'];
}

/** The paragraph that a model wrote, as far as its articles are still there, or one by rules from those that are not outdated. */
function openingOf(found: FoundParagraph | undefined, wanted: ToOpen): Opening {
  const standing = found && whatStands(found);
  if (standing) return { ...standing, byModel: true };
  const own = wanted.items.filter(
    ({ host, owner, repo }) => host === wanted.host && owner === wanted.owner && repo === wanted.repo,
  );
  const shown = own.flatMap((item) => {
    const { lines, isOutdated, ...said } = wanted.groundOf(item.articleId);
    return isOutdated ? [] : { ...item, ...said, evidence: lines ?? [] };
  });
  const paragraph = isOfflineLanguage(wanted.language) ? paragraphByRules(shown, wanted.language) : [];
  return { ...noOpening, paragraph: paragraph.length > 0 ? paragraph : null };
}

function whatStands({ body, standing }: FoundParagraph): Pick<Opening, 'title' | 'paragraph'> | null {
  const stands = (prNumbers: (number | undefined)[]): boolean =>
    prNumbers.every((number) => number === undefined || standing.includes(number));
  const kept = body.statements.filter(({ evidence, prNumber }) =>
    stands([prNumber, ...evidence.map((one) => one.prNumber)]),
  );
  // A judgement follows from the sentences before it, which may be gone.
  const isWhole = kept.length === body.statements.length;
  const paragraph = isWhole ? kept : kept.filter(({ basis }) => basis !== 'judgement');
  if (paragraph.length === 0) return null;
  return { paragraph, title: body.title && stands(body.title.prNumbers) ? body.title.text : null };
}

/** Every merged pull request is counted once, either as shown or by the reason for leaving it out. */
function digestCountsOf(repositories: Pick<RepositoryFates, 'fates'>[]): Counts {
  const sum = (fate: keyof RepositoryFates['fates']) =>
    repositories.reduce((total, { fates }) => total + (fates[fate] ?? 0), 0);
  const rest = restReasons.map((reason) => ({ reason, count: sum(reason) })).filter(({ count }) => count > 0);
  const shown = sum('shown');
  return {
    merged: rest.reduce((total, { count }) => total + count, shown),
    written: shown + sum('beyond'),
    shown,
    rest,
  };
}

interface Mailing {
  client: MailClient;
  publicUrl: string;
  composeConfirmation: (fields: {
    to: string;
    url: string;
    name: string;
    language: string;
    key: string;
  }) => Mail;
}

interface DigestDeps extends Pick<Deps, 'database' | 'clock'> {
  mailing: Mailing | null;
}

interface Choice {
  period: DigestChoice;
  /** The new email address; null deletes the saved one, and undefined keeps it. */
  email: string | null | undefined;
}

const mailsToAddress = 3;
const mailsByAsker = 10;

const answeredWithinMs = 3 * 24 * 60 * 60 * 1000;

export function requireEmail(given: Choice['email']): void {
  if (typeof given === 'string' && !isEmail(given)) throw noAddress('is not a valid email address');
}

/** Stores how often a user wants a digest, and sends a confirmation link to an unconfirmed address. */
export async function chooseDigest(
  deps: DigestDeps,
  { period, email: given }: Choice,
  viewer: SignedUpViewer,
): Promise<StoredDigestSettings> {
  const { database, clock, mailing } = deps;
  requireEmail(given);
  const known = await findDigestSettings(database, viewer.user.id);
  const email = given === undefined ? known.email : given;
  const isKnown = email !== null && known.isConfirmed && known.email === email;
  if (period !== 'off') {
    if (!mailing) throw noMail();
    if (email === null) throw noAddress('is required, because no address is saved');
    if (!isKnown) return askAtAddress({ ...deps, mailing }, { period, email }, viewer);
  }
  const choice = { userId: viewer.user.id, period, email, confirmation: null, now: clock() };
  return database.transaction((tx) => saveDigestSettings(tx, choice));
}

async function askAtAddress(
  { database, clock, mailing }: DigestDeps & { mailing: Mailing },
  { period, email }: { period: DigestChoice; email: string },
  { user, identity }: SignedUpViewer,
): Promise<StoredDigestSettings> {
  const now = clock();
  const secret = randomBytes(32).toString('base64url');
  const confirmation = { hash: hashToken(secret), until: new Date(now.getTime() + answeredWithinMs) };
  const limits = [
    { kind: 'mails', subject: `to ${hashToken(email.toLowerCase())}`, most: mailsToAddress },
    { kind: 'mails', subject: `by ${identity.host} ${identity.hostUserId}`, most: mailsByAsker },
  ] as const;
  await database.transaction(async (tx) => {
    for (const { most, ...counter } of limits)
      if (!(await takeQuota(tx, counter, { most, now }))) throw tooManyMails(now);
  });
  const url = `${mailing.publicUrl}/digest/confirm/${secret}`;
  const { language } = user;
  const key = confirmation.hash.slice(0, 32);
  const mail = mailing.composeConfirmation({ to: email, url, name: identity.hostUsername, language, key });
  const choice = { userId: user.id, period, email, confirmation, now };
  const saving: Promise<StoredDigestSettings>[] = [];
  // Stored once the server accepts mail for this address and before its link can be opened; until then the previous
  // address stays.
  const outcome = await mailing.client.send(mail, async () => {
    saving.push(database.transaction((tx) => saveDigestSettings(tx, choice)));
    await Promise.all(saving);
    return true;
  });
  if (outcome.kind === 'refused') throw noAddress('is rejected by the mail server');
  const [saved] = await Promise.all(saving);
  if (saved && (outcome.kind === 'sent' || outcome.kind === 'unknown')) return saved;
  for (const counter of limits) await giveBackQuota(database, counter, { day: utcDay(now), amount: 1 });
  throw mailAway('problem' in outcome ? outcome.problem : outcome.kind);
}

const noAddress = (problem: string): Failure =>
  new Failure('INVALID_REQUEST', `The given address ${problem}. Enter an address where you receive email.`, {
    details: [{ field: 'email', problem }],
  });

const noMail = (): Failure =>
  new Failure(
    'FORBIDDEN',
    'This service does not send email. Read your digest at /my/digest, or ask your administrator to set SMTP_URL, MAIL_FROM and PUBLIC_URL.',
  );

const tooManyMails = (now: Date): Failure =>
  quotaExhausted('Too many confirmation emails were sent today. Open the newest one.', now);

const mailAway = (problem: string): Failure =>
  new Failure(
    'UNAVAILABLE',
    'The mail server is not accepting email, so no confirmation was sent. Try again later.',
    { headers: { 'retry-after': '300' }, cause: problem },
  );
