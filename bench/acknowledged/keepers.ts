import { randomBytes } from 'node:crypto';
import { mintLocalToken } from '../../src/code-hosts/git/local-token.ts';
import type { SecretKeys } from '../../src/domain/secrets.ts';
import type { GitHubStandIn } from '../../test/github/stand-in.ts';
import { account } from '../../test/github/state.ts';
import { type Caller, type Findings, forEach, type Writer } from './caller.ts';

/** Things of people that they can have or not have. A user is named by their token. */
export interface Having {
  kind: string;
  /** What there is to have. */
  things: readonly string[];
  /** After how many of them another user goes on; without it, none does. */
  mostTurns?: number;
  /** Adds one; answers what is then to be found of it, or null where the service did not say that it is there. */
  add: (token: string, thing: string) => Promise<string | null>;
  /** Takes one away; answers whether the service said so. */
  remove: (token: string, thing: string, value: string) => Promise<boolean>;
  /** What a user has. */
  find: (token: string) => Promise<Map<string, string>>;
}

interface Person {
  token: string;
  turns: number;
  /** What was acknowledged last, by thing; null where that is that it is gone. */
  acknowledged: Map<string, string | null>;
}

/** Of those who have something, how many take it away again instead of adding it once more. */
const removing = 0.6;

/** How often it is something that was added or taken away before. */
const returning = 0.4;

const pickOne = (things: readonly string[]): string =>
  things[Math.floor(Math.random() * things.length)] ?? '';

/**
 * A user who adds things and takes them away again. Once an answer does not come, it is not known whether the thing is
 * there, nor when that will be decided: another user goes on, so that all that is acknowledged can be relied upon.
 */
export class Keepers implements Writer {
  readonly kind: string;
  readonly #having: Having;
  readonly #signUps: SignUps;
  readonly #people: Person[] = [];
  #current: Person | null = null;
  #answers = 0;

  constructor(having: Having, signUps: SignUps) {
    this.kind = having.kind;
    this.#having = having;
    this.#signUps = signUps;
  }

  async write(): Promise<boolean> {
    this.#current ??= await this.#join();
    if (!this.#current) return false;
    const { things, mostTurns = Number.POSITIVE_INFINITY, add, remove } = this.#having;
    const { token, acknowledged } = this.#current;
    this.#current.turns += 1;
    const isFamiliar = acknowledged.size > 0 && Math.random() < returning;
    const thing = pickOne(isFamiliar ? [...acknowledged.keys()] : things);
    const known = acknowledged.get(thing) ?? null;
    const isRemoving = known !== null && Math.random() < removing;
    // Until it is answered, and if it never is, nothing is known of it.
    acknowledged.delete(thing);
    const value = isRemoving ? null : await add(token, thing);
    const isAcknowledged = isRemoving ? await remove(token, thing, known) : value !== null;
    if (isAcknowledged) {
      acknowledged.set(thing, value);
      this.#answers += 1;
    }
    if (!isAcknowledged || this.#current.turns >= mostTurns) this.#current = null;
    return isAcknowledged;
  }

  async find(): Promise<Findings> {
    const findings = { acknowledged: this.#answers, lost: 0, 'still there': 0 };
    await forEach(this.#people, async ({ token, acknowledged }) => {
      const found = await this.#having.find(token);
      for (const [thing, value] of acknowledged) {
        if (value !== null && found.get(thing) !== value) findings.lost += 1;
        if (value === null && found.has(thing)) findings['still there'] += 1;
      }
    });
    return findings;
  }

  async #join(): Promise<Person | null> {
    const token = await this.#signUps.signUp();
    if (token === null) return null;
    const person = { token, turns: 0, acknowledged: new Map() };
    this.#people.push(person);
    return person;
  }
}

const hour = 60 * 60 * 1000;

/** Every so often a user signs up a second time, which is begun, refused, and rolled back. */
const againEvery = 3;

/** Signs up people, each with a new name. */
export class SignUps implements Writer {
  readonly kind = 'signups';
  readonly #caller: Caller;
  readonly #keys: SecretKeys;
  readonly #acknowledged: string[] = [];
  #names = 0;

  constructor(caller: Caller, keys: SecretKeys) {
    this.#caller = caller;
    this.#keys = keys;
  }

  async write(): Promise<boolean> {
    const token = await this.signUp();
    if (token && this.#names % againEvery === 0)
      await this.#caller.call({
        kind: 'signups again',
        method: 'POST',
        path: '/auth/signup',
        token,
        body: {},
      });
    return token !== null;
  }

  /** The token of a user whose signup was acknowledged; null where it was not. */
  async signUp(name = 'reader'): Promise<string | null> {
    this.#names += 1;
    const expiresAt = new Date(Date.now() + 24 * hour);
    const token = mintLocalToken(this.#keys, { name: `${name}-${this.#names}`, expiresAt, singleUse: false });
    const signUp = { kind: this.kind, method: 'POST', path: '/auth/signup', token, body: { language: 'en' } };
    const answer = await this.#caller.call(signUp);
    if (answer?.status !== 201) return null;
    this.#acknowledged.push(token);
    return token;
  }

  async find(): Promise<Findings> {
    let lost = 0;
    await forEach(this.#acknowledged, async (token) => {
      const { status } = await this.#caller.look('/users/me', token);
      if (status !== 200) lost += 1;
    });
    return { acknowledged: this.#acknowledged.length, lost, 'still there': 0 };
  }
}

/** What there is of each person: whichever token they saved last. */
const thing = 'token';

const tokenOf = (authorization: string | undefined): string => authorization?.replace(/^Bearer /, '') ?? '';

/** Tokens of GitHub that people save. What is saved is what GitHub is then asked with, which its stand-in tells. */
export function tokensThrough(caller: Caller, github: GitHubStandIn): Having {
  const owner = account(1, 'alice');
  github.state.accounts.push(owner);
  /** The token with which each repository was asked for. */
  const askedWith = new Map<string, string>();
  let looks = 0;
  // Holding every answer against GitHub's description would take longer than what is to be seen here.
  github.script(/^\/repos\/vault\//, (response, _pass, { url = '', headers }) => {
    const [, name = '', rest] = /\/repos\/vault\/([^/?]+)(.*)$/.exec(url) ?? [];
    const token = tokenOf(headers.authorization);
    const isShown = owner.tokens.has(token);
    if (isShown) askedWith.set(name, token);
    const repository = {
      id: Number(name),
      name,
      owner: { login: 'vault' },
      private: true,
      visibility: 'private',
    };
    const answer = rest ? [] : repository;
    response.writeHead(isShown ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isShown ? answer : { message: 'Not Found' }));
  });
  const path = '/auth/host-token?host=github';
  return {
    kind: 'saved tokens',
    things: [thing],
    mostTurns: 4,
    async add(token) {
      const accessToken = `ghp_${randomBytes(18).toString('hex')}`;
      owner.tokens.add(accessToken);
      const body = { accessToken };
      const answer = await caller.call({ kind: 'tokens saved', method: 'POST', path, token, body });
      return answer?.isOk ? accessToken : null;
    },
    async remove(token) {
      return (await caller.call({ kind: 'tokens deleted', method: 'DELETE', path, token }))?.isOk ?? false;
    },
    async find(token) {
      looks += 1;
      const name = String(looks);
      const { isOk } = await caller.look(`/repos/vault/${name}/pulls?host=github`, token);
      const used = isOk ? askedWith.get(name) : undefined;
      return new Map(used === undefined ? [] : [[thing, used]]);
    },
  };
}
