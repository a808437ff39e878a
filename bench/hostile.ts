import { spawnSync } from 'node:child_process';
import { parseArgs } from 'node:util';
import { injectionPointsFor } from './hostile/injection-points.ts';
import {
  type Growth,
  growthsOf,
  isTooMuch,
  type Measured,
  measure,
  measureAgain,
  mostGrowth,
  mostMs,
  sizes,
} from './hostile/measure-growth.ts';
import { mostAtPermille999, mostMs as mostHealthMs, serveHostile } from './hostile/serve-hostile.ts';
import { createSteps } from './hostile/steps.ts';
import { hostileTexts } from './hostile/texts.ts';

// Puts text of strangers into every place where they can write, at 10, 20, 40 and 80 kB, and prints for each place and
// step of reading and writing the text with the strongest growth from one size to the next, and the slowest one.
const usage = `Usage: node bench/hostile.ts [--kinds 4] [--every 1] [--part 1/1] [--text WORD] [--place WORD] [--all] [--http]
  --kinds  in how many kinds of lines each text is tried
  --every  only every so-manieth text
  --part   of so many parts that processes can share only this one
  --all    print every offender
  --http   instead: have a service write about them, and ask for its health meanwhile`;

const { values } = parseArgs({
  options: {
    kinds: { type: 'string', default: '4' },
    every: { type: 'string', default: '1' },
    part: { type: 'string', default: '1/1' },
    text: { type: 'string', default: '' },
    place: { type: 'string', default: '' },
    all: { type: 'boolean', default: false },
    http: { type: 'boolean', default: false },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}

function print({ step, place, text, growth, ms }: Growth): void {
  console.log(`${step} | ${place} | ${text} | ×${growth.toFixed(2)} | ${Math.round(ms)} ms`);
}

const [part = 1, parts = 1] = values.part.split('/').map(Number);
const isChosen = (name: string, index: number): boolean =>
  index % Number(values.every) === 0 &&
  Math.floor(index / Number(values.every)) % parts === part - 1 &&
  name.includes(values.text);
const chosen = [...hostileTexts.entries()].filter(([index, { name }]) => isChosen(name, index));
if (values.http) {
  const texts = chosen.map(([, text]) => text);
  const served = await serveHostile(texts);
  console.table([served]);
  const isSlow =
    served['not well'] > 0 || served['p99.9 ms'] > mostAtPermille999 || served['longest ms'] > mostHealthMs;
  process.exit(isSlow ? 1 : 0);
}

// The first collection within a step makes it seem to grow, although the share of all collections is constant. With
// this much memory they happen between steps.
const room = ['--min-semi-space-size=256', '--max-semi-space-size=256'];
if (!room.every((flag) => process.execArgv.includes(flag))) {
  const { status } = spawnSync(process.execPath, [...room, ...process.argv.slice(1)], { stdio: 'inherit' });
  process.exit(status ?? 1);
}

const run = createSteps();
const measured: Measured[] = [];
const every = 25;
for (const [done, [index, text]] of chosen.entries()) {
  if (done % every === 0) console.error(`${done} of ${chosen.length} texts`);
  const kinds = values.place === '' ? Number(values.kinds) : Number.POSITIVE_INFINITY;
  for (const place of injectionPointsFor(index, kinds)) {
    if (place.name.includes(values.place)) measured.push(await measure(run, text, place));
  }
}

// A disturbance is over once all other measurements are taken, and does not affect every second one.
const roundsAgain = [2, 2, 4];
const isSuspect = (one: Measured): boolean => growthsOf(one).some(isTooMuch);
for (const rounds of roundsAgain) {
  const suspects = measured.filter(isSuspect);
  console.error(`${suspects.length} of ${measured.length} seem to grow too much`);
  for (let round = 0; round < rounds; round += 1) {
    for (const one of suspects) await measureAgain(run, one);
  }
}
const found = measured.flatMap(growthsOf);
if (values.all) for (const one of found.filter(isTooMuch)) print(one);

const kindOf = (place: string): string => place.replace(/ of .*/, '');
const worst = new Map<string, { byGrowth: Growth; byTime: Growth }>();
for (const one of found) {
  const key = `${kindOf(one.place)}: ${one.step}`;
  const known = worst.get(key);
  worst.set(key, {
    byGrowth: known && known.byGrowth.growth >= one.growth ? known.byGrowth : one,
    byTime: known && known.byTime.ms >= one.ms ? known.byTime : one,
  });
}
console.log(`${chosen.length} texts at ${sizes.join(', ')} bytes, ${measured.length} times at a place`);
console.table(
  Object.fromEntries(
    [...worst]
      .filter(([, { byTime }]) => byTime.ms > 5)
      .map(([key, { byGrowth, byTime }]) => [
        key,
        {
          'growth per doubling': Number(byGrowth.growth.toFixed(2)),
          with: byGrowth.growth > 0 ? byGrowth.text : '',
          ms: Math.round(byTime.ms),
          'with ': byTime.text,
        },
      ]),
  ),
);
const offenders = found.filter(isTooMuch);
console.log(`${offenders.length} grow by more than ${mostGrowth} or take over ${mostMs} ms`);
process.exitCode = offenders.length > 0 ? 1 : 0;
