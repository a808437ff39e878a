import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startService } from '../test/start-service.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

// How long a warm start takes until it serves with several code hosts, against git alone: medians of starts that alternate, each on a
// database of its own that is there already, and of the ratios of those that follow each other. By the clock, and by the work of the
// thread that loads and opens everything, which other programs on the machine change less.
// Run with node bench/start.ts [--starts 21]

const { values } = parseArgs({ options: { starts: { type: 'string', default: '21' } } });
const starts = Number(values.starts);
const kinds = ['git', 'git,github', 'git,github,gitlab,gitea'];

const addresses = { GITEA_URL: 'https://gitea.example' };

/** As people start it, without the flag that tests are started with. */
const command = ['env', process.execPath, 'bin/pullquote.cjs', 'serve'];

/** The milliseconds that the first thread of a process has worked. */
const workOf = (pid: number): number =>
  Number(readFileSync(`/proc/${pid}/task/${pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6;

const taken = kinds.map((kind) => {
  const [clock, work]: [number[], number[]] = [[], []];
  return { kind, folder: temporaryFolder(), clock, work };
});

for (let start = -1; start < starts; start += 1)
  for (const { kind, folder, clock, work } of taken) {
    const begun = performance.now();
    const service = await startService({
      command,
      environment: { CODE_HOST: kind, PULLQUOTE_DATA: folder, ...addresses },
    });
    const worked = workOf(service.child.pid ?? 0);
    // The first makes the database.
    if (start >= 0) {
      clock.push(service.servingSince - begun);
      work.push(worked);
    }
    await service.stop();
  }

const median = (numbers: number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;

const [alone] = taken;
for (const { kind, clock, work } of taken) {
  const tell = (numbers: number[], against: number[] = []) => {
    const ratios = numbers.map((number, place) => number / (against[place] ?? Number.NaN));
    return `${median(numbers).toFixed(0)} ms (${median(ratios).toFixed(3)})`;
  };
  console.log(`${kind}: by the clock ${tell(clock, alone?.clock)}, work ${tell(work, alone?.work)}`);
}
