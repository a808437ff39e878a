import { type Encoding, encodeBytes } from '../responses/encode-response.ts';
import { type CachePolicy, tagInEncoding } from './cache-policy.ts';

export interface Form {
  body: Buffer;
  head: string[];
  bodyHead: string[];
}

export class PublicResponse {
  readonly headers: Record<string, string>;
  readonly route: string | undefined;
  readonly plain: Form;
  readonly #encoded = new Map<Encoding, Promise<Form>>();

  constructor(body: Buffer, headers: Record<string, string>, route?: string) {
    this.headers = headers;
    this.route = route;
    this.plain = this.#form(body);
  }

  formIn(encoding: Encoding): Promise<Form> {
    const known = this.#encoded.get(encoding);
    if (known) return known;
    const made = encodeBytes[encoding](this.plain.body).then((body) => this.#form(body, encoding));
    this.#encoded.set(encoding, made);
    return made;
  }

  #form(body: Buffer, encoding: Encoding | null = null): Form {
    const etag = tagInEncoding(this.headers.etag ?? '', encoding);
    const encoded = encoding === null ? [] : ['content-encoding', encoding];
    return {
      body,
      head: Object.entries({ ...this.headers, etag }).flat(),
      bodyHead: ['content-length', String(body.length), ...encoded],
    };
  }
}

interface Entry extends CachePolicy {
  cached: PublicResponse;
  bytes: number;
  wasRead: boolean;
}

export type CacheGeneration = number;

/** Added for the key and headers. The body counts twice, because its encoded forms take as much again. */
const overheadBytes = 1_000;

/** If there are more changes than this, all are forgotten, and responses being made are not cached. */
const mostChanges = 50_000;

/**
 * Responses that are the same for every viewer, limited by bytes. A response that was begun before a change to its
 * content is never cached.
 */
export class PublicCache {
  readonly #maxBytes: number;
  readonly #entries = new Map<string, Entry>();
  readonly #keysByDependency = new Map<string, Set<string>>();
  readonly #changes = new Map<string, number>();
  #changed = 0;
  #floor = 0;
  #bytes = 0;
  #trusted = true;

  constructor(maxBytes: number) {
    this.#maxBytes = maxBytes;
  }

  get bytes(): number {
    return this.#bytes;
  }

  get(key: string, now: number): PublicResponse | null {
    const entry = this.#entries.get(key);
    if (!entry) return null;
    if (entry.expiresAt <= now) {
      this.#remove(key, entry);
      return null;
    }
    // Moving the entry to the end of the map now would cost as much as the rest of a cached response.
    entry.wasRead = true;
    return entry.cached;
  }

  generation(): CacheGeneration {
    return this.#changed;
  }

  put(
    key: string,
    cached: PublicResponse,
    { dependsOn, expiresAt, generation }: CachePolicy & { generation: CacheGeneration },
  ): boolean {
    const bytes = cached.plain.body.length * 2 + key.length + overheadBytes;
    if (!this.#trusted || generation < this.#floor || bytes > this.#maxBytes / 4) return false;
    if (dependsOn.some((thing) => (this.#changes.get(thing) ?? 0) > generation)) return false;
    const known = this.#entries.get(key);
    if (known) this.#remove(key, known);
    this.#makeRoom(bytes);
    this.#entries.set(key, { cached, dependsOn, expiresAt, bytes, wasRead: false });
    this.#bytes += bytes;
    for (const thing of dependsOn) {
      const keys = this.#keysByDependency.get(thing) ?? new Set();
      this.#keysByDependency.set(thing, keys.add(key));
    }
    return true;
  }

  invalidate(thing: string): void {
    this.#changed += 1;
    this.#changes.set(thing, this.#changed);
    if (this.#changes.size > mostChanges) {
      this.#changes.clear();
      this.#floor = this.#changed;
    }
    for (const key of this.#keysByDependency.get(thing) ?? []) {
      const entry = this.#entries.get(key);
      if (entry) this.#remove(key, entry);
    }
  }

  /** After missed notifications, no cached response is reliable. */
  clear(): void {
    this.#changed += 1;
    this.#floor = this.#changed;
    this.#entries.clear();
    this.#keysByDependency.clear();
    this.#changes.clear();
    this.#bytes = 0;
  }

  /** While notifications may be missed, nothing is cached. */
  trust(isTrusted: boolean): void {
    if (this.#trusted !== isTrusted) this.clear();
    this.#trusted = isTrusted;
  }

  /** Entries that were read since the last round survive this one. */
  #makeRoom(bytes: number): void {
    for (const [key, entry] of this.#entries) {
      if (this.#bytes + bytes <= this.#maxBytes) return;
      if (entry.wasRead) {
        entry.wasRead = false;
        this.#entries.delete(key);
        this.#entries.set(key, entry);
      } else this.#remove(key, entry);
    }
  }

  #remove(key: string, entry: Entry): void {
    this.#entries.delete(key);
    this.#bytes -= entry.bytes;
    for (const thing of entry.dependsOn) {
      const keys = this.#keysByDependency.get(thing);
      keys?.delete(key);
      if (keys?.size === 0) this.#keysByDependency.delete(thing);
    }
  }
}
