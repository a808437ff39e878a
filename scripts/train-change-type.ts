import { writeFileSync } from 'node:fs';
import { changeTypes } from '../src/domain/article.ts';
import { chooseLeastChance } from './change-type/choose-least-chance.ts';
import { Confusion } from './change-type/confusion.ts';
import { FeatureNames } from './change-type/feature-names.ts';
import { type Judgement, judge, learnTable, storeTable } from './change-type/learn-table.ts';
import { printConfusion } from './change-type/print-confusion.ts';
import { printTable } from './change-type/print-table.ts';
import { type Example, readExamples } from './change-type/read-examples.ts';
import { trainingRepositories } from './change-type/training-repositories.ts';

// Learns src/reading/change-type/change-type-table.json from the pull requests of the training repositories, whose
// authors said in a conventional prefix what they are. The same mirrors give the same table.
// Usage: node scripts/train-change-type.ts MIRRORS_FOLDER, where the folder holds OWNER+NAME/repo git folders.

const folds = 4;
const table = new URL('../src/reading/change-type/change-type-table.json', import.meta.url);

async function readAll(mirrors: string, names: FeatureNames): Promise<Example[]> {
  const examples: Example[] = [];
  for (const [repository, name] of trainingRepositories.entries()) {
    const found = await readExamples(mirrors, name, repository, names);
    for (const example of found) examples.push(example);
    report(`${name}: ${found.length} pull requests`);
  }
  return examples;
}

/** Judges every repository with a table that was learned from others. */
function judgeUnseen(examples: Example[], names: FeatureNames): Judgement[] {
  return Array.from({ length: folds }, (_, fold) => {
    const isHeldBack = ({ repository }: Example) => repository % folds === fold;
    const learned = learnTable(
      examples.filter((example) => example.isLearned && !isHeldBack(example)),
      names,
    );
    report(`fold ${fold + 1}: ${learned.weights.size} features`);
    return examples
      .filter((example) => example.isTried && isHeldBack(example))
      .map((example) => judge(learned, example));
  }).flat();
}

function reportUnseen(judgements: Judgement[], leastChance: number): void {
  const confusion = new Confusion();
  for (const { expected, judged, chance } of judgements) {
    const [said, verdict = null] = [changeTypes[expected], changeTypes[judged]];
    if (said) confusion.add(said, chance < leastChance ? null : verdict);
  }
  const [coverage, accuracy] = [confusion.coverage, confusion.accuracy].map((share) => share.toFixed(3));
  report(
    `cross-validated on ${confusion.total} pull requests: from ${leastChance} on, ${coverage} judged, ${accuracy} of them right`,
  );
  console.log(printConfusion(confusion));
}

function report(message: string): void {
  const megabytes = Math.round(process.memoryUsage.rss() / 1e6);
  console.log(`${(performance.now() / 1000).toFixed(0)} s, ${megabytes} MB: ${message}`);
}

const [mirrors] = process.argv.slice(2);
if (!mirrors) throw new Error('Usage: node scripts/train-change-type.ts MIRRORS_FOLDER');
const names = new FeatureNames();
const examples = await readAll(mirrors, names);
report(`${examples.length} pull requests, ${names.size} different features`);
const judgements = judgeUnseen(examples, names);
const leastChance = chooseLeastChance(judgements);
reportUnseen(judgements, leastChance);
const learned = learnTable(
  examples.filter(({ isLearned }) => isLearned),
  names,
);
const text = printTable(storeTable(learned, leastChance, names));
writeFileSync(table, text);
report(`${learned.weights.size} features in ${text.length} bytes written`);
