import type { Static, TSchema } from 'typebox';
import { Failure } from '../../domain/errors.ts';
import { MovedMeanwhile, UselessAnswer } from '../code-host.ts';
import {
  brokenAnswer,
  causeOf,
  type HostApi,
  type HostCaller,
  isAbsent,
  LateStream,
  refuseAccount,
} from '../http/host-api.ts';
import { type ClientOptions, HostClient } from '../http/host-client.ts';
import { redacted, ruleBrokenBy } from '../http/host-transport.ts';
import { limitHeaders } from '../http/rate-limits.ts';

/** Where a GitHub lives, on github.com, on ghe.com or on servers of its own. */
export interface GitHubAddresses {
  web: string;
  api: string;
  graphql: string;
  /** The domain below which it gives out no-reply addresses. */
  domain: string;
  /** Where pictures of people are. */
  avatars: string[];
  /** Whether it runs on servers of the operator's own, in whichever network those are. */
  isOwn: boolean;
}

export function addressesOf({ origin, host, hostname, protocol }: URL): GitHubAddresses {
  const isCloud = host === 'github.com' || host.endsWith('.ghe.com');
  const api = isCloud ? `${protocol}//api.${host}` : `${origin}/api/v3`;
  const graphql = isCloud ? `${api}/graphql` : `${origin}/api/graphql`;
  const avatars = avatarOrigins(host, origin, protocol);
  return { web: origin, api, graphql, domain: hostname, avatars, isOwn: !isCloud };
}

/** Servers of one's own have them on a domain beside theirs if they are set up to, or else below it. */
function avatarOrigins(host: string, origin: string, protocol: string): string[] {
  if (host === 'github.com') return ['https://avatars.githubusercontent.com'];
  return [`${protocol}//avatars.${host}`, origin];
}

/** The newest that Enterprise Servers know too; others are refused there. */
const apiVersion = '2022-11-28';

/** How GitHub says that a diff is too large. */
export const tooLargeToPrint = 406;

/** How it says, with 422 or 500, that it takes too long to make one, which may be small. */
const cannotPrint = /"code":\s*"not_available"/;

const anonymousLimit = 60;
const tokenLimit = 5_000;

/** How GitHub is asked. */
export function createGitHubApi(addresses: GitHubAddresses): HostApi {
  const words = { id: 'github', name: 'GitHub' };
  return {
    ...words,
    tokenSetting: 'GITHUB_TOKEN',
    permissions: 'read Contents, Pull requests and Issues of the repository',
    address: addresses.api,
    headers: (token) => ({
      accept: 'application/vnd.github+json',
      'x-github-api-version': apiVersion,
      ...(token !== null && { authorization: `Bearer ${token}` }),
    }),
    pages: { sizes: [100, 10, 1], query: (size, page) => `per_page=${size}&page=${page}` },
    limits: { read: limitHeaders('x-ratelimit-'), periodsPerHour: 1 },
    usualLimit: (token) => (token === null ? anonymousLimit : tokenLimit),
    refusal(answered, caller) {
      const { status, headers, message } = answered;
      if (status === tooLargeToPrint) return answered;
      if (cannotPrint.test(message)) return { ...answered, status: tooLargeToPrint };
      if (status === 403 && /suspended/i.test(message)) return refuseAccount(words, answered, caller);
      if (status === 403 && headers['x-github-sso'] !== undefined)
        throw signOnDemanded(causeOf(words, answered, caller), caller.isService);
      return null;
    },
  };
}

function signOnDemanded(cause: Error, isService: boolean): Failure {
  const message =
    'The organization demands single sign-on for this token. Authorize the token for it on GitHub, then try again.';
  return isService
    ? new UselessAnswer(message, { cause })
    : new Failure('HOST_TOKEN_INVALID', message, { cause });
}

/** A diff that is not too large to be asked for may be some megabytes. */
const diffMs = 30_000;

const diffType = 'application/vnd.github.diff';

/** Asks GitHub, also for diffs and by GraphQL. */
export class GitHubClient extends HostClient {
  readonly #addresses: GitHubAddresses;

  constructor({ addresses, ...options }: Omit<ClientOptions, 'api'> & { addresses: GitHubAddresses }) {
    super({ ...options, api: createGitHubApi(addresses) });
    this.#addresses = addresses;
  }

  /** A diff of something that was found before, as GitHub prints it; null where it does not. */
  async diff(path: string, caller: HostCaller): Promise<Buffer | null> {
    const { name, address } = this.api;
    const signal = AbortSignal.any([caller.signal, AbortSignal.timeout(diffMs)]);
    const question = { address: `${address}${path}`, resource: 'core', streamOf: diffType, isCostly: true };
    const answer = await this.ask(question, { ...caller, signal }).catch((error) => {
      if (error instanceof LateStream) return null;
      throw error;
    });
    if (!answer || answer.status === tooLargeToPrint) return null;
    if (isAbsent(answer.status)) throw new MovedMeanwhile();
    if (!(answer.data instanceof ReadableStream)) throw brokenAnswer(name);
    try {
      return Buffer.concat(await Array.fromAsync<Uint8Array>(answer.data));
    } catch (error) {
      if (ruleBrokenBy(error) === 'size') return null;
      throw brokenAnswer(name, redacted(error));
    }
  }

  /** What a query of GraphQL answers; null where it answers with errors alone. */
  async query<Schema extends TSchema>(
    query: string,
    variables: Record<string, unknown>,
    schema: Schema,
    caller: HostCaller,
  ): Promise<Static<Schema> | null> {
    const resource = 'graphql';
    const question = {
      address: this.#addresses.graphql,
      resource,
      body: { query, variables },
      isCostly: true,
    };
    const { data } = await this.ask(question, caller);
    if (!isObject(data)) throw brokenAnswer(this.api.name);
    if (JSON.stringify(data.errors ?? []).includes('RATE_LIMITED')) throw this.refuse(caller, resource);
    return data.data ? this.checked(schema, data.data) : null;
  }
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null;
