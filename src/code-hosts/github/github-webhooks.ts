import type { HostWebhooks } from '../host-webhooks.ts';
import { createSignedWebhooks } from '../http/signed-webhooks.ts';
import { webhookEvents } from './webhook-events.ts';

export const createGitHubWebhooks = (secrets: string[]): HostWebhooks =>
  createSignedWebhooks({
    name: 'GitHub',
    secrets,
    // GitHub sends nothing larger.
    mostKib: 25 * 1024,
    headers: {
      signature: [{ name: 'X-Hub-Signature-256', prefix: 'sha256=' }],
      delivery: ['X-GitHub-Delivery'],
      event: ['X-GitHub-Event'],
    },
    events: webhookEvents,
  });
