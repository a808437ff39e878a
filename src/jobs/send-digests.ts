import { planDigests, type SendingDeps, sendNextDigest } from '../actions/digests/send-digests.ts';
import type { CodeHost } from '../code-hosts/code-host.ts';
import type { DigestPeriod } from '../domain/digest.ts';
import type { MailClient, WebhookClient } from '../domain/mail.ts';
import type { WebhookFormat } from '../domain/webhook-formats.ts';
import { digestMail } from '../feeds/digest-mail.ts';
import { digestForWebhook } from '../feeds/digest-webhook.ts';
import { createFailureLogger } from './failure-logger.ts';
import { type IntervalWork, runAtIntervals } from './run-at-intervals.ts';

/** Nobody waits for a digest. */
const lookMs = 60_000;

/** A mail server that takes its time holds up few. */
const atOnce = 4;

interface Parts extends Omit<SendingDeps, 'mail' | 'webhook'> {
  codeHosts: CodeHost[];
  /** Where people reach the service: nothing is sent that cannot lead there. */
  publicUrl: string | undefined;
  mail: MailClient | null;
  webhook: { client: WebhookClient; period: DigestPeriod; language: string; format: WebhookFormat } | null;
}

/** What is sent, in the form in which it is. */
function withForms({ codeHosts, publicUrl, mail, webhook, ...parts }: Parts): SendingDeps {
  if (publicUrl === undefined) return { ...parts, mail: null, webhook: null };
  const root = { publicUrl, firstHost: codeHosts[0]?.id ?? '' };
  return {
    ...parts,
    mail: mail && { client: mail, publicUrl, compose: (digest, to) => digestMail(digest, to, root) },
    webhook: webhook && {
      ...webhook,
      compose: (digest) => digestForWebhook(digest, webhook.format, root),
    },
  };
}

/** Sends digests when their periods have ended, for as long as the service runs. */
export function sendDigests(given: Parts): IntervalWork {
  const parts = withForms(given);
  const logFailure = createFailureLogger(parts.log, 'sending digests failed; it is tried again in a minute');
  let isStopped = false;
  const round = async (): Promise<void> => {
    await planDigests(parts);
    let goesOn = true;
    const sendAll = async (): Promise<void> => {
      while (goesOn && !isStopped) goesOn = (await sendNextDigest(parts)) === true && goesOn;
    };
    await Promise.all(Array.from({ length: atOnce }, sendAll));
  };
  return runAtIntervals({
    round,
    everyMs: lookMs,
    onFailure: logFailure,
    onStop: () => {
      isStopped = true;
    },
  });
}
