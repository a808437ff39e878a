import type { Config } from '../../config.ts';
import { type Finding, failure, ok, warning } from '../../domain/finding.ts';
import { reasonOf } from '../../domain/reason-of.ts';
import { openDigestWebhook } from '../../egress/webhook-client.ts';

/** With these, a service says that the address is none of its webhooks, or none any more. */
const unknownAddress = [401, 403, 404, 410];

/**
 * Whether what DIGEST_WEBHOOK_URL names can be reached; none where it is not set. Nothing is posted, so that only the first digest tells
 * whether it is taken. The address is a secret beyond its host.
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
          `${host} answers ${status} at DIGEST_WEBHOOK_URL, as if there were no such webhook.`,
          'Where no digest arrives, make the webhook anew there and set DIGEST_WEBHOOK_URL to its address, copied whole.',
        ),
      ];
    return [ok('digest webhook', `${host} answers; the ${period} digest is posted there as ${format}.`)];
  } catch (error) {
    return [
      failure(
        'digest webhook',
        `${host}, which DIGEST_WEBHOOK_URL names, cannot be reached: ${reasonOf(error)}.`,
        'Check the address, and that this machine may reach it.',
      ),
    ];
  } finally {
    await webhook.close();
  }
}
