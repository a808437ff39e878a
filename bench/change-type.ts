import { Confusion } from '../scripts/change-type/confusion.ts';
import { kindFiles } from '../scripts/change-type/kind-files.ts';
import { diffsOf, labelledCommits } from '../scripts/change-type/labelled-pull-requests.ts';
import { printConfusion } from '../scripts/change-type/print-confusion.ts';
import { type ChangeType, changeTypes } from '../src/domain/change-types.ts';
import { hidePrefixes } from '../src/reading/change-type/conventional-prefix.ts';
import { readChangeType } from '../src/reading/change-type/read-change-type.ts';
import type { KindedFile } from '../src/reading/change-type/shape-features.ts';
import type { FileKind } from '../src/reading/facts.ts';

// Judges squashed pull requests whose titles have a conventional prefix, with the prefix hidden, and holds the
// verdicts against the prefixes. Beside them stand two simpler judges, on the same pull requests: whatever is most
// common, and the rules that stood here before.
// Usage: node bench/change-type.ts [--count 1000] MIRROR …, where the count is that of the newest of each mirror.

const mirrors = process.argv
  .slice(2)
  .filter((argument) => !argument.startsWith('--') && !/^\d+$/.test(argument));
const count = Number(process.argv[process.argv.indexOf('--count') + 1]) || 1000;

const wholes: [ChangeType, FileKind[]][] = [
  ['DOCS', ['documentation']],
  ['TEST', ['test']],
  ['BUILD', ['build', 'lock', 'manifest']],
];

const words: [ChangeType, RegExp][] = [
  [
    'FIX',
    /\b(?:fix(?:e[sd])?|bugs?|crash(?:es)?|regressions?|broken|incorrect|wrong|leak|prevent|handle|avoid|ensure)\b/i,
  ],
  [
    'PERF',
    /\b(?:faster|perf(?:ormance)?|speed|optimi[sz]e[sd]?|cach(?:e|ing)|reduce (?:memory|allocations))\b/i,
  ],
  [
    'REFACTOR',
    /\b(?:refactor\w*|clean ?up|simplif\w+|rename[sd]?|extract|move|reorgani[sz]e|split|rewrite|deduplicate)\b/i,
  ],
  ['TEST', /\b(?:tests?|testing|coverage|fixtures?|snapshots?|flaky)\b/i],
  ['DOCS', /\b(?:docs?|documentation|readme|typos?|comments?|changelog|guide|examples?)\b/i],
  ['BUILD', /\b(?:ci|build|bump|upgrade|workflow|actions?|docker|dependenc(?:y|ies)|webpack|rollup)\b/i],
  ['FEAT', /\b(?:add(?:s|ed)?|support|implement\w*|introduce[sd]?|allow|enable|new|expose|provide)\b/i],
];

/** The rules that the learned table replaced: what all files are, then the words of the title, then the counts. */
function judgeByRules(title: string, files: KindedFile[]): ChangeType {
  for (const [type, kinds] of wholes) {
    if (files.length > 0 && files.every(({ kind }) => kinds.includes(kind))) return type;
  }
  for (const [type, pattern] of words) if (pattern.test(title)) return type;
  if (files.some(({ file, kind }) => kind === 'source' && file.status === 'added')) return 'FEAT';
  const balance = files.reduce((sum, { file }) => sum + file.additions - file.deletions, 0);
  return balance < 0 ? 'REFACTOR' : 'CHORE';
}

const learned = new Confusion();
const ruled = new Confusion();
let milliseconds = 0;
for (const mirror of mirrors) {
  const here = new Confusion();
  for await (const { commit, files } of diffsOf(mirror, labelledCommits(mirror).slice(0, count))) {
    const { title, body, label } = commit;
    const text = hidePrefixes({ title, body, commitMessages: [], labels: [] });
    const kinded = kindFiles(files);
    const start = performance.now();
    const judged = readChangeType(text, kinded);
    milliseconds += performance.now() - start;
    for (const confusion of [here, learned])
      confusion.add(changeTypes.indexOf(label), changeTypes.indexOf(judged));
    ruled.add(changeTypes.indexOf(label), changeTypes.indexOf(judgeByRules(text.title, kinded)));
  }
  console.log(`${mirror}: ${here.total} pull requests, ${percent(here.accuracy)} as their authors say`);
}

/** The same pull requests, all judged to be what most of them are. */
function judgedByMajority(): Confusion {
  const numbers = changeTypes.map((_, type) => learned.expected(type));
  const majority = new Confusion();
  const most = numbers.indexOf(Math.max(...numbers));
  for (const [type, number] of numbers.entries())
    for (let one = 0; one < number; one++) majority.add(type, most);
  return majority;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

console.log(`\n${learned.total} pull requests of ${mirrors.length} repositories, prefixes hidden`);
const judges: [string, Confusion][] = [
  ['always the most common type', judgedByMajority()],
  ['rules of kinds and words', ruled],
  ['readChangeType', learned],
];
for (const [name, confusion] of judges) {
  console.log(`${name}: macro-F1 ${confusion.macroF1.toFixed(3)}, ${percent(confusion.accuracy)} right`);
}
console.log(
  `\nreadChangeType; rows are what authors say, columns what was judged\n${printConfusion(learned)}`,
);
console.log(`\nrules of kinds and words\n${printConfusion(ruled)}`);
console.log(`\n${(milliseconds / (learned.total || 1)).toFixed(3)} ms to judge a pull request`);
