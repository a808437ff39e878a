import { createHash } from 'node:crypto';
import type { Clone } from '../git-runner/run-git.ts';
import { clonesNamed } from './find-clone.ts';

export interface PrivateRepository {
  fullName: string;
  /** Local names. */
  visibleTo: string[];
}

/** Which clones are private, and to whom they show. */
export class Privacy {
  readonly #root: string;
  readonly #entries: PrivateRepository[];

  constructor(root: string, entries: PrivateRepository[]) {
    this.#root = root;
    this.#entries = entries;
  }

  /** The ids of the users who may see a clone, or null when it is public. A link to a private clone is as private. */
  async visibleTo(clone: Clone): Promise<Set<number> | null> {
    const applying = await Promise.all(this.#entries.map((entry) => this.#isAbout(entry, clone)));
    const entries = this.#entries.filter((_, index) => applying[index]);
    if (entries.length === 0) return null;
    return new Set(entries.flatMap(({ visibleTo }) => visibleTo.map(localId)));
  }

  async #isAbout({ fullName }: PrivateRepository, clone: Clone): Promise<boolean> {
    if (fullName.toLowerCase() === `${clone.owner}/${clone.name}`.toLowerCase()) return true;
    const [owner = '', name = ''] = fullName.split('/');
    for await (const { gitFolder } of clonesNamed(this.#root, owner, name))
      if (gitFolder === clone.gitFolder) return true;
    return false;
  }
}

/** A folder of clones has no numbers to give: 53 bits of SHA-256 over the lower-cased name stand in. */
export function localId(name: string): number {
  const digest = createHash('sha256').update(name.toLowerCase()).digest();
  return Number(digest.readBigUInt64BE(0) >> 11n);
}
