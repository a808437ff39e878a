import { parseArgs } from 'node:util';
import type { Static, TSchema } from 'typebox';
import { loadPrompts } from '../src/load-prompts.ts';
import { type AnsweredSentence, ArticleAnswer, MendAnswer } from '../src/writing/ai/answers.ts';
import { type Material, referenceTo } from '../src/writing/ai/material.ts';
import { prepareWriting } from '../src/writing/ai/prepare-writing.ts';
import type { Ask, CheckedSentence, Question, Telling } from '../src/writing/ai/telling.ts';
import { writeWithModel } from '../src/writing/ai/write-with-model.ts';
import type { Draft, Sentence } from '../src/writing/draft.ts';
import { offlineLanguages } from '../src/writing/languages.ts';
import { numberSentences } from '../src/writing/number-sentences.ts';
import { checkDraft } from '../src/writing/verify/check-draft.ts';
import { numbersFrom } from '../test/chance.ts';
import { type LieKind, lieKinds, liesFrom, pointsThere, showsIt } from './make-lies.ts';
import { type DraftedPullRequest, draftsFrom } from './true-sentences.ts';

// A model that knows what is true of real pull requests and lies in three sentences of ten. Its answers go the whole way
// from labels to what would be stored; there is no second reader, so that what only a second reader can see is counted.
const usage = 'Usage: node bench/lying-model.ts [--count 40] [--seed 1] [--lies 0.3] [--show 5] MIRROR …';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '40' },
    seed: { type: 'string', default: '1' },
    lies: { type: 'string', default: '0.3' },
    show: { type: 'string', default: '5' },
  },
});
if (positionals.length === 0) {
  console.log(usage);
  process.exit(2);
}

const random = numbersFrom(Number(values.seed));
const pick = <Item>(items: Item[]): Item | undefined => items[Math.floor(random() * items.length)];

/** Lies that name only what the cited lines hold, each as it is spelled there: rules see names, not meaning. */
const rolesSwapped = 'two names change places';
const effectInvented = 'an effect that is not there';
type Kind = LieKind | typeof rolesSwapped | typeof effectInvented;
const kinds: Kind[] = [...lieKinds, rolesSwapped, effectInvented];
const tally = new Map<Kind, { told: number; failed: number; stored: number }>(
  kinds.map((kind) => [kind, { told: 0, failed: 0, stored: 0 }]),
);
const truths = { told: 0, failed: 0, lost: 0 };
const stored: string[] = [];
const lost: string[] = [];

/** A sentence as the model sends it, and what is known of it. */
interface Told {
  answered: AnsweredSentence;
  /** As it was before anything was changed in it. */
  truth: Sentence;
  lie: Kind | null;
}

function swapNames(sentence: Sentence): Sentence | null {
  const names = [
    ...new Set(Array.from(sentence.text.matchAll(/`([A-Za-z_]\w+)`/g), ([, name]) => name ?? '')),
  ];
  const [one, other] = names;
  const isOfBoth = sentence.facts.some(({ relation }) => relation === 'within' || relation === 'parameter');
  if (!one || !other || !isOfBoth) return null;
  const text = sentence.text
    .replaceAll(`\`${one}\``, '\0')
    .replaceAll(`\`${other}\``, `\`${one}\``)
    .replaceAll('\0', `\`${other}\``);
  return { ...sentence, text };
}

function inventEffect(sentence: Sentence): Sentence | null {
  const name = /`([A-Za-z_]\w+)`/.exec(sentence.text)?.[1];
  if (!name || sentence.basis !== 'diff') return null;
  const isJapanese = /[\u3040-\u30ff]/u.test(sentence.text);
  const text = isJapanese
    ? `\`${name}\` は利用者の入力をそのまま信用するため、処理の結果を待ちません。`
    : `Whoever relies on \`${name}\` gets its result before the work is finished.`;
  return { ...sentence, text, facts: [] };
}

/** Cut between words. */
const fewWords = (text: string): string => /^.{0,60}(?=\s|$)/u.exec(text.trim())?.[0] || text.trim();

/** A few words of the first cited line that has any. */
function quoteFrom({ evidence, words }: Sentence, { diff }: DraftedPullRequest): string {
  for (const { fileName, side, startLine } of evidence) {
    const hunks = diff.find(({ path }) => path === fileName)?.hunks ?? [];
    for (const hunk of hunks) {
      let line = side === 'new' ? hunk.newStart : hunk.oldStart;
      for (const text of hunk.text().split('\n')) {
        if (text.startsWith(side === 'new' ? '-' : '+') || text.startsWith('\\')) continue;
        if (line === startLine && text.slice(1).trim() !== '') return fewWords(text.slice(1));
        line += 1;
      }
    }
  }
  return fewWords(words[0]?.text ?? '');
}

/** The labels under which a model saw what a sentence rests on. */
function answerWith(
  sentence: Sentence,
  pullRequest: DraftedPullRequest,
  material: Material,
): AnsweredSentence {
  const labels = new Map([...material.files].map(([label, { path }]) => [path, label]));
  const lines = sentence.evidence.flatMap((one) => {
    const label = labels.get(one.fileName);
    return label ? [referenceTo(label, one)] : [];
  });
  const said = [...material.words]
    .filter(([, { text }]) =>
      sentence.words.some((words) => words.where !== 'code' && words.text.includes(text)),
    )
    .map(([label]) => label);
  const facts = JSON.stringify(sentence.facts);
  const found = [...material.findings].find(
    ([, finding]) => finding.facts.length > 0 && JSON.stringify(finding.facts) === facts,
  );
  const refs = [...lines, ...said, ...(found ? [found[0]] : [])];
  // What a document says stands in its lines; a model cites those.
  const basis = said.length === 0 ? 'diff' : sentence.basis;
  return { refs, quote: quoteFrom(sentence, pullRequest), basis, text: sentence.text };
}

function tell(truth: Sentence, pullRequest: DraftedPullRequest, material: Material): Told {
  const honest: Told = { answered: answerWith(truth, pullRequest, material), truth, lie: null };
  if (random() > Number(values.lies)) return honest;
  const [swapped, invented] = [swapNames(truth), inventEffect(truth)];
  const possible: { kind: Kind; sentence: Sentence }[] = [
    ...liesFrom(truth, { diff: pullRequest.diff, words: '' }, random).filter(({ mode }) => mode === 'text'),
    ...(swapped ? [{ kind: rolesSwapped as Kind, sentence: swapped }] : []),
    ...(invented ? [{ kind: effectInvented as Kind, sentence: invented }] : []),
  ];
  const lie = pick(possible);
  if (!lie) return honest;
  const answered = answerWith(lie.sentence, pullRequest, material);
  return { answered, truth, lie: lie.kind };
}

/** Addresses are always refused, and code that holds backticks stands in more of them. */
const unsayable = /https?:|\bwww\.|\w\.\w+\/\w|``/;

/** What the model says of a pull request: at most as much as is read of an answer. */
function composeAnswer(pullRequest: DraftedPullRequest, draft: Draft, material: Material) {
  const verdicts = checkDraft(draft, pullRequest.ground);
  const numbered = numberSentences(draft);
  const holds = (sentence: Sentence) =>
    sentence.basis !== 'judgement' &&
    sentence.text !== '' &&
    !unsayable.test(sentence.text) &&
    verdicts[numbered.indexOf(sentence)]?.kept !== null &&
    (sentence.evidence.length > 0 || sentence.words.length > 0);
  const labels = new Map([...material.files].map(([label, { path }]) => [path, label]));
  const say = (sentences: Sentence[]) =>
    sentences
      .filter(holds)
      .slice(0, 6)
      .map((one) => tell(one, pullRequest, material));
  const background = say(draft.background);
  const mainChanges = draft.mainChanges
    .flatMap(({ fileName, changeTypes, sentences }) => {
      const file = labels.get(fileName);
      return file ? [{ file, changeTypes, told: say(sentences) }] : [];
    })
    .slice(0, 8);
  const notablePoints = draft.notablePoints
    .slice(0, 6)
    .map(({ categories, sentences }) => ({ categories, told: say(sentences) }));
  const answered = (told: Told[]) => told.map(({ answered: one }) => one);
  const answer: ArticleAnswer = {
    background: answered(background),
    mainChanges: mainChanges.map(({ told, ...rest }) => ({ ...rest, sentences: answered(told) })),
    notablePoints: notablePoints.map(({ told, ...rest }) => ({ ...rest, sentences: answered(told) })),
    title: draft.ownTitle,
  };
  const told = [...background, ...[...mainChanges, ...notablePoints].flatMap((item) => item.told)];
  return { answer, told };
}

/** A model that is asked again says the same lie again, and of what is true only what a finding says. */
function mendAnswer(
  prompt: string,
  told: Told[],
  pullRequest: DraftedPullRequest,
  material: Material,
): MendAnswer {
  const numbers = Array.from(prompt.matchAll(/^failed(\d+) /gm), ([, n]) => Number(n));
  const sentences = numbers.flatMap((n) => {
    const one = told[n - 1];
    if (!one) return [];
    const { refs } = one.answered;
    const finding = refs.map((ref) => material.findings.get(ref)).find((found) => found !== undefined);
    const isEnglish = pullRequest.drafts.en === undefined || /^[\p{ASCII}\p{P}\p{S}]*$/u.test(one.truth.text);
    const text = one.lie === null && finding && isEnglish ? finding.text : one.answered.text;
    return [{ n, ...one.answered, text }];
  });
  return { sentences };
}

const { prompts } = loadPrompts();

async function write(pullRequest: DraftedPullRequest, language: 'en' | 'ja'): Promise<void> {
  const prepared = prepareWriting(pullRequest.source, language);
  const material = prepared.label(Number.MAX_SAFE_INTEGER);
  if (!material) return;
  const { answer, told } = composeAnswer(pullRequest, pullRequest.drafts[language], material);
  if (answer.mainChanges.length === 0) return;
  const rounds: CheckedSentence[][] = [];
  const ask: Ask = async <Schema extends TSchema>({ schema, prompt }: Question<Schema>) =>
    (schema === (ArticleAnswer as TSchema)
      ? answer
      : schema === (MendAnswer as TSchema)
        ? mendAnswer(prompt, told, pullRequest, material)
        : null) as Static<Schema>;
  const telling: Telling = {
    ask,
    judge: null,
    check: async (draft) => {
      const checked = prepared.check(draft);
      rounds.push(checked);
      return checked;
    },
    prompts,
    project: 'owner/name',
    language,
    shuffle: (items) => items,
    onProgress: () => {},
  };
  await writeWithModel(telling, material, prepared.known);
  count(pullRequest, told, rounds);
}

function count(pullRequest: DraftedPullRequest, told: Told[], rounds: CheckedSentence[][]): void {
  const [first, last = first] = rounds;
  for (const [index, { lie, truth, answered }] of told.entries()) {
    const before = first?.[index + 1];
    const after = last?.[index + 1];
    const line = `${pullRequest.name}: ${answered.text}`;
    if (lie === null) {
      truths.told += 1;
      if (before?.kept === null) truths.failed += 1;
      if (after?.kept !== null) continue;
      truths.lost += 1;
      lost.push(`${line} (${after.reason.slice(0, 200)})`);
      continue;
    }
    const one = tally.get(lie);
    if (!one || !after) continue;
    one.told += 1;
    if (before?.kept === null) one.failed += 1;
    if (!after.kept) continue;
    // A sentence that was led to where it is true is no lie any more.
    const truthfully = { diff: pullRequest.diff, words: '' };
    if (lie === 'wrong hunk' && (pointsThere(after.kept, truth.evidence) || showsIt(after.kept, truthfully)))
      continue;
    // Nor is one of another file that does the same, where its evidence lies there.
    if (lie === 'another file' && isShownByNamed(after.kept, pullRequest)) continue;
    one.stored += 1;
    stored.push(
      `${lie} ${line}\n      was: ${truth.text}\n      ${answered.refs.join(' ')}\n      ${placesOf(after.kept)}`,
    );
  }
}

const placesOf = ({ evidence }: Sentence): string =>
  evidence.map(({ fileName, side, startLine }) => `${fileName} ${side} ${startLine}`).join('; ');

function isShownByNamed(sentence: Sentence, { diff }: DraftedPullRequest): boolean {
  const own = sentence.evidence.filter(({ fileName }) => sentence.text.includes(`\`${fileName}\``));
  const asCode = sentence.text.replace(/[「“]([^」”]*)[」”]/gu, '`$1`');
  return own.length > 0 && showsIt({ ...sentence, text: asCode, evidence: own }, { diff, words: '' });
}

let pullRequests = 0;
for (const mirror of positionals) {
  for await (const pullRequest of draftsFrom(mirror, Number(values.count), random)) {
    pullRequests += 1;
    for (const language of offlineLanguages) await write(pullRequest, language);
  }
}

const lies = [...tally.values()].reduce((sum, { told }) => sum + told, 0);
const share = (part: number) => `${part} (${((100 * part) / truths.told).toFixed(2)} %)`;
console.log(
  `${truths.told + lies} sentences about ${pullRequests} pull requests, ${lies} of them lies; seed ${values.seed}`,
);
console.table(Object.fromEntries(tally));
for (const one of stored.slice(0, Number(values.show))) console.log(`  STORED ${one}`);
console.log(`true: ${truths.told}, sent back ${share(truths.failed)}, lost ${share(truths.lost)}`);
for (const one of lost.slice(0, Number(values.show))) console.log(`  LOST ${one.slice(0, 500)}`);
