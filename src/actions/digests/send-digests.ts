import { randomBytes } from 'node:crypto';
import type { ArticleSummary } from '../../contract/articles.ts';
import type { Digest } from '../../contract/digests.ts';
import { findUser } from '../../db/accounts.ts';
import {
  beginSendingDigest,
  claimDigest,
  claimMergePost,
  deferDigest,
  deferDigestMails,
  endAbandonedDigests,
  endDigestDelivery,
  findDigestSettings,
  findPostedArticle,
  type HeldDelivery,
  planMergePosts,
  planUserDigests,
  planWebhookDigests,
  stopRefusedDigest,
} from '../../db/digests.ts';
import {
  type DigestPeriod,
  digestPeriods,
  lastPeriod,
  type Mail,
  type MailClient,
  mergesPostedForMs,
  type SendOutcome,
  settlesForMs,
  type WebhookClient,
  type WebhookPosts,
} from '../../domain/digests.ts';
import { hashToken } from '../../domain/secrets.ts';
import type { DigestMetrics } from '../../metrics/metrics.ts';
import { presentSummary } from '../articles/read-article.ts';
import { usualLanguage } from '../articles/request-article.ts';
import type { Deps } from '../deps.ts';
import type { BackgroundListScope } from '../repositories/list-repositories.ts';
import { findDigest } from './digest.ts';

export interface SendingDeps
  extends Pick<Deps, 'database' | 'codeHosts' | 'clock' | 'confirmedWithinMs' | 'log' | 'currentModels'> {
  backgroundListViewer: BackgroundListScope;
  mail: {
    client: MailClient;
    publicUrl: string;
    compose: (
      digest: Digest,
      to: { email: string; unsubscribeUrl: string; key: string; language: string },
    ) => Mail;
  } | null;
  webhook: {
    client: WebhookClient;
    period: DigestPeriod;
    posts: WebhookPosts;
    language: string;
    compose: (digest: Digest) => unknown;
    composePost: (article: ArticleSummary) => unknown;
  } | null;
  metrics: DigestMetrics | null;
}

/**
 * How long a process holds a digest that it sends, much longer than that takes. After this time another process takes
 * over from one that died.
 */
const leaseMs = 10 * 60_000;

/** A chat sees what everybody may see. */
const teamViewer = ({ clock, confirmedWithinMs }: Pick<SendingDeps, 'clock' | 'confirmedWithinMs'>) =>
  ({ userId: null, now: clock(), purpose: 'list', confirmedWithinMs }) as const;

/** Plans the digests that are due, and ends those that a process was sending when it died. */
export async function planDigests({
  database,
  clock,
  mail,
  webhook,
  log,
  metrics,
  confirmedWithinMs,
}: SendingDeps): Promise<void> {
  const now = clock();
  const settled = new Date(now.getTime() - settlesForMs);
  for (const period of digestPeriods) {
    const ended = { period, periodEnd: lastPeriod(period, settled).to, now };
    if (mail) await planUserDigests(database, ended);
    if (webhook && webhook.posts !== 'merges' && webhook.period === period)
      await planWebhookDigests(database, ended);
  }
  if (webhook && webhook.posts !== 'digest')
    await planMergePosts(database, {
      viewer: teamViewer({ clock, confirmedWithinMs }),
      language: webhook.language,
      since: new Date(now.getTime() - mergesPostedForMs),
    });
  for (const held of await endAbandonedDigests(database, now)) {
    metrics?.count(deliveryKind(held), 'unknown');
    log.error(
      logFields(held),
      'a process ended while sending a digest; the digest may have arrived and is not sent again',
    );
  }
}

const deliveryKind = ({ userId }: HeldDelivery) => (userId === null ? 'webhook' : 'mail');

const logFields = ({ recipient, period, periodEnd }: HeldDelivery) => ({ recipient, period, periodEnd });

/**
 * Sends the digest that has been due longest. Null if none is due, false if the mail server accepts none at the moment.
 */
export async function sendNextDigest(deps: SendingDeps): Promise<boolean | null> {
  const now = deps.clock();
  const until = new Date(now.getTime() + leaseMs);
  const to = { users: deps.mail !== null, webhook: deps.webhook !== null };
  const held = await claimDigest(deps.database, { now, until, to });
  if (!held) return null;
  const outcome =
    held.userId === null ? await sendToTeam(deps, held) : await sendToUser(deps, held, held.userId);
  if (outcome) await noteOutcome(deps, held, outcome);
  return outcome?.kind !== 'away' || held.userId === null;
}

async function sendToUser(
  deps: SendingDeps,
  held: HeldDelivery,
  userId: string,
): Promise<SendOutcome | null> {
  const { database, clock, mail, backgroundListViewer } = deps;
  const found = await findUser(database, userId);
  const { period, email, isConfirmed } = await findDigestSettings(database, userId);
  if (!mail || !found || period !== held.period || !isConfirmed || email === null) {
    await endDigestDelivery(database, held, 'unwanted');
    return null;
  }
  const language = usualLanguage(deps, found.user, false);
  const digest = await findDigest(deps, {
    scope: { kind: 'favorites', userId },
    viewer: await backgroundListViewer(found),
    language,
    period,
    span: lastPeriod(period, held.periodEnd),
  });
  if (digest.shown === 0) {
    await endDigestDelivery(database, held, 'nothing');
    return null;
  }
  const secret = randomBytes(32).toString('base64url');
  const composed = mail.compose(digest, {
    email,
    language,
    unsubscribeUrl: `${mail.publicUrl}/digest/unsubscribe/${secret}`,
    key: hashToken([userId, period, digest.to].join(' ')).slice(0, 32),
  });
  const secretHash = hashToken(secret);
  const outcome = await mail.client.send(composed, () =>
    beginSendingDigest(database, held, { email, secretHash }),
  );
  if (outcome.kind === 'refused') await stopRefusedDigest(database, { userId, email, now: clock() });
  return outcome;
}

async function sendToTeam(deps: SendingDeps, held: HeldDelivery): Promise<SendOutcome | null> {
  const { database, webhook } = deps;
  // A digest planned for another period than the current one is not sent.
  if (!webhook || webhook.period !== held.period) {
    await endDigestDelivery(database, held, 'unwanted');
    return null;
  }
  const { language, period } = webhook;
  const viewer = teamViewer(deps);
  const span = lastPeriod(period, held.periodEnd);
  const digest = await findDigest(deps, { scope: { kind: 'followed' }, viewer, language, period, span });
  if (digest.shown === 0) {
    await endDigestDelivery(database, held, 'nothing');
    return null;
  }
  return webhook.client.post(webhook.compose(digest), () => beginSendingDigest(database, held, null));
}

/** Posts the next merge. False if there is none, or the webhook did not take it. */
export async function postNextMerge(deps: SendingDeps): Promise<boolean> {
  const { database, clock, webhook } = deps;
  if (!webhook || webhook.posts === 'digest') return false;
  const now = clock();
  const held = await claimMergePost(database, { now, until: new Date(now.getTime() + leaseMs) });
  if (!held) return false;
  const { client, language, composePost } = webhook;
  const { recipient } = held;
  const article = await findPostedArticle(database, { recipient, viewer: teamViewer(deps), language });
  if (!article) {
    await endDigestDelivery(database, held, 'nothing');
    return true;
  }
  const mayBegin = () => beginSendingDigest(database, held, null);
  const outcome = await client.post(composePost(presentSummary(deps.codeHosts)(article)), mayBegin);
  await noteOutcome(deps, held, outcome);
  return outcome.kind !== 'later';
}

async function noteOutcome(deps: SendingDeps, held: HeldDelivery, outcome: SendOutcome): Promise<void> {
  const { database, metrics, log } = deps;
  metrics?.count(deliveryKind(held), outcome.kind);
  const why = { ...logFields(held), ...('problem' in outcome && { problem: outcome.problem }) };
  switch (outcome.kind) {
    case 'sent':
      return endDigestDelivery(database, held, 'sent');
    case 'withheld':
      return endDigestDelivery(database, held, 'unwanted');
    case 'unknown':
      log.error(why, 'sending a digest failed; the digest may have arrived and is not sent again');
      return endDigestDelivery(database, held, 'unknown');
    case 'refused':
      log.warn(why, 'the mail server rejects this address; its digests are stopped');
      return endDigestDelivery(database, held, 'failed');
    case 'rejected':
      log.error(why, 'the mail server rejected a digest; it is not sent again');
      return endDigestDelivery(database, held, 'failed');
    case 'later':
    case 'away':
      return waitWith(deps, held, { ...why, isAway: outcome.kind === 'away' });
  }
}

/** Defers a rejected digest; if the mail server accepts no mail at all, all due ones wait. */
async function waitWith(
  { database, clock, log }: SendingDeps,
  held: HeldDelivery,
  { isAway, ...why }: { isAway: boolean },
): Promise<void> {
  const now = clock();
  const isTriedAgain = await deferDigest(database, held, now);
  if (!isTriedAgain) log.error(why, 'a digest could not be sent for a day; giving up');
  else if (!isAway) log.info(why, 'the mail server did not accept a digest; retrying');
  if (!isAway || held.userId === null) return;
  const { waiting, failed } = await deferDigestMails(database, { tries: held.tries, now });
  log.warn(
    { ...why, waiting },
    'the mail server does not accept email; digests wait and are retried for a day',
  );
  if (failed > 0) log.error({ failed }, 'digests could not be sent for a day; giving up');
}
