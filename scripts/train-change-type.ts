import { writeFileSync } from 'node:fs';
import { FeatureNames } from './change-type/feature-names.ts';
import { judge, learnTable, stepsPerUnit, storeTable } from './change-type/learn-table.ts';
import { printConfusion } from './change-type/print-confusion.ts';
import { printTable } from './change-type/print-table.ts';
import { type Example, readExamples } from './change-type/read-examples.ts';
import { trainingRepositories } from './change-type/training-repositories.ts';
import { confuse, type Judgement, tuneOffsets } from './change-type/tune-offsets.ts';

// Learns src/reading/change-type/change-type-table.json from the pull requests of the training repositories, whose
// authors said in a conventional prefix what they are. The same mirrors give the same table.
// Usage: node scripts/train-change-type.ts MIRRORS_FOLDER, where the folder holds OWNER+NAME/repo git folders.

const folds = 5;
const none = new Float64Array();
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
function judgeUnseen(examples: Example[], names: FeatureNames): Judgement[][] {
  return Array.from({ length: folds }, (_, fold) => {
    const isHeldBack = ({ repository }: Example) => repository % folds === fold;
    const learned = learnTable(
      examples.filter((example) => example.isLearned && !isHeldBack(example)),
      names,
    );
    const judgements = examples
      .filter((example) => example.isTried && isHeldBack(example))
      .map((example) => judge(learned, example));
    const { macroF1 } = confuse(judgements, none);
    report(
      `fold ${fold + 1}: ${learned.weights.size} features, macro-F1 ${macroF1.toFixed(3)} without offsets`,
    );
    return judgements;
  });
}

/** The score with offsets that were tuned on other repositories than those they are tried on. */
function reportUnseen(judged: Judgement[][]): void {
  const shifted = judged.flatMap((judgements, fold) => {
    const offsets = tuneOffsets(judged.toSpliced(fold, 1).flat(), stepsPerUnit);
    return judgements.map(({ expected, scores }) => ({
      expected,
      scores: scores.map((score, type) => score + (offsets[type] ?? 0)),
    }));
  });
  const confusion = confuse(shifted, none);
  report(`cross-validated on ${confusion.total} pull requests: macro-F1 ${confusion.macroF1.toFixed(4)}`);
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
const judged = judgeUnseen(examples, names);
reportUnseen(judged);
const learned = learnTable(
  examples.filter(({ isLearned }) => isLearned),
  names,
);
const text = printTable(storeTable(learned, tuneOffsets(judged.flat(), stepsPerUnit), names));
writeFileSync(table, text);
report(`${learned.weights.size} features in ${text.length} bytes written`);
