import { mintLocalToken } from '../../src/code-hosts/git/local-token.ts';
import type { SecretKeys } from '../../src/domain/secrets.ts';
import type { Caller } from './caller.ts';
import { type Findings, forEach, type Writer } from './writer.ts';

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
