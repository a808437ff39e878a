import { Confusion } from '../scripts/change-type/confusion.ts';
import { kindFiles } from '../scripts/change-type/kind-files.ts';
import { diffsOf, labelledCommits } from '../scripts/change-type/labelled-pull-requests.ts';
import { printConfusion } from '../scripts/change-type/print-confusion.ts';
import { type ChangeType, changeTypes } from '../src/domain/article.ts';
import type { KindedFile } from '../src/reading/change-type/change-features.ts';
import {
  hidePrefixes,
  prefixWordType,
  readChangeType,
  typeOfFiles,
  typeOfWords,
} from '../src/reading/change-type/read-change-type.ts';
import type { FileKind } from '../src/reading/facts.ts';

// Judges squashed pull requests whose titles have a conventional prefix, with the prefix hidden, and holds the
// verdicts against the prefixes; no verdict counts as a wrong one for F1. Beside them stand two simpler judges, on the same
// pull requests: whatever is most common, and plain rules. Mirrors have no labels; of commits they have what was squashed.
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

/** Plain rules where they say something: what all files are, then the words of the title. */
function judgeByWords(title: string, files: KindedFile[]): ChangeType | null {
  for (const [type, kinds] of wholes) {
    if (files.length > 0 && files.every(({ kind }) => kinds.includes(kind))) return type;
  }
  return words.find(([, pattern]) => pattern.test(title))?.[0] ?? null;
}

/** And by the counts where they say nothing, so that there is always an answer. */
function guessByCounts(files: KindedFile[]): ChangeType {
  if (files.some(({ file, kind }) => kind === 'source' && file.status === 'added')) return 'FEAT';
  const balance = files.reduce((sum, { file }) => sum + file.additions - file.deletions, 0);
  return balance < 0 ? 'REFACTOR' : 'CHORE';
}

/** The messages that a squashed commit lists. */
const commitsIn = (body: string): string[] =>
  [...body.matchAll(/^\* (.+)$/gm)].map(([, message = '']) => message);

const names = {
  judged: 'readChangeType',
  withCommits: 'readChangeType, commits with their prefixes',
  byWord: 'readChangeType, against words without scopes: chore(deps) is a chore',
  byFiles: 'readChangeType, where chores that are all documents, tests or build count as that',
  ruled: 'plain rules of kinds and words, then counts',
  ruledWhereSure: 'plain rules of kinds and words, else none',
  untabled: 'readChangeType without its table',
};
type Judge = keyof typeof names;

const confusions = new Map<Judge, Confusion>();
const note = (judge: Judge, said: ChangeType, verdict: ChangeType | null): void => {
  const confusion = confusions.get(judge) ?? new Confusion();
  confusions.set(judge, confusion);
  confusion.add(said, verdict);
};

let milliseconds = 0;
for (const mirror of mirrors) {
  const here = { judged: new Confusion(), ruled: new Confusion() };
  for await (const { commit, files } of diffsOf(mirror, labelledCommits(mirror).slice(0, count))) {
    const { title, body, label } = commit;
    const text = hidePrefixes({ title, body, commitMessages: [], labels: [] });
    const kinded = kindFiles(files);
    const start = performance.now();
    const verdict = readChangeType(text, kinded);
    milliseconds += performance.now() - start;
    const ruledWhereSure = judgeByWords(text.title, kinded);
    const ruled = ruledWhereSure ?? guessByCounts(kinded);
    here.judged.add(label, verdict);
    here.ruled.add(label, ruled);
    note('judged', label, verdict);
    note('ruled', label, ruled);
    note('ruledWhereSure', label, ruledWhereSure);
    note('untabled', label, typeOfFiles(text.title, kinded) ?? typeOfWords(text.title, kinded));
    note('withCommits', label, readChangeType({ ...text, commitMessages: commitsIn(body) }, kinded));
    note('byWord', prefixWordType(title) ?? label, verdict);
    note('byFiles', (label === 'CHORE' && typeOfFiles(text.title, kinded)) || label, verdict);
  }
  console.log(`${mirror}: ${here.judged.total} pull requests\n  readChangeType: ${figures(here.judged)}`);
  console.log(`  plain rules: ${figures(here.ruled)}`);
}

/** The same pull requests, all judged to be what most of them are. */
function judgedByMajority(judged: Confusion): Confusion {
  const numbers = changeTypes.map((_, type) => judged.expected(type));
  const majority = new Confusion();
  const most = changeTypes[numbers.indexOf(Math.max(...numbers))] ?? null;
  for (const [index, type] of changeTypes.entries())
    for (let one = 0; one < (numbers[index] ?? 0); one++) majority.add(type, most);
  return majority;
}

function figures({ macroF1, coverage, accuracy }: Confusion): string {
  return `macro-F1 ${macroF1.toFixed(3)}, a type for ${percent(coverage)}, ${percent(accuracy)} of them right`;
}

function percent(share: number): string {
  return `${(100 * share).toFixed(1)} %`;
}

const judged = confusions.get('judged') ?? new Confusion();
const ruled = confusions.get('ruled') ?? new Confusion();
console.log(`\n${judged.total} pull requests of ${mirrors.length} repositories, prefixes hidden`);
console.log(`always the most common type: ${figures(judgedByMajority(judged))}`);
for (const [judge, confusion] of confusions) console.log(`${names[judge]}: ${figures(confusion)}`);
console.log(
  `\nreadChangeType; rows are what authors say, columns what was judged\n${printConfusion(judged)}`,
);
console.log(`\nplain rules of kinds and words\n${printConfusion(ruled)}`);
console.log(`\n${(milliseconds / (judged.total || 1)).toFixed(3)} ms to judge a pull request`);
