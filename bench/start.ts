// How long a warm start takes until it serves, with both hosts, against git alone: medians of alternating starts. Run with
// node bench/start-with-github.ts [STARTS].
import { test } from 'node:test';
import { startService } from '../test/start-service.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

const starts = Number(process.argv[2] ?? 21);
const kinds = ['git', 'git,github'] as const;

test('the bench', async () => {
  const folders = new Map(kinds.map((kind) => [kind, temporaryFolder()]));
  const taken = new Map<string, number[]>(kinds.map((kind) => [kind, []]));
  for (let start = -1; start < starts; start += 1) {
    for (const kind of kinds) {
      const begun = performance.now();
      const service = await startService({
        environment: { CODE_HOST: kind, PULLQUOTE_DATA: folders.get(kind) ?? '' },
      });
      // The first makes the database.
      if (start >= 0) taken.get(kind)?.push(service.servingSince - begun);
      await service.stop();
    }
  }
  const median = (kind: string): number => {
    const sorted = (taken.get(kind) ?? []).sort((one, other) => one - other);
    return sorted[Math.floor(sorted.length / 2)] ?? Number.NaN;
  };
  const [alone, both] = [median('git'), median('git,github')];
  console.log(`git alone ${alone.toFixed(0)} ms, both ${both.toFixed(0)} ms: ${(both / alone).toFixed(3)}`);
});
