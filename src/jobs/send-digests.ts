import { planDigests, type SendingDeps, sendNextDigest } from '../actions/digests/send-digests.ts';
import type { CodeHost } from '../code-hosts/code-host.ts';
import type { DigestPeriod, MailClient, WebhookClient, WebhookFormat } from '../domain/digest.ts';
import { digestForWebhook } from '../feeds/digest-webhook.ts';
import { digestMail } from '../feeds/mails.ts';
import { createFailureLogger, type IntervalWork, runAtIntervals } from './background.ts';

const lookMs = 60_000;

/** A mail server that takes its time holds up few. */
const atOnce = 4;

interface DigestDeps extends Omit<SendingDeps, 'mail' | 'webhook'> {
  codeHosts: CodeHost[];
  /** Where people reach the service: nothing is sent that cannot lead there. */
  publicUrl: string | undefined;
  mail: MailClient | null;
  webhook: { client: WebhookClient; period: DigestPeriod; language: string; format: WebhookFormat } | null;
}

/** What is sent, in the form in which it is. */
function withForms({ codeHosts, publicUrl, mail, webhook, ...deps }: DigestDeps): SendingDeps {
  if (publicUrl === undefined) return { ...deps, mail: null, webhook: null };
  const root = { publicUrl, firstHost: codeHosts[0]?.id ?? '' };
  return {
    ...deps,
    mail: mail && { client: mail, publicUrl, compose: (digest, to) => digestMail(digest, to, root) },
    webhook: webhook && {
      ...webhook,
      compose: (digest) => digestForWebhook(digest, webhook.format, root),
    },
  };
}

/** Sends digests when their periods have ended, for as long as the service runs. */
export function sendDigests(given: DigestDeps): IntervalWork {
  const deps = withForms(given);
  const logFailure = createFailureLogger(deps.log, 'sending digests failed; it is tried again in a minute');
  let isStopped = false;
  const round = async (): Promise<void> => {
    await planDigests(deps);
    let goesOn = true;
    const sendAll = async (): Promise<void> => {
      while (goesOn && !isStopped) goesOn = (await sendNextDigest(deps)) === true && goesOn;
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
