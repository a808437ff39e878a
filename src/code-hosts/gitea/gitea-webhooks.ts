import type { HostWebhooks } from '../host-webhooks.ts';
import { createSignedWebhooks } from '../http/signed-webhooks.ts';
import { webhookEvents } from './webhook-events.ts';

/** Forgejo says what Gitea says under both names, and both say what GitHub would: what they say themselves comes first. */
export const createGiteaWebhooks = (secrets: string[]): HostWebhooks =>
  createSignedWebhooks({
    name: 'Gitea',
    secrets,
    // More than any delivery that is read here: those about pushes, which list commits, are not.
    mostKib: 8 * 1024,
    headers: {
      signature: [
        { name: 'X-Gitea-Signature', prefix: '' },
        { name: 'X-Forgejo-Signature', prefix: '' },
        { name: 'X-Hub-Signature-256', prefix: 'sha256=' },
      ],
      delivery: ['X-Gitea-Delivery', 'X-Forgejo-Delivery', 'X-GitHub-Delivery'],
      event: ['X-Gitea-Event', 'X-Forgejo-Event', 'X-GitHub-Event'],
    },
    events: webhookEvents,
  });
