import { execFile } from 'node:child_process';
import { parseArgs, promisify } from 'node:util';
import { type Static, Type } from 'typebox';
import { Value } from 'typebox/value';
import { findBrowser } from '../test/browser/find-browser.ts';

const usage = `Usage: node scripts/lighthouse.ts [--times 5] ADDRESS

Has Lighthouse look at the first page and at the sample's show-piece of a service that runs at ADDRESS, in both
languages, so many times each, and prints the medians. npx gets Lighthouse; nothing of it is installed here.`;

/** Pinned, because scores change between versions. */
const lighthouse = 'lighthouse@13.5.0';

const flags = '--headless=old --no-sandbox --disable-gpu --disable-background-networking';

const Report = Type.Object({
  categories: Type.Record(Type.String(), Type.Object({ score: Type.Number() })),
  audits: Type.Object({
    'cumulative-layout-shift': Type.Object({ numericValue: Type.Number() }),
    'total-byte-weight': Type.Object({ numericValue: Type.Number() }),
  }),
});

const run = promisify(execFile);

async function look(address: string): Promise<Static<typeof Report>> {
  const parameters = ['--yes', lighthouse, address, '--quiet', '--output=json', `--chrome-flags=${flags}`];
  const command = [`CHROME_PATH=${findBrowser()}`, 'npx', ...parameters];
  const { stdout } = await run('env', command, { maxBuffer: 64 * 1024 * 1024 });
  return Value.Parse(Report, JSON.parse(stdout));
}

const median = (numbers: number[]): number =>
  numbers.toSorted((one, other) => one - other)[Math.floor(numbers.length / 2)] ?? Number.NaN;

async function main(): Promise<void> {
  const { values, positionals } = parseArgs({
    allowPositionals: true,
    options: { times: { type: 'string', default: '5' } },
  });
  const [service] = positionals;
  if (!service) throw new Error(usage);
  if (!findBrowser()) throw new Error('There is no browser: npm run browser:install gets one.');
  for (const path of ['/', '/r/harborline/parcel/13']) {
    for (const language of ['en', 'ja']) {
      const address = new URL(`${path}?language=${language}`, service).href;
      const reports: Static<typeof Report>[] = [];
      for (let time = 0; time < Number(values.times); time += 1) reports.push(await look(address));
      const scores = Object.keys(reports[0]?.categories ?? {}).map(
        (name) =>
          `${name} ${Math.round(100 * median(reports.map((one) => one.categories[name]?.score ?? 0)))}`,
      );
      const of = (audit: keyof Static<typeof Report>['audits']) =>
        median(reports.map(({ audits }) => audits[audit].numericValue));
      const shift = of('cumulative-layout-shift').toFixed(3);
      console.log(
        `${path} ${language}: ${scores.join(', ')}, CLS ${shift}, ${of('total-byte-weight')} bytes`,
      );
    }
  }
}

main().catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
