import { mintLocalToken } from '../src/code-hosts/git/local-token.ts';
import { loadSecretKeys } from '../src/data-folder.ts';

/** Changes that a user can undo or give up. */
const partings = {
  unlike: { method: 'DELETE', path: (article: string) => `${article}/like` },
  'log out': { method: 'POST', path: () => '/auth/logout' },
  'delete the account': { method: 'DELETE', path: () => '/users/me' },
};
type Parting = keyof typeof partings;
const kindsOfPartings = Object.keys(partings) as Parting[];

/** Calls the service, and remembers all acknowledged changes. */
export class StoringClient {
  readonly #keys: ReturnType<typeof loadSecretKeys>;
  readonly #signedUp: string[] = [];
  readonly #parted: { token: string; parting: Parting }[] = [];
  /** Users who like the article and have undone nothing yet. */
  readonly #staying: string[] = [];
  #names = 0;
  #ingests = 1;
  #article = '';
  url = '';
  /** Reads of an article that nobody changes, which the cache keeps. */
  cached: string[] = [];

  constructor(dataFolder: string) {
    this.#keys = loadSecretKeys({ dataFolder, secretKeys: undefined });
  }

  get acknowledged(): number {
    return this.#signedUp.length + this.#parted.length;
  }

  async call(method: string, path: string, token?: string): Promise<number> {
    const headers = token ? { authorization: `Bearer ${token}` } : {};
    const response = await fetch(`${this.url}${path}`, { method, headers });
    await response.arrayBuffer();
    return response.status;
  }

  #mint(): string {
    this.#names += 1;
    const expiresAt = new Date(Date.now() + 24 * 3_600_000);
    return mintLocalToken(this.#keys, { name: `user-${this.#names}`, expiresAt, singleUse: false });
  }

  /** Signs up the main user, and requests two articles: one to like, and one that stays unchanged. */
  async begin(): Promise<string> {
    const token = this.#mint();
    await this.call('POST', '/auth/signup', token);
    this.#signedUp.push(token);
    this.#article = `/articles/${await this.#write('ballast', token)}/language/en`;
    this.cached = [`/articles/${await this.#write('calm', token)}`, '/repos/acme/calm/pulls/1/article'];
    return token;
  }

  async #write(repo: string, token: string): Promise<string> {
    const response = await fetch(`${this.url}/repos/acme/${repo}/pulls/1/article`, {
      method: 'POST',
      headers: { authorization: `Bearer ${token}`, 'content-type': 'application/json' },
      body: JSON.stringify({ language: 'en' }),
    });
    const { data } = (await response.json()) as { data: { id: string } };
    return data.id;
  }

  async signUp(): Promise<number> {
    const token = this.#mint();
    const status = await this.call('POST', '/auth/signup', token);
    if (status === 201) this.#signedUp.push(token);
    return status;
  }

  ingest(token: string): Promise<number> {
    this.#ingests += 1;
    return this.call('POST', `/repos/acme/ballast/pulls/${this.#ingests}/ingest`, token);
  }

  /** Signs up users who like the article, until enough of them can undo something. */
  async gather(count: number): Promise<void> {
    while (this.#staying.length < count) {
      const token = this.#mint();
      await this.call('POST', '/auth/signup', token);
      const status = await this.call('POST', `${this.#article}/like`, token);
      if (status !== 201) throw new Error(`A like was answered with ${status}.`);
      this.#staying.push(token);
    }
  }

  /** A user unlikes, logs out or leaves; null once all have. */
  async part(): Promise<number | null> {
    const token = this.#staying.pop();
    if (token === undefined) return null;
    const parting = kindsOfPartings[this.#staying.length % kindsOfPartings.length] ?? 'unlike';
    const { method, path } = partings[parting];
    const status = await this.call(method, path(this.#article), token);
    if (status === 200) this.#parted.push({ token, parting });
    return status;
  }

  /** The number of acknowledged changes that are missing. */
  async countLost(): Promise<number> {
    let lost = 0;
    for (const token of this.#signedUp) if ((await this.call('GET', '/users/me', token)) !== 200) lost += 1;
    for (const { token, parting } of this.#parted) if (!(await this.#hasParted(token, parting))) lost += 1;
    return lost;
  }

  async #hasParted(token: string, parting: Parting): Promise<boolean> {
    if (parting !== 'unlike')
      return (await this.call('GET', '/users/me', token)) === (parting === 'log out' ? 401 : 404);
    const response = await fetch(`${this.url}/users/me/liked-articles`, {
      headers: { authorization: `Bearer ${token}` },
    });
    const { data } = (await response.json()) as { data: { pagination: { totalItems: number } } };
    return data.pagination.totalItems === 0;
  }
}
