import {
  type DigestPeriod,
  knownService,
  type SendOutcome,
  type WebhookClient,
  type WebhookFormat,
  type WebhookPosts,
} from '../domain/digests.ts';
import { EgressProblem } from '../domain/errors.ts';
import { createEgressClient, type EgressClient, type Network } from './egress-client.ts';

interface WebhookSettings extends Network {
  digestWebhookUrl: URL | undefined;
  digestWebhookPeriod: DigestPeriod;
  digestWebhookPosts: WebhookPosts;
  digestWebhookLanguage: string;
  digestWebhookFormat: WebhookFormat | undefined;
}

const limits = { patienceMs: 20_000, mostBytes: 64 * 1024 };

/** Null if no webhook is set. Known public services are never called in the operator's network. */
export function openDigestWebhook(settings: WebhookSettings) {
  const {
    digestWebhookUrl: address,
    digestWebhookPeriod: period,
    digestWebhookPosts: posts,
    digestWebhookLanguage: language,
  } = settings;
  if (!address) return null;
  const service = knownService(address);
  const rules = { origins: [address.origin], mayBePrivate: service === null, ...limits };
  const { fetch, close } = createEgressClient(settings, rules);
  const format = settings.digestWebhookFormat ?? service ?? 'json';
  const askStatus = async (): Promise<number> => {
    const response = await fetch(address, { method: 'HEAD', headers: { 'user-agent': 'Pullquote' } });
    await response.body?.cancel();
    return response.status;
  };
  return {
    client: createWebhookClient({ fetch }, address),
    askStatus,
    period,
    posts,
    language,
    format,
    close,
  };
}

function createWebhookClient({ fetch }: Pick<EgressClient, 'fetch'>, address: URL): WebhookClient {
  return {
    async post(body, mayBegin) {
      const text = JSON.stringify(body);
      if (!(await mayBegin())) return { kind: 'withheld' };
      try {
        const response = await fetch(address, {
          method: 'POST',
          headers: { 'content-type': 'application/json', 'user-agent': 'Pullquote' },
          body: text,
        });
        await response.body?.cancel();
        return webhookOutcome(response.status);
      } catch (error) {
        return outcomeOfError(error);
      }
    },
  };
}

/** With these statuses the message was not accepted. After other errors of a server or proxy, it may have been. */
const notTaken = [408, 429, 503];

function webhookOutcome(status: number): SendOutcome {
  if (status >= 200 && status < 300) return { kind: 'sent' };
  const problem = `The webhook answered ${status}.`;
  if (notTaken.includes(status)) return { kind: 'later', problem };
  return { kind: status >= 500 ? 'unknown' : 'rejected', problem };
}

/** Errors before a connection is open, after which nothing was sent. */
const beforeSending = [
  'ECONNREFUSED',
  'ENOTFOUND',
  'EAI_AGAIN',
  'EHOSTUNREACH',
  'ENETUNREACH',
  'UND_ERR_CONNECT_TIMEOUT',
];

function outcomeOfError(error: unknown): SendOutcome {
  if (!(error instanceof Error)) throw error;
  const reason = error.cause instanceof Error ? error.cause : error;
  const problem = reason.message;
  if (reason instanceof EgressProblem) return { kind: 'rejected', problem };
  const code = 'code' in reason ? String(reason.code) : '';
  const isBefore = beforeSending.includes(code) || /CERT|TLS|SSL/.test(code);
  return { kind: isBefore ? 'later' : 'unknown', problem };
}
