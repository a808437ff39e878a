import type { Static, TSchema } from 'typebox';
import { MovedMeanwhile } from '../code-host.ts';
import { redacted, ruleBrokenBy } from '../http/errors-of-calls.ts';
import type { HostCaller } from '../http/host-api.ts';
import { type ClientOptions, HostClient } from '../http/host-client.ts';
import { brokenAnswer, isAbsent, LateStream } from '../http/host-failures.ts';
import type { GitHubAddresses } from './addresses.ts';
import { createGitHubApi, tooLargeToPrint } from './github-api.ts';

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
