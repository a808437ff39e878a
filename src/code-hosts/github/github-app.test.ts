import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { test } from 'node:test';
import { fileURLToPath } from 'node:url';
import type { components } from '@octokit/openapi-webhooks-types';
import type { Static } from 'typebox';
import { webhookEvents, type webhookPayloads } from './github-app.ts';

const examples: { name: string; actions: string[] }[] = JSON.parse(
  readFileSync(fileURLToPath(import.meta.resolve('@octokit/webhooks-examples')), 'utf8'),
);

type Payload<Name extends keyof typeof webhookPayloads> = Static<(typeof webhookPayloads)[Name]>;
type Described<Name extends `webhook-${string}` & keyof components['schemas']> = components['schemas'][Name];

/** The compiler checks that every field we read is in GitHub's description of the payload. */
const isSent =
  <Read>() =>
  (_sent: Read): void => {};

type Sent = { [Name in keyof typeof webhookPayloads]: (payload: never) => void };

const sent = {
  pullRequest: (
    payload:
      | Described<'webhook-pull-request-closed'>
      | Described<'webhook-pull-request-synchronize'>
      | Described<'webhook-pull-request-edited'>
      | Described<'webhook-pull-request-reopened'>
      | Described<'webhook-pull-request-ready-for-review'>,
  ) => isSent<Payload<'pullRequest'>>()(payload),
  discussion: (
    payload:
      | Described<'webhook-pull-request-review-submitted'>
      | Described<'webhook-pull-request-review-edited'>
      | Described<'webhook-pull-request-review-dismissed'>
      | Described<'webhook-pull-request-review-comment-created'>
      | Described<'webhook-pull-request-review-comment-edited'>
      | Described<'webhook-pull-request-review-comment-deleted'>,
  ) => isSent<Payload<'discussion'>>()(payload),
  comment: (
    payload:
      | Described<'webhook-issue-comment-created'>
      | Described<'webhook-issue-comment-edited'>
      | Described<'webhook-issue-comment-deleted'>,
  ) => isSent<Payload<'comment'>>()(payload),
  repository: (
    payload:
      | Described<'webhook-repository-privatized'>
      | Described<'webhook-repository-publicized'>
      | Described<'webhook-repository-renamed'>
      | Described<'webhook-repository-transferred'>
      | Described<'webhook-repository-deleted'>
      | Described<'webhook-public'>
      | Described<'webhook-member-removed'>
      | Described<'webhook-member-edited'>,
  ) => isSent<Payload<'repository'>>()(payload),
  organization: (
    payload:
      | Described<'webhook-membership-removed'>
      | Described<'webhook-organization-member-removed'>
      | Described<'webhook-organization-renamed'>
      | Described<'webhook-organization-deleted'>,
  ) => isSent<Payload<'organization'>>()(payload),
  team: (
    payload:
      | Described<'webhook-team-removed-from-repository'>
      | Described<'webhook-team-edited'>
      | Described<'webhook-team-deleted'>,
  ) => isSent<Payload<'team'>>()(payload),
  installation: (
    payload: Described<'webhook-installation-deleted'> | Described<'webhook-installation-suspend'>,
  ) => isSent<Payload<'installation'>>()(payload),
  installationRepositories: (payload: Described<'webhook-installation-repositories-removed'>) =>
    isSent<Payload<'installationRepositories'>>()(payload),
  installationTarget: (payload: Described<'webhook-installation-target-renamed'>) =>
    isSent<Payload<'installationTarget'>>()(payload),
  authorization: (payload: Described<'webhook-github-app-authorization-revoked'>) =>
    isSent<Payload<'authorization'>>()(payload),
} satisfies Sent;

test('every webhook event and action that is handled is one that GitHub sends', () => {
  assert.ok(Object.values(sent).every((holds) => holds.length === 1));
  for (const [event, actions] of Object.entries(webhookEvents)) {
    const known = examples.find(({ name }) => name === event);
    // The package has no example of this event.
    if (event === 'installation_target') continue;
    for (const action of Object.keys(actions))
      assert.ok(action === '*' ? known : known?.actions.includes(action), `${event} ${action}`);
  }
});
