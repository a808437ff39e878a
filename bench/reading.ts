import { DiffParser, parseDiff } from '../src/reading/parse-diff.ts';
import { readFacts } from '../src/reading/read-facts.ts';
import { cut, type MergedPullRequest, mergedPullRequests, printAll } from './mirrors.ts';

// Times reading against the time git takes to print the same diffs, in one run; then one large made-up diff.
// Usage: node bench/reading.ts [--count 1000] MIRROR …

const rounds = 3;
const mirrors = process.argv
  .slice(2)
  .filter((argument) => !argument.startsWith('--') && !/^\d+$/.test(argument));
const count = Number(process.argv[process.argv.indexOf('--count') + 1]) || 1000;

interface Sample {
  mirror: string;
  pullRequests: MergedPullRequest[];
  diffs: Buffer[];
}

function median(times: number[]): number {
  return times.sort((one, other) => one - other)[Math.floor(times.length / 2)] ?? 0;
}

function timed(work: () => void): number {
  const start = performance.now();
  work();
  return performance.now() - start;
}

const samples: Sample[] = mirrors.map((mirror) => {
  const pullRequests = mergedPullRequests(mirror).slice(0, Math.ceil(count / mirrors.length));
  return { mirror, pullRequests, diffs: cut(printAll(mirror, pullRequests, '-p', '-U3'), pullRequests) };
});

const print = () => {
  for (const { mirror, pullRequests } of samples) printAll(mirror, pullRequests, '-p', '-U3');
};
const parse = () => {
  for (const { diffs } of samples) for (const diff of diffs) parseDiff(diff);
};
const readAll = () => {
  for (const { pullRequests, diffs } of samples) {
    for (const [index, { title, body }] of pullRequests.entries()) {
      const text = { repository: 'some/where', title, body, labels: [], commitMessages: [] };
      readFacts(text, parseDiff(diffs[index] ?? Buffer.alloc(0)));
    }
  }
};

const times = { git: [] as number[], parsing: [] as number[], facts: [] as number[] };
for (let round = 0; round < rounds; round += 1) {
  times.git.push(timed(print));
  times.parsing.push(timed(parse));
  times.facts.push(timed(readAll));
}
const [git, parsing, facts] = [median(times.git), median(times.parsing), median(times.facts)];
const total = samples.reduce((sum, { pullRequests }) => sum + pullRequests.length, 0);
const bytes = samples.reduce(
  (sum, { diffs }) => sum + diffs.reduce((size, diff) => size + diff.length, 0),
  0,
);

console.log(
  `${total} pull requests of ${mirrors.length} repositories, ${(bytes / 1e6).toFixed(1)} MB of diff, medians of ${rounds}`,
);
console.table({
  'git prints them': { ms: Math.round(git), 'ratio to git': 1 },
  parsing: { ms: Math.round(parsing), 'ratio to git': Number((parsing / git).toFixed(2)) },
  'parsing and facts': { ms: Math.round(facts), 'ratio to git': Number((facts / git).toFixed(2)) },
});

const line = '+  const value = compute(input, options).then((result) => result.items);\n';
const linesPerFile = Math.ceil(100e6 / 3000 / line.length);
const before = process.memoryUsage.rss();
let peak = before;
let files = 0;
const seconds =
  timed(() => {
    const parser = new DiffParser();
    for (let index = 0; index < 3000; index += 1) {
      const name = `src/part-${index}/module.ts`;
      const head = `diff --git a/${name} b/${name}\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ b/${name}\n@@ -0,0 +1,${linesPerFile} @@\n`;
      const complete = parser.push(Buffer.from(head + line.repeat(linesPerFile)));
      for (const file of complete)
        readFacts({ repository: 'some/where', title: '', body: null, labels: [], commitMessages: [] }, [
          file,
        ]);
      files += complete.length;
      peak = Math.max(peak, process.memoryUsage.rss());
    }
    files += parser.end().length;
  }) / 1000;
console.log(
  `Made-up diff of 100 MB in ${files} files, parsed and read file by file: ${seconds.toFixed(1)} s, ` +
    `${Math.round((peak - before) / 1e6)} MB more resident memory at its peak`,
);
