import type { Config } from '../../config.ts';
import type { StoredLook } from '../../db/look-at-database.ts';
import { type Finding, ok, warning } from './finding.ts';

/** Whether webhooks can arrive, and whether any has. */
export function judgeWebhooks(
  config: Pick<Config, 'codeHosts' | 'githubWebhookSecrets' | 'publicUrl' | 'watchEveryMs'>,
  stored: Pick<StoredLook, 'lastDelivery'> | null,
): Finding {
  const { codeHosts, githubWebhookSecrets, publicUrl, watchEveryMs } = config;
  if (githubWebhookSecrets.length === 0) {
    const every = `every ${watchEveryMs / 60_000} minutes`;
    return ok(
      'webhooks',
      `None are taken: hosts are asked ${every}. GITHUB_WEBHOOK_SECRETS would have merges heard at once.`,
    );
  }
  if (!codeHosts.includes('github'))
    return warning(
      'webhooks',
      'GITHUB_WEBHOOK_SECRETS is set, but GitHub is not read from.',
      'Add github to CODE_HOST.',
    );
  if (!publicUrl)
    return warning(
      'webhooks',
      'GITHUB_WEBHOOK_SECRETS is set, but PUBLIC_URL is not.',
      'Set PUBLIC_URL to the address under which GitHub reaches the service.',
    );
  if (!stored) return ok('webhooks', 'Secrets are set; when the last one arrived cannot be asked now.');
  if (stored.lastDelivery)
    return ok('webhooks', `The last one arrived at ${stored.lastDelivery.toISOString()}.`);
  return warning(
    'webhooks',
    'None has arrived within six days.',
    `At GitHub, look at Recent Deliveries: the address is ${publicUrl}/webhooks/github, the content type application/json, and the secret one of GITHUB_WEBHOOK_SECRETS.`,
  );
}
