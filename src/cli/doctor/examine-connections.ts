import { knownHosts } from '../../code-hosts/known-hosts.ts';
import type { Config } from '../../config.ts';
import type { StoredLook } from '../../db/figures.ts';
import {
  type Finding,
  failure,
  failureOf,
  ok,
  reasonOf,
  StartupProblem,
  warning,
} from '../../domain/errors.ts';
import { anyOf } from '../../domain/text.ts';
import { openMail } from '../../egress/mail-client.ts';
import { openDigestWebhook } from '../../egress/webhook-client.ts';
import { version } from '../../version.ts';
import { type Answering, askService, requireFreePort } from '../call-service.ts';

export async function examinePort(
  config: Pick<Config, 'listen' | 'port'>,
  address: string | null,
  answering: Answering | null,
): Promise<Finding[]> {
  if (!address || !answering) return [ok('port', 'PORT=0: any free port.')];
  if (answering.kind === 'well')
    return [ok('port', `The service at ${address} is healthy.`), ...judgeVersion(answering.version)];
  if (answering.kind === 'unwell')
    return answering.problems.map((problem) =>
      failure(
        'port',
        `The service at ${address} is not healthy: ${problem}.`,
        'Read its log and the lines above.',
      ),
    );
  try {
    await requireFreePort(config);
  } catch (error) {
    if (error instanceof StartupProblem) return [failureOf('port', error)];
    throw error;
  }
  return [ok('port', `No service runs at ${address}, and the port is free.`)];
}

function judgeVersion(running: string): Finding[] {
  if (running === version) return [];
  const sentence = `The running service is Pullquote ${running}, this is ${version}.`;
  return [warning('version', sentence, 'To run this version, restart the service.')];
}

export async function examinePublicUrl(config: Config, isRunning: boolean): Promise<Finding> {
  const { publicUrl } = config;
  if (!publicUrl)
    return ok(
      'address',
      'PUBLIC_URL is not set: the service only answers requests to IP addresses and localhost.',
    );
  return judgePublicUrl(publicUrl, await askService(config, publicUrl), isRunning);
}

export function judgePublicUrl(publicUrl: string, answering: Answering, isRunning: boolean): Finding {
  const at = `PUBLIC_URL=${publicUrl}`;
  const { kind } = answering;
  if (kind === 'well') return ok('address', `${at} reaches the service.`);
  if (kind === 'unwell')
    return failure(
      'address',
      `${at} reaches a service that is not healthy.`,
      'Read the log of that service.',
    );
  if (kind === 'other') {
    const remedy = 'Configure the proxy to pass every path to the service, or correct PUBLIC_URL.';
    return failure('address', `The server at ${at} is not Pullquote.`, remedy);
  }
  const why = `${at} cannot be reached from here (${answering.reason})`;
  if (!isRunning)
    return warning('address', `${why}; the service is not running.`, 'Start it, then try again.');
  return warning(
    'address',
    `${why}, although the service is running.`,
    'Check its DNS entry, the proxy and its certificate. Some networks do not allow connections to their own public address.',
  );
}

export async function examineMail(config: Config): Promise<Finding> {
  const client = openMail(config);
  if (!client || !config.smtp)
    return ok(
      'mail',
      'No mail server is set. To send digests by email, set SMTP_URL, MAIL_FROM and PUBLIC_URL.',
    );
  const { hostname, port, tls } = config.smtp;
  const place = `${hostname}:${port}`;
  try {
    await client.verify();
    return ok(
      'mail',
      `The mail server at ${place} accepts email from this service${tls === 'none' ? '' : ', over TLS'}.`,
    );
  } catch (error) {
    return failure(
      'mail',
      `The mail server at ${place} does not accept email from this service: ${mailReason(error)}.`,
      remedyOf(error, tls),
    );
  }
}

/** The error on one line. Mail servers quote neither names nor passwords in it. */
const mailReason = (error: unknown): string => {
  const { message, cause } = error instanceof Error ? error : new Error(String(error));
  const inner = cause instanceof Error ? ` (${cause.message})` : '';
  return `${message}${inner}`
    .replace(/\s+/g, ' ')
    .replace(/\.+(?=$| \()/g, '')
    .slice(0, 300);
};

function remedyOf(error: unknown, tls: string): string {
  const code = error instanceof Error && 'code' in error ? String(error.code) : '';
  if (code === 'EAUTH') return 'Check the user name and password in SMTP_URL; write % as %25.';
  if (code === 'ETLS' || /certificate|TLS/i.test(String(error)))
    return tls === 'upgrade'
      ? 'Use smtps:// if the server expects TLS from the start, ?tls=none if it has no TLS, or NODE_EXTRA_CA_CERTS for your own certificate.'
      : 'Use smtp:// if the server upgrades to TLS, or NODE_EXTRA_CA_CERTS for your own certificate.';
  return 'Check the name and port in SMTP_URL, and that this machine can reach it.';
}

export function judgeWebhooks(config: Config, stored: Pick<StoredLook, 'lastDelivery'> | null): Finding {
  const { codeHosts, publicUrl, watchEveryMs } = config;
  const senders = Object.values(knownHosts).flatMap(({ id, name, webhooks }) =>
    webhooks ? [{ id, name, setting: webhooks.setting, secrets: webhooks.secretsOf(config) }] : [],
  );
  const taken = senders.filter(({ secrets }) => secrets.length > 0);
  const isRead = ({ id }: { id: string }): boolean => codeHosts.some((read) => read === id);
  if (taken.length === 0) {
    const settings = senders.filter(isRead).map(({ setting }) => setting);
    const every = `every ${watchEveryMs / 60_000} minutes`;
    const instead = settings.length > 0 ? ` To receive merges immediately, set ${anyOf(settings)}.` : '';
    return ok('webhooks', `No webhooks are configured: hosts are polled ${every}.${instead}`);
  }
  const idle = taken.find((sender) => !isRead(sender));
  if (idle)
    return warning(
      'webhooks',
      `${idle.setting} is set, but the service does not read from ${idle.name}.`,
      `Add ${idle.id} to CODE_HOST.`,
    );
  const settings = taken.map(({ setting }) => setting).join(' and ');
  const names = taken.map(({ name }) => name).join(' and ');
  if (!publicUrl)
    return warning(
      'webhooks',
      `${settings} is set, but PUBLIC_URL is not.`,
      `Set PUBLIC_URL to the URL at which ${names} reaches the service.`,
    );
  if (!stored)
    return ok('webhooks', 'Secrets are set. The time of the last webhook is not available at the moment.');
  if (stored.lastDelivery)
    return ok(
      'webhooks',
      `The last webhook for a repository that this service knows arrived at ${stored.lastDelivery.toISOString()}.`,
    );
  const addresses = taken.map(({ id }) => `${publicUrl}/webhooks/${id}`).join(' and ');
  return ok(
    'webhooks',
    'No webhook for a repository that this service knows has arrived within six days; pings and other repositories are not recorded. To see whether webhooks reach ' +
      `${addresses}, check the list of deliveries on ${names}.`,
  );
}

const unknownAddress = [401, 403, 404, 410];

/**
 * Posts nothing, so only the first digest shows whether the webhook accepts it. Except for its host, the URL is a
 * secret.
 */
export async function examineDigestWebhook(config: Config): Promise<Finding[]> {
  const webhook = openDigestWebhook(config);
  if (!webhook || !config.digestWebhookUrl) return [];
  const { host } = config.digestWebhookUrl;
  const { period, format } = webhook;
  try {
    const status = await webhook.askStatus();
    if (unknownAddress.includes(status))
      return [
        warning(
          'digest webhook',
          `${host} answered ${status} at DIGEST_WEBHOOK_URL: the webhook may no longer exist.`,
          'If no digest arrives, create the webhook again and set DIGEST_WEBHOOK_URL to its URL.',
        ),
      ];
    return [ok('digest webhook', `${host} is reachable; the ${period} digest is posted there as ${format}.`)];
  } catch (error) {
    return [
      failure(
        'digest webhook',
        `Cannot reach ${host} from DIGEST_WEBHOOK_URL: ${reasonOf(error)}.`,
        'Check the URL, and that this machine can reach it.',
      ),
    ];
  } finally {
    await webhook.close();
  }
}
