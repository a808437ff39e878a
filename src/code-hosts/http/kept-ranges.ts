import type { HostRange, HostRepository } from '../code-host.ts';
import type { HostCaller } from './host-api.ts';
import { nameOf } from './host-client.ts';

/** Between which commits a range lies, and how many there are. */
export type FoundRange = Pick<HostRange, 'fromSha' | 'toSha' | 'total' | 'behind'>;

interface Parts {
  find: (
    repository: HostRepository,
    wanted: { from: string; to: string },
    caller: HostCaller,
  ) => Promise<FoundRange>;
  read: (repository: HostRepository, found: FoundRange, caller: HostCaller) => Promise<HostRange>;
  clock: () => Date;
}

/** What lies between two commits does not change: for how long it is kept, and of how many ranges, because it takes many questions. */
const keptMs = 5 * 60 * 1000;
const mostKept = 100;

/** Reads ranges, and keeps them for a while, for each token apart. Who may see one is not decided here. */
export class KeptRanges {
  readonly #parts: Parts;
  readonly #kept = new Map<string, { range: HostRange; until: number }>();
  readonly #running = new Map<string, { range: Promise<HostRange>; signal: AbortSignal }>();

  constructor(parts: Parts) {
    this.#parts = parts;
  }

  /** Equal questions with the same rights share one read. It ends with the request that began it; then another one begins it anew. */
  async read(
    repository: HostRepository,
    wanted: { from: string; to: string },
    caller: HostCaller,
  ): Promise<HostRange> {
    const key = [nameOf(caller), repository.hostRepoId, wanted.from, wanted.to].join(' ');
    for (let known = this.#running.get(key); known; known = this.#running.get(key))
      try {
        return await known.range;
      } catch (error) {
        if (!known.signal.aborted || caller.signal.aborted) throw error;
      }
    const range = this.#read(repository, wanted, caller).finally(() => this.#running.delete(key));
    this.#running.set(key, { range, signal: caller.signal });
    return range;
  }

  async #read(
    repository: HostRepository,
    wanted: { from: string; to: string },
    caller: HostCaller,
  ): Promise<HostRange> {
    const { find, read, clock } = this.#parts;
    const found = await find(repository, wanted, caller);
    // With a token that may read commits only, a host tells nothing of pull requests.
    const key = [nameOf(caller), repository.hostRepoId, found.fromSha, found.toSha].join(' ');
    const known = this.#kept.get(key);
    const now = clock().getTime();
    if (known && known.until > now) return known.range;
    this.#kept.delete(key);
    const range = await read(repository, found, caller);
    this.#kept.set(key, { range, until: now + keptMs });
    const [oldest] = this.#kept.keys();
    if (oldest && this.#kept.size > mostKept) this.#kept.delete(oldest);
    return range;
  }
}
