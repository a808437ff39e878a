import { isDeepStrictEqual } from 'node:util';
import type { CodeHost, HostRepository } from '../src/code-hosts/code-host.ts';
import { diffByGit, placeByGit } from './clone-oracle.ts';
import type { MovingClone } from './moving-clone.ts';
import { nobody, readFromHost } from './read-from-host.ts';

/** Compares what a host returns about a clone's pull requests with git, and the list with each pull request. */
export class Comparison {
  /** The number of compared responses. */
  answers = 0;
  /** A line for each difference. */
  readonly wrong: string[] = [];
  /** Diffs that were compared already, by their ends. */
  readonly #diffs = new Set<string>();

  async compare(host: CodeHost, repository: HostRepository, clone: MovingClone): Promise<void> {
    const { items } = await host.listPullRequests(
      repository,
      { state: 'all', limit: 100, offset: 0 },
      nobody,
    );
    for (const number of clone.numbers()) {
      const { headSha, baseSha } = placeByGit(clone.folder, number);
      const found = await readFromHost(host, repository, number);
      this.#expect(number, 'head', found?.headSha, headSha);
      this.#expect(number, 'base', found?.baseSha, baseSha);
      const listed = items.find((item) => item.number === number);
      for (const key of ['title', 'authorLogin', 'state', 'createdAt'] as const)
        this.#expect(number, `${key} in the list`, listed?.[key], found?.[key]);
      const pair = `${baseSha} ${headSha}`;
      if (!found || this.#diffs.has(pair)) continue;
      this.#diffs.add(pair);
      const { diff, files } = diffByGit(clone.folder, baseSha, headSha);
      this.#expect(number, 'diff', Buffer.concat(await Array.fromAsync(found.diff())).toString(), diff);
      const paths = (await found.fileSummaries()).map(({ path }) => path);
      this.#expect(number, 'files', paths, files);
    }
  }

  #expect(number: number, what: string, answered: unknown, expected: unknown): void {
    this.answers += 1;
    if (!isDeepStrictEqual(answered, expected))
      this.wrong.push(`#${number} ${what}: ${answered} | ${expected}`);
  }
}
