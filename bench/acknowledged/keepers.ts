import { randomBytes } from 'node:crypto';
import { mintLocalToken } from '../../src/code-hosts/git/local-token.ts';
import type { SecretKeys } from '../../src/domain/secrets.ts';
import type { GitHubStandIn } from '../../test/github/stand-in.ts';
import { account } from '../../test/github/state.ts';
import { type Caller, type Findings, forEach, type Writer } from './caller.ts';

/** Items that users can have or not have, such as likes. A user is identified by their token. */
export interface Having {
  kind: string;
  /** All items that a user can have. */
  things: readonly string[];
  /** After this many items another user continues; without it, none does. */
  mostTurns?: number;
  /** Adds an item; returns its expected state, or null if the service did not acknowledge it. */
  add: (token: string, thing: string) => Promise<string | null>;
  /** Removes an item; returns whether the service acknowledged it. */
  remove: (token: string, thing: string, value: string) => Promise<boolean>;
  /** The items that a user has. */
  find: (token: string) => Promise<Map<string, string>>;
}

interface Person {
  token: string;
  turns: number;
  /** The last acknowledged state of each item; null if it was removed. */
  acknowledged: Map<string, string | null>;
}

/** The share of users with an item who remove it instead of adding it again. */
const removing = 0.6;

/** The share of changes to items that were added or removed before. */
const returning = 0.4;

const pickOne = (things: readonly string[]): string =>
  things[Math.floor(Math.random() * things.length)] ?? '';

/**
 * A user who adds and removes items. After a call without a response, the state of the item is unknown, and so is when
 * it will change: another user continues, so that all other results are certain.
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
    // Set until a response arrives; without one, nothing is known about the item.
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

/** Now and then a user signs up twice; the second attempt is begun, rejected and rolled back. */
const againEvery = 3;

/** Signs up users, each with a new name. */
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

  /** The token of a user whose sign-up was acknowledged; null if it was not. */
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

/** The expected state of each user: the token that they saved last. */
const thing = 'token';

const tokenOf = (authorization: string | undefined): string => authorization?.replace(/^Bearer /, '') ?? '';

/** Saved GitHub tokens. Later calls to GitHub use the saved token, which the stand-in reports. */
export function tokensThrough(caller: Caller, github: GitHubStandIn): Having {
  const owner = account(1, 'alice');
  github.state.accounts.push(owner);
  /** The token used in the calls for each repository. */
  const askedWith = new Map<string, string>();
  let looks = 0;
  // Responses are not checked against GitHub's description here, because that would take longer than the benchmark.
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

/** Sessions. A user who logs out of one can open another one in its place. */
export function sessionsThrough(caller: Caller, things: readonly string[]): Having {
  /** The token of the last session at each place, by user. */
  const opened = new Map<string, Map<string, string>>();
  return {
    kind: 'sessions',
    things,
    async add(token, place) {
      const answer = await caller.call({
        kind: 'sessions',
        method: 'POST',
        path: '/auth/session',
        token,
        body: {},
      });
      if (!answer?.isOk) return null;
      const { data }: { data: { accessToken: string } } = JSON.parse(answer.text);
      opened.set(token, (opened.get(token) ?? new Map()).set(place, data.accessToken));
      return data.accessToken;
    },
    async remove(_token, _place, session) {
      const loggedOut = { kind: 'log-outs', method: 'POST', path: '/auth/logout', token: session };
      return (await caller.call(loggedOut))?.isOk ?? false;
    },
    async find(token) {
      const found = new Map<string, string>();
      for (const [place, session] of opened.get(token) ?? [])
        if ((await caller.look('/users/me', session)).status === 200) found.set(place, session);
      return found;
    },
  };
}
