import { Type } from '../../contract/type.ts';
import { completeIdentity, type Identity } from '../../domain/accounts.ts';
import { Failure } from '../../domain/errors.ts';
import type { HostApp, HostWebhooks } from '../code-host.ts';
import { brokenResponse, type HostCaller, TokenRefused } from '../http/host-api.ts';
import {
  AppRefused,
  callAsApp,
  createOAuthApp,
  createSignedWebhooks,
  type OAuthOptions,
  parseResponse,
  sharedEvents,
  type WebhookEvents,
} from '../http/host-app.ts';
import type { TokenRules } from '../http/host-client.ts';
import { HostClient } from '../http/host-client.ts';
import { AccountPayload, AccountSettingsPayload, giteaApi, neededScopes, ScopeMissing } from './gitea-api.ts';
import { expiryOf, type GiteaAddresses, isGiteaAppToken, isRefreshToken } from './gitea-settings.ts';

type Options = Pick<OAuthOptions, 'clientId' | 'clientSecret' | 'fetch' | 'clock'> & {
  addresses: GiteaAddresses;
};

const name = 'Gitea';
const settings = { clientId: 'GITEA_CLIENT_ID', clientSecret: 'GITEA_CLIENT_SECRET' };

const Introspected = Type.Object({
  active: Type.Boolean(),
  sub: Type.Optional(Type.String({ pattern: '^\\d{1,15}$' })),
  aud: Type.Optional(Type.Union([Type.String(), Type.Array(Type.String())])),
});

/** Gitea calls both a wrong app and a wrong request an unauthorized client. */
const isAppAtFault = (error: string, description: string): boolean =>
  error === 'invalid_client' ||
  (error === 'unauthorized_client' && /client secret|redirect uri/i.test(description));

/**
 * The OAuth2 application of this service. Up to Gitea 1.22 its tokens have all rights, and later only those of their
 * scopes.
 */
export function createGiteaApp({ addresses, ...given }: Options): HostApp {
  const { web } = addresses;
  const options = {
    ...given,
    name,
    settings,
    scopes: neededScopes,
    authorizeUrl: `${web}/login/oauth/authorize`,
    tokenUrl: `${web}/login/oauth/access_token`,
    isAppAtFault,
  };
  const client = new HostClient({ api: giteaApi(addresses), fetch: given.fetch, clock: given.clock });
  return {
    ...createOAuthApp(options),
    isRefreshToken,
    async confirm(accessToken, signal) {
      const response = await introspect(
        options,
        client,
        `${web}/login/oauth/introspect`,
        accessToken,
        signal,
      );
      if (!response) return null;
      const info = await parseResponse(Introspected, response.data);
      if (!info) throw brokenResponse(name);
      // Gitea introspects tokens of any application, so the audience must be checked.
      const isOurs = info.active && [info.aud].flat().includes(given.clientId);
      return isOurs ? { hostUserId: Number(info.sub) || null, expiresAt: expiryOf(accessToken) } : null;
    },
    // Gitea cannot revoke a single token. Tokens last an hour, and users can revoke the application in their settings.
    revoke: async () => {},
  };
}

/** Null for a dead token, which Gitea refuses with the same 401 as an unknown application. */
async function introspect(
  options: OAuthOptions,
  client: HostClient,
  url: string,
  token: string,
  signal: AbortSignal,
) {
  const ask = (authorization: string) =>
    callAsApp(options, url, {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams({ token }),
      signal,
    });
  const { clientId, clientSecret } = options;
  try {
    return await ask(`Basic ${Buffer.from(`${clientId}:${clientSecret}`).toString('base64')}`);
  } catch (error) {
    if (!(error instanceof AppRefused)) throw error;
    if (await isDead(client, token, signal)) return null;
    // Up to 1.22 applications cannot introspect, but the token itself can.
    return ask(`Bearer ${token}`);
  }
}

async function isDead(client: HostClient, token: string, signal: AbortSignal): Promise<boolean> {
  try {
    await client.get('/user', AccountPayload, { isService: false, token, signal });
    return false;
  } catch (error) {
    if (error instanceof TokenRefused) return true;
    if (error instanceof ScopeMissing) return false;
    throw error;
  }
}

const howTo = `Create one on Gitea, under Settings, Applications, with the scopes ${neededScopes.replaceAll(' ', ', ')}, for all repositories`;

export const giteaTokens = (client: HostClient, addresses: GiteaAddresses): TokenRules => ({
  isAppToken: isGiteaAppToken,
  notOurs: `This token has expired or belongs to another app. ${howTo}, or sign in at /sign-in.`,
  async whose(token, signal) {
    try {
      const owner = { isService: false, token, signal };
      const account = await client.get('/user', AccountPayload, owner);
      const isPublic = account?.email && (await showsEmail(client, owner));
      return account && giteaIdentity(account, addresses, isPublic ? account.email : null);
    } catch (error) {
      if (error instanceof ScopeMissing)
        throw new Failure('UNAUTHORIZED', `This token cannot read its own account. ${howTo}.`, {
          cause: error,
        });
      throw error;
    }
  },
});

/**
 * Users see their own address even if they hide it. If the token may not read that setting, the address counts as
 * hidden.
 */
async function showsEmail(client: HostClient, owner: HostCaller): Promise<boolean> {
  try {
    const settings = await client.get('/user/settings', AccountSettingsPayload, owner);
    return settings?.hide_email === false;
  } catch (error) {
    if (error instanceof ScopeMissing) return false;
    throw error;
  }
}

/**
 * Null for bots, such as the one of workflows. Addresses of other accounts may be hidden, but administrators see all of
 * them.
 */
export function giteaIdentity(
  account: AccountPayload,
  { domain }: GiteaAddresses,
  publicEmail: string | null = null,
): Identity | null {
  if (account.id < 1) return null;
  return completeIdentity({
    host: 'gitea',
    hostUserId: account.id,
    hostUsername: account.login,
    hostDisplayName: account.full_name ?? null,
    email: publicEmail,
    avatarUrl: account.avatar_url ?? null,
    noReplyDomain: domain,
  });
}

/** Forgejo also sends the headers of Gitea, and both send those of GitHub, so their own come first. */
export const createGiteaWebhooks = (secrets: string[]): HostWebhooks =>
  createSignedWebhooks({
    name: 'Gitea',
    secrets,
    // A limit above any relevant delivery; pushes, which list commits, are not relevant.
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

const { pullRequest, discussion, comment, repository } = sharedEvents('Gitea');

/** Gitea sends no webhooks about changes of rights and names. */
const webhookEvents: WebhookEvents = {
  pull_request: {
    closed: pullRequest('closed'),
    synchronized: pullRequest('moved'),
    edited: pullRequest('moved'),
    reopened: pullRequest('moved'),
    '*': pullRequest('other'),
  },
  pull_request_approved: { '*': discussion },
  pull_request_rejected: { '*': discussion },
  pull_request_comment: { '*': discussion },
  issue_comment: { '*': comment },
  repository: { deleted: repository },
};
