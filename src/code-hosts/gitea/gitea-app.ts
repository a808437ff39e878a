import { Type } from '../../contract/type.ts';
import { Failure } from '../../domain/errors.ts';
import { completeIdentity, type Identity } from '../../domain/identity.ts';
import type { HostApp, WebhookEvent, HostWebhooks } from '../code-host.ts';
import type { TokenRules } from '../http/check-tokens.ts';
import { brokenAnswer, type HostCaller, TokenRefused } from '../http/host-api.ts';
import { HostClient } from '../http/host-client.ts';
import { AppRefused, callAsApp, createOAuthApp, type OAuthOptions, readAnswer } from '../http/oauth-app.ts';
import {
  createSignedWebhooks,
  eventOf,
  type ReadEvent,
  type WebhookEvents,
} from '../http/signed-webhooks.ts';
import { Id } from '../payload-types.ts';
import { AccountPayload, AccountSettingsPayload, giteaApi, neededScopes, ScopeMissing } from './gitea-api.ts';
import { expiryOf, type GiteaAddresses, isAppToken, isRefreshToken } from './gitea-settings.ts';

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

/** Of what Gitea calls an unauthorized client, what is wrong with the application, and not with what it asked for. */
const isAppAtFault = (error: string, description: string): boolean =>
  error === 'invalid_client' ||
  (error === 'unauthorized_client' && /client secret|redirect uri/i.test(description));

/** What this service is on Gitea: an OAuth2 application. Up to 1.22 its tokens may do everything, since then what is asked for. */
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
  const basic = `Basic ${Buffer.from(`${given.clientId}:${given.clientSecret}`).toString('base64')}`;
  const client = new HostClient({ api: giteaApi(addresses), fetch: given.fetch, clock: given.clock });

  const isDead = async (token: string, signal: AbortSignal): Promise<boolean> => {
    try {
      await client.get('/user', AccountPayload, { isService: false, token, signal });
      return false;
    } catch (error) {
      if (error instanceof TokenRefused) return true;
      if (error instanceof ScopeMissing) return false;
      throw error;
    }
  };

  const introspect = (token: string, authorization: string, signal: AbortSignal) =>
    callAsApp(options, `${web}/login/oauth/introspect`, {
      method: 'POST',
      headers: { authorization },
      body: new URLSearchParams({ token }),
      signal,
    });

  /**
   * What Gitea says of a token; null where that is dead. It takes the token that it is asked about for a credential of whoever
   * asks, and refuses a dead one with the same 401 as an application that it does not know.
   */
  const askAbout = async (token: string, signal: AbortSignal) => {
    try {
      return await introspect(token, basic, signal);
    } catch (error) {
      if (!(error instanceof AppRefused)) throw error;
      if (await isDead(token, signal)) return null;
      // Up to 1.22 applications cannot ask; where tokens do not count in forms either, only the token itself can.
      return introspect(token, `Bearer ${token}`, signal);
    }
  };

  return {
    ...createOAuthApp(options),
    isRefreshToken,
    async confirm(accessToken, signal) {
      const answer = await askAbout(accessToken, signal);
      if (!answer) return null;
      const told = await readAnswer(Introspected, answer.data);
      if (!told) throw brokenAnswer(name);
      // It tells of the tokens of every application.
      const isOurs = told.active && [told.aud].flat().includes(given.clientId);
      return isOurs ? { hostUserId: Number(told.sub) || null, expiresAt: expiryOf(accessToken) } : null;
    },
    // Gitea takes back no single token. They live for an hour, and people take back what they have allowed in their settings there.
    revoke: async () => {},
  };
}

const howTo = `Make one on Gitea, under Settings, Applications, with the scopes ${neededScopes.replaceAll(' ', ', ')}, for all repositories`;

/** How Gitea tells whose token one is. */
export const giteaTokens = (client: HostClient, addresses: GiteaAddresses): TokenRules => ({
  isAppToken,
  notOurs: `This token was not made for this service, or has expired. ${howTo}, or sign in at /sign-in.`,
  async whose(token, signal) {
    try {
      const owner = { isService: false, token, signal };
      const account = await client.get('/user', AccountPayload, owner);
      const isPublic = account?.email && (await showsEmail(client, owner));
      return account && identityOf(account, addresses, isPublic ? account.email : null);
    } catch (error) {
      if (error instanceof ScopeMissing)
        throw new Failure('UNAUTHORIZED', `This token may not say whose it is. ${howTo}.`, { cause: error });
      throw error;
    }
  },
});

/** Gitea tells people their own address, also where they hide it from others. Tokens that may not say which are taken to hide it. */
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
 * Null for what is no person, such as what runs workflows. What an account is told of another says nothing of whether its address
 * is public: administrators are told all of them.
 */
export function identityOf(
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

/** What is read of deliveries, and nothing more. */
const PullRequestEvent = Type.Object({
  number: Id,
  repository: Type.Object({ id: Id }),
  pull_request: Type.Object({ merged: Type.Boolean() }),
});
const RepositoryEvent = Type.Object({ repository: Type.Object({ id: Id }) });

const told = eventOf('Gitea');

const pullRequest = (change: NonNullable<WebhookEvent['pullRequest']>['change']): ReadEvent =>
  told(PullRequestEvent, ({ number, repository: { id: hostRepoId }, pull_request: { merged } }) => ({
    pullRequest: { hostRepoId, number, change: change === 'closed' && merged ? 'merged' : change },
  }));

const repository = told(RepositoryEvent, ({ repository: { id } }) => ({ revoked: { hostRepoIds: [id] } }));

/** Of changed rights and names Gitea tells nothing. */
export const webhookEvents: WebhookEvents = {
  pull_request: {
    closed: pullRequest('closed'),
    synchronized: pullRequest('moved'),
    edited: pullRequest('moved'),
    reopened: pullRequest('moved'),
    '*': pullRequest('other'),
  },
  pull_request_approved: { '*': pullRequest('other') },
  pull_request_rejected: { '*': pullRequest('other') },
  pull_request_comment: { '*': pullRequest('other') },
  repository: { deleted: repository },
};
