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
    return ok(
      'webhooks',
      `The last one about a repository that is known here arrived at ${stored.lastDelivery.toISOString()}.`,
    );
  return ok(
    'webhooks',
    'None about a repository that is known here has arrived within six days; others, and pings, are not noted. Whether they get ' +
      `through to ${publicUrl}/webhooks/github is told by Recent Deliveries at GitHub.`,
  );
}
