import { knownHosts } from '../../code-hosts/known-hosts.ts';
import type { Config } from '../../config.ts';
import type { StoredLook } from '../../db/figures.ts';
import { type Finding, ok, warning } from '../../domain/finding.ts';

/** Whether webhooks can arrive, and whether any has. */
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
    const instead = settings.length > 0 ? ` ${settings.join(' and ')} would have merges heard at once.` : '';
    return ok('webhooks', `None are taken: hosts are asked ${every}.${instead}`);
  }
  const idle = taken.find((sender) => !isRead(sender));
  if (idle)
    return warning(
      'webhooks',
      `${idle.setting} is set, but ${idle.name} is not read from.`,
      `Add ${idle.id} to CODE_HOST.`,
    );
  const settings = taken.map(({ setting }) => setting).join(' and ');
  const names = taken.map(({ name }) => name).join(' and ');
  if (!publicUrl)
    return warning(
      'webhooks',
      `${settings} is set, but PUBLIC_URL is not.`,
      `Set PUBLIC_URL to the address under which ${names} reaches the service.`,
    );
  if (!stored) return ok('webhooks', 'Secrets are set; when the last one arrived cannot be asked now.');
  if (stored.lastDelivery)
    return ok(
      'webhooks',
      `The last one about a repository that is known here arrived at ${stored.lastDelivery.toISOString()}.`,
    );
  const addresses = taken.map(({ id }) => `${publicUrl}/webhooks/${id}`).join(' and ');
  return ok(
    'webhooks',
    'None about a repository that is known here has arrived within six days; others, and pings, are not noted. Whether they get ' +
      `through to ${addresses} is told by the list of deliveries at ${names}.`,
  );
}
