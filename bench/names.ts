import { parseArgs } from 'node:util';
import { outlineDiff } from '../src/actions/pull-requests/diff-tasks.ts';
import type { FileFacts, UnitChange } from '../src/reading/facts.ts';
import { parseDiff } from '../src/reading/parse-diff.ts';
import { byFile, readFacts } from '../src/reading/read-facts.ts';
import { numbersFrom } from '../test/chance.ts';
import { mergedPullRequests, printEach } from './mirrors.ts';
import { nameOf, textsOf } from './read-merged.ts';

// Counts the changed statements of source files that lie in something whose name is known: by hunks alone, as where a host brings
// no files, and by whole files; and how long those take for a pull request, without fetching them. With --unnamed, those that
// have none are listed. Run with node bench/names.ts MIRROR… [--count 30] [--unnamed].

const { values, positionals: mirrors } = parseArgs({
  allowPositionals: true,
  options: { count: { type: 'string', default: '30' }, unnamed: { type: 'boolean', default: false } },
});

const isNamed = (change: UnitChange, { ranges }: FileFacts): boolean => {
  const at = change.new ?? change.old;
  return ranges.some(
    ({ side, startLine, endLine }) =>
      at !== null && side === at.side && startLine <= at.startLine && endLine >= at.endLine,
  );
};

const all = { units: 0, before: 0, after: 0, files: 0 };
const costs: number[] = [];
const readings: number[] = [];

for (const mirror of mirrors) {
  const random = numbersFrom(1);
  const chosen = mergedPullRequests(mirror)
    .map((pullRequest) => ({ pullRequest, place: random() }))
    .sort((one, other) => one.place - other.place)
    .slice(0, Number(values.count))
    .map(({ pullRequest }) => pullRequest);
  const own = { units: 0, before: 0, after: 0, files: 0 };
  for (const [index, bytes] of printEach(mirror, chosen).entries()) {
    const pullRequest = chosen[index];
    if (!bytes || !pullRequest) continue;
    const diff = parseDiff(bytes);
    const text = {
      repository: 'some/where',
      title: pullRequest.title,
      body: null,
      labels: [],
      commitMessages: [],
    };
    const started = performance.now();
    const before = readFacts(text, diff);
    readings.push(performance.now() - started);
    let spent = 0;
    const texts = textsOf(mirror, pullRequest);
    const begun = performance.now();
    const timed = {
      ...texts,
      async wantTexts(wanted: Parameters<typeof texts.wantTexts>[0]) {
        const asked = performance.now();
        await texts.wantTexts(wanted);
        spent += performance.now() - asked;
      },
    };
    const outlines = await outlineDiff(diff, timed);
    costs.push(performance.now() - begun - spent);
    const after = readFacts(text, diff, byFile(outlines));
    for (const file of before.files) {
      if (file.kind !== 'source' || file.skipped !== null) continue;
      const told = after.files.find(({ path }) => path === file.path) ?? file;
      own.files += 1;
      for (const change of file.changes) {
        if (change.of !== 'code' || change.kind === 'rewrapped') continue;
        own.units += 1;
        if (isNamed(change, file)) own.before += 1;
        if (isNamed(change, told)) own.after += 1;
        else if (values.unnamed) {
          const at = change.new ?? change.old;
          console.log(
            `${pullRequest.sha.slice(0, 9)} ${file.path}:${at?.side}:${at?.startLine} ${change.kind}`,
          );
        }
      }
    }
  }
  tell(nameOf(mirror), own);
  for (const key of ['units', 'before', 'after', 'files'] as const) all[key] += own[key];
}
tell('all', all);

const median = (numbers: number[]): string => {
  const sorted = [...numbers].sort((one, other) => one - other);
  const at = (share: number) =>
    (sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? 0).toFixed(1);
  return `median ${at(0.5)} ms, 95 % ${at(0.95)} ms, most ${at(1)} ms`;
};
console.log(`outlining a pull request: ${median(costs)}; reading it into facts: ${median(readings)}`);

function tell(name: string, { units, before, after, files }: typeof all): void {
  const share = (part: number) => `${((100 * part) / Math.max(1, units)).toFixed(1)} %`;
  console.log(
    `${name}: ${units} statements of ${files} files, named ${share(before)} by hunks, ${share(after)} by whole files`,
  );
}
