import { createHmac, timingSafeEqual } from 'node:crypto';
import type { IncomingHttpHeaders } from 'node:http';
import { Type } from '../../contract/type.ts';
import type { HostApp, HostWebhooks, WebhookEvent } from '../code-host.ts';
import { TokenRefused } from '../http/host-api.ts';
import {
  callAsApp,
  createOAuthApp,
  deliveryForm,
  eventOf,
  eventPayload,
  type OAuthOptions,
  type ReadEvent,
} from '../http/host-app.ts';
import { HostClient } from '../http/host-client.ts';
import { Id, maybe, Text } from '../payload-types.ts';
import { createGitLabApi, TokenInfoPayload } from './gitlab-api.ts';
import { type GitLabAddresses, isGitLabAppToken } from './gitlab-settings.ts';

type Options = Pick<OAuthOptions, 'clientId' | 'clientSecret' | 'scopes' | 'fetch' | 'clock'>;

export function createGitLabApp({ web }: GitLabAddresses, given: Options): HostApp {
  const options: OAuthOptions = {
    ...given,
    name: 'GitLab',
    settings: { clientId: 'GITLAB_CLIENT_ID', clientSecret: 'GITLAB_CLIENT_SECRET' },
    authorizeUrl: `${web}/oauth/authorize`,
    tokenUrl: `${web}/oauth/token`,
  };
  const { clientId, clientSecret, fetch, clock } = options;
  const client = new HostClient({ api: createGitLabApi(web), fetch, clock });
  return {
    ...createOAuthApp(options),
    // Access and refresh tokens have the same format; only GitLab itself can distinguish them.
    isRefreshToken: isGitLabAppToken,
    async confirm(token, signal) {
      try {
        const info = await client.get('/oauth/token/info', TokenInfoPayload, {
          isService: false,
          token,
          signal,
        });
        if (info?.application?.uid !== clientId) return null;
        const { resource_owner_id: hostUserId, expires_in: seconds } = info;
        const expiresAt = seconds ? new Date(clock().getTime() + seconds * 1000) : null;
        return { hostUserId: hostUserId ?? null, expiresAt };
      } catch (error) {
        if (error instanceof TokenRefused) return null;
        throw error;
      }
    },
    async revoke(token, signal) {
      if (!isGitLabAppToken(token)) return;
      const body = new URLSearchParams({ client_id: clientId, client_secret: clientSecret, token });
      await callAsApp(options, `${web}/oauth/revoke`, { method: 'POST', body, signal });
    },
  };
}

const mostKib = 25 * 1024;

const signatureForm = /^v1,([A-Za-z0-9+/]{43}=)$/;

const keyForm = /^whsec_([A-Za-z0-9+/]+={0,2})$/;

/** The tolerance recommended by Standard Webhooks, so that an old delivery cannot be replayed. */
const toleranceMs = 5 * 60_000;

const only = (header: string | string[] | undefined): string => (typeof header === 'string' ? header : '');

const digest = (key: string | Buffer, text: string | Buffer): Buffer =>
  createHmac('sha256', key).update(text).digest();

const isSameSecret = (one: string, other: string): boolean =>
  timingSafeEqual(digest('compared', one), digest('compared', other));

type IsHidden = (issue: NonNullable<WebhookEvent['hiddenIssue']>) => Promise<boolean>;

/** All projects share the secret, so GitLab is queried whether an issue is really hidden. */
export function createGitLabWebhooks(secrets: string[], clock: () => Date, isHidden: IsHidden): HostWebhooks {
  // A signing token sent in clear text proves nothing, because GitLab only signs with it.
  const tokens = secrets.filter((secret) => !secret.startsWith('whsec_'));
  const isRecent = (headers: IncomingHttpHeaders): boolean => {
    const seconds = only(headers['webhook-timestamp']);
    return /^\d{1,12}$/.test(seconds) && Math.abs(clock().getTime() - Number(seconds) * 1000) <= toleranceMs;
  };
  const signatureOf = (headers: IncomingHttpHeaders): Buffer[] =>
    (isRecent(headers) ? only(headers['webhook-signature']) : '').split(' ', 10).flatMap((one) => {
      const [, found] = signatureForm.exec(one) ?? [];
      return found ? [Buffer.from(found, 'base64')] : [];
    });
  const isSignedWith = (headers: IncomingHttpHeaders, body: Buffer): boolean => {
    const given = signatureOf(headers);
    const prefix = `${only(headers['webhook-id'])}.${only(headers['webhook-timestamp'])}.`;
    const signed = Buffer.concat([Buffer.from(prefix), body]);
    // All secrets are tried, so that the time does not reveal which one matched.
    return secrets
      .flatMap(webhookKeys)
      .map((key) => digest(key, signed))
      .flatMap((expected) => given.map((one) => timingSafeEqual(one, expected)))
      .includes(true);
  };
  const hasSecret = (headers: IncomingHttpHeaders): boolean => {
    const given = only(headers['x-gitlab-token']);
    return tokens.map((token) => isSameSecret(token, given)).includes(true);
  };
  return {
    mostKib,
    looksSigned: (headers) =>
      headers['webhook-signature'] === undefined ? hasSecret(headers) : signatureOf(headers).length > 0,
    // If there is a signature, it decides, whatever secret is sent with it.
    isSigned: (headers, body) =>
      headers['webhook-signature'] === undefined ? hasSecret(headers) : isSignedWith(headers, body),
    deliveryHeader: 'X-Gitlab-Event-UUID',
    deliveryId(headers) {
      const named = ['webhook-id', 'idempotency-key', 'x-gitlab-event-uuid'].map((name) =>
        only(headers[name]),
      );
      return named.find((id) => deliveryForm.test(id)) ?? null;
    },
    read: async (headers, body) => {
      const event = only(headers['x-gitlab-event']);
      const news = await readGitLabEvent(eventPayload('GitLab', 'X-Gitlab-Event', event, body));
      return news.hiddenIssue && !(await isHidden(news.hiddenIssue)) ? {} : news;
    },
  };
}

/** GitLab does not document whether the key must be decoded, so both forms are accepted. */
function webhookKeys(secret: string): (string | Buffer)[] {
  const [, key] = keyForm.exec(secret) ?? [];
  return key ? [secret, Buffer.from(key, 'base64')] : [secret];
}

const webhookPayloads = {
  mergeRequest: Type.Object({
    object_attributes: Type.Object({
      iid: Id,
      target_project_id: Id,
      action: Type.Optional(Text),
    }),
  }),
  note: Type.Object({
    project_id: Id,
    /** The merge request of a note; absent if the note is on an issue, commit or snippet. */
    merge_request: maybe(Type.Object({ iid: Id })),
  }),
  issue: Type.Object({
    // Null for an issue of a group.
    object_attributes: Type.Object({ iid: Id, project_id: Type.Optional(Type.Union([Id, Type.Null()])) }),
    changes: Type.Optional(
      Type.Object({ confidential: Type.Optional(Type.Object({ current: Type.Boolean() })) }),
    ),
  }),
  project: Type.Object({ project_id: Id }),
  group: Type.Object({
    path: Type.Optional(Text),
    group_path: Type.Optional(Text),
    full_path: Type.Optional(Text),
    old_full_path: Type.Optional(Text),
  }),
  user: Type.Object({ user_id: Id }),
};

const readAs = eventOf('GitLab');

const changes: Record<string, NonNullable<WebhookEvent['pullRequest']>['change']> = {
  merge: 'merged',
  close: 'closed',
  update: 'moved',
  reopen: 'moved',
};

const mergeRequest = readAs(webhookPayloads.mergeRequest, ({ object_attributes: about }) => ({
  pullRequest: {
    hostRepoId: about.target_project_id,
    number: about.iid,
    change: changes[about.action ?? ''] ?? 'other',
  },
}));

const note = readAs(webhookPayloads.note, ({ project_id: hostRepoId, merge_request: about }) =>
  about ? { pullRequest: { hostRepoId, number: about.iid, change: 'discussed' } } : {},
);

/** An issue that was confidential from the beginning was never public. */
const issue = readAs(webhookPayloads.issue, ({ object_attributes: { project_id, iid }, changes: changed }) =>
  changed?.confidential?.current && project_id
    ? { hiddenIssue: { hostRepoId: project_id, number: iid } }
    : {},
);

const project = readAs(webhookPayloads.project, ({ project_id: id }) => ({ revoked: { hostRepoIds: [id] } }));

const group = readAs(webhookPayloads.group, ({ full_path, old_full_path, group_path, path }) => ({
  revoked: { groups: [full_path ?? group_path ?? path, old_full_path].filter((one) => one !== undefined) },
}));

const user = readAs(webhookPayloads.user, ({ user_id: hostUserId }) => ({ revoked: { hostUserId } }));

const events: Record<string, ReadEvent> = {
  merge_request: mergeRequest,
  note,
  issue,
  work_item: issue,
  project_update: project,
  project_rename: project,
  project_transfer: project,
  project_destroy: project,
  user_remove_from_team: project,
  user_update_for_team: project,
  group_rename: group,
  group_destroy: group,
  user_remove_from_group: group,
  user_update_for_group: group,
  user_destroy: user,
  user_failed_login: user,
};

async function readGitLabEvent(payload: object): Promise<WebhookEvent> {
  const { object_kind: kind, event_name: name } = payload as Record<string, unknown>;
  const event = [kind, name].find((one) => typeof one === 'string' && Object.hasOwn(events, one));
  return (await events[String(event)]?.(payload)) ?? {};
}
