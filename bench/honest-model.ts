import { readFileSync } from 'node:fs';
import { parseArgs } from 'node:util';
import type { Evidence } from '../src/reading/facts.ts';
import { labelMaterial, type Material } from '../src/writing/ai/material.ts';
import { prepareWriting } from '../src/writing/ai/prepare-writing.ts';
import { emptyDraft, emptySentence, type Sentence } from '../src/writing/draft.ts';
import type { CheckedSentence } from '../src/writing/verify/check-sentence.ts';
import { DiffLines } from '../src/writing/verify/diff-lines.ts';
import { readCommit } from './mirrors.ts';

// Counts true sentences that the rules reject. The sentences were written by hand as a strong model writes, about
// changes in public repositories; FOLDER has their mirrors as OWNER+NAME/repo. In the list, `= OWNER+NAME COMMIT`
// begins a change; each sentence comes after the lines or texts that it cites, after `~` for a judgment, `"` for a
// person's words and `!` for a title.
const usage = 'Usage: node bench/honest-model.ts FOLDER [LIST]';

const { positionals } = parseArgs({ allowPositionals: true });
const [folder, list = new URL('honest-model/sentences.txt', import.meta.url)] = positionals;
if (folder === undefined) {
  console.log(usage);
  process.exit(2);
}

interface Written {
  references: string[];
  sign: string;
  text: string;
}

const changes = readFileSync(list, 'utf8')
  .split(/^= /m)
  .slice(1)
  .map((part) => {
    const [head = '', ...lines] = part.split('\n').filter((line) => line !== '');
    const written = lines.map((line): Written => {
      const [, references = '', sign = '', text = ''] = /^([^|]*) \| (?:([~"!]) )?(.*)$/.exec(line) ?? [];
      return { references: references.split(/,\s*/), sign, text };
    });
    return { head, written };
  });

/** A line near the changed ones may be unchanged, or in an unchanged definition. */
function evidenceOf(reference: string, material: Material): Evidence | null {
  const [, path = '', sign, from, to = from] = /^(.+?)([+-])(\d+)(?:-(\d+))?$/.exec(reference) ?? [];
  const file = [...material.files.values()].find((one) => one.path === path);
  if (!file) return null;
  const side = sign === '+' ? ('new' as const) : ('old' as const);
  const evidence = { fileName: path, side, startLine: Number(from), endLine: Number(to) };
  const inDiff = new DiffLines([file]).between(path, side, evidence.startLine, evidence.endLine);
  return inDiff.length > 0 ? evidence : { ...evidence, unchanged: true };
}

function read({ references, sign, text }: Written, material: Material): Sentence {
  const words = references.flatMap((reference) => material.words.get(reference) ?? []);
  const evidence = references.flatMap((reference) =>
    material.words.has(reference) ? [] : (evidenceOf(reference, material) ?? []),
  );
  if (words.length + evidence.length < references.length)
    throw new Error(`Cites what is not there: ${references}`);
  const [first] = evidence;
  const file = [...material.files.values()].find(({ path }) => path === first?.fileName);
  const quoted =
    file &&
    first &&
    new DiffLines([file])
      .between(file.path, first.side, first.startLine, first.endLine)
      .find((line) => /[\p{L}\p{N}]/u.test(line.text));
  const basis = sign === '~' ? 'judgement' : words.length > 0 ? 'words' : 'diff';
  const quote = basis === 'words' ? words[0]?.text : quoted?.text.trim();
  return { ...emptySentence, text, basis, evidence, words, quote: (basis !== 'judgement' && quote) || null };
}

let all = 0;
const refused: string[] = [];
for (const { head, written } of changes) {
  const [name = '', commit = ''] = head.split(' ');
  const found = await readCommit(`${folder}/${name}/repo`, commit);
  const prepared = found && prepareWriting(found.source, 'en');
  const material = prepared && labelMaterial(prepared.material, Number.MAX_SAFE_INTEGER);
  if (!prepared || !material) throw new Error(`There is no ${name} ${commit} in ${folder}.`);
  let before: Sentence | null = null;
  for (const one of written) {
    const sentence = read(one, material);
    const section = sentence.basis === 'judgement' && before ? [before, sentence] : [sentence];
    const draft =
      one.sign === '!' ? { ...emptyDraft, title: sentence } : { ...emptyDraft, background: section };
    const checked: CheckedSentence[] = prepared.check(draft);
    const outcome = one.sign === '!' ? checked[0] : checked.at(-1);
    all += 1;
    if (outcome?.kept === null) refused.push(`${name}: ${one.text}\n      ${outcome.reason}`);
    if (sentence.basis === 'diff' && one.sign !== '!') before = sentence;
  }
}

console.log(
  `${all} true sentences about ${changes.length} changes, ${refused.length} refused (${((100 * refused.length) / all).toFixed(1)} %)`,
);
for (const one of refused) console.log(`  REFUSED ${one}`);
