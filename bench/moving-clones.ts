import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { createGitHost } from '../src/code-hosts/git/git-host.ts';
import { programSearchPath } from '../src/config.ts';
import { parseSecretKeys } from '../src/domain/secrets.ts';
import { Comparison } from '../test/compare-with-git.ts';
import { MovingClone } from '../test/moving-clone.ts';
import { nobody } from '../test/read-from-host.ts';

// Lets the histories of clones move at random (merges, squashes, stacks, rebases, rewritten default branches), holds the
// git host's answers against git's own after every step, and counts those that are wrong: there must be none.
// Usage: node bench/moving-clones.ts [HISTORIES [STEPS]]

const [, , histories = '50', steps = '20'] = process.argv;
const folder = mkdtempSync(join(tmpdir(), 'pullquote-bench-'));
const secretKeys = parseSecretKeys(`1:${'k'.repeat(43)}`);
if (!secretKeys) throw new Error('The key of this benchmark is wrong.');
const open = () =>
  createGitHost({
    root: join(folder, 'repos'),
    git: { path: programSearchPath(), isolatedFolders: join(folder, 'git') },
    webUrl: null,
    privateRepositories: [],
    secretKeys,
    clock: () => new Date(),
  });

const comparison = new Comparison();
for (let seed = 1; seed <= Number(histories); seed += 1) {
  const clone = new MovingClone(join(folder, 'repos', 'moving', `clone${seed}.git`), seed);
  // Every other history meets a host that knows no more than what it finds on disk.
  let host = open();
  for (let step = 1; step <= Number(steps); step += 1) {
    const happened = clone.step();
    const before = comparison.wrong.length;
    const repository = await host.findRepository('moving', `clone${seed}`, nobody);
    if (!repository) throw new Error(`The clone of history ${seed} is not found.`);
    await comparison.compare(host, repository, clone);
    for (const line of comparison.wrong.slice(before))
      console.log(`history ${seed}, step ${step} (${happened}): ${line}`);
    if (seed % 2 === 0) {
      await host.close();
      host = open();
    }
  }
  await host.close();
}
rmSync(folder, { recursive: true, force: true });
console.log(
  `${histories} histories of ${steps} steps: ${comparison.wrong.length} of ${comparison.answers} answers wrong`,
);
