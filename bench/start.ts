import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import { startService } from '../test/start-service.ts';
import { temporaryFolder } from '../test/temporary-folder.ts';

// How long a warm start takes until it serves, and how much work of the processor that is, with one code host after the other, against
// git alone: medians of alternating starts, each on a database of its own that is there already.
// Run with node bench/start.ts [--starts 21]

const { values } = parseArgs({ options: { starts: { type: 'string', default: '21' } } });
const starts = Number(values.starts);
const kinds = ['git', 'git,github', 'git,github,gitlab,gitea'];

const addresses = { GITEA_URL: 'https://gitea.example' };

/** As people start it, without the flag that tests are started with. */
const command = ['env', process.execPath, 'bin/pullquote.cjs', 'serve'];

/** The hundredths of a second that a process has worked, in all of its threads. */
function workOf(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'utf8');
  const [, , , , , , , , , , , user, system] = stat.slice(stat.lastIndexOf(')') + 2).split(' ');
  return (Number(user) + Number(system)) * 10;
}

const taken = kinds.map((kind) => ({
  kind,
  folder: temporaryFolder(),
  clock: [] as number[],
  work: [] as number[],
}));

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
  const tell = (numbers: number[], against: number[] = []) =>
    `${median(numbers).toFixed(0)} ms (${(median(numbers) / median(against)).toFixed(3)})`;
  console.log(`${kind}: by the clock ${tell(clock, alone?.clock)}, work ${tell(work, alone?.work)}`);
}
