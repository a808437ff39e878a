import { parseArgs } from 'node:util';
import type { Static, TSchema } from 'typebox';
import { loadPrompts } from '../src/open-writing.ts';
import { labelMaterial, type Material, oneLine } from '../src/writing/ai/material.ts';
import { createModel, type Model, roomBeside } from '../src/writing/ai/model.ts';
import { addTokens, noTokens, type TokenUsage } from '../src/writing/ai/model-question.ts';
import { type PreparedWriting, prepareWriting } from '../src/writing/ai/prepare-writing.ts';
import type { Ask, Question } from '../src/writing/ai/prompts.ts';
import { printCited, resolveReferences } from '../src/writing/ai/references.ts';
import { ArticleReply, JudgeReply, MendReply } from '../src/writing/ai/reply-forms.ts';
import { writeWithModel } from '../src/writing/ai/write-with-model.ts';
import { numberSentences } from '../src/writing/draft.ts';
import { numbersFrom } from '../test/chance.ts';
import { composeAnswer } from './lying-model/compose-answer.ts';
import { articleOfLength } from './questions/article-of-length.ts';
import { type DraftedPullRequest, draftsFrom } from './true-sentences.ts';

// The size of questions to models about real pull requests, with replies as long as a model's: characters of the first
// question to a second model, against the same with the lines repeated beside each sentence, for the first articles
// with enough sentences; and tokens and price of writing, judging, repairing a quarter of the sentences and judging
// those again. With --as-drafted, replies are not padded.
// Run with node bench/questions.ts [--count 50] [--articles 10] [--sentences 8] [--as-drafted] [--seed 1] MIRROR …
const usage =
  'Usage: node bench/questions.ts [--count 50] [--articles 10] [--sentences 8] [--as-drafted] [--seed 1] MIRROR …';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '50' },
    articles: { type: 'string', default: '10' },
    sentences: { type: 'string', default: '8' },
    'as-drafted': { type: 'boolean', default: false },
    seed: { type: 'string', default: '1' },
  },
});
if (positionals.length === 0) {
  console.log(usage);
  process.exit(2);
}

/** The limit for a question: half of the former size, and a little. */
const mostOfBefore = 0.6;

/** One of this many sentences is rejected. */
const refusedOf = 4;

const { prompts } = loadPrompts();
/** Between the service's estimate before a provider has reported any, and the highest value that it accepts. */
const bytesPerToken = 3.5;

const modelOf = (provider: 'anthropic' | 'openai', name: string): Model =>
  createModel(
    {
      provider,
      name,
      apiKey: 'none',
      baseUrl: 'https://models.invalid',
      isOwnAddress: false,
      contextTokens: undefined,
      outputTokens: 16_000,
      timeoutMs: 1_000,
    },
    {
      fetch: () => Promise.reject(new Error('Nothing is sent.')),
      clock: () => new Date(),
    },
  );

const models = [modelOf('anthropic', 'claude-sonnet-4-5'), modelOf('openai', 'gpt-5-mini')];

/** A question as sent, and its reply. */
interface Call {
  question: Question<TSchema>;
  answer: unknown;
}

interface Asked {
  n: number;
  line: string;
  labels: string[];
  text: string;
}

const askedIn = (prompt: string): Asked[] =>
  Array.from(prompt.matchAll(/^s(\d+) \(([^)]*)\) (.*)$/gm), ([line, n, labels = '', text = '']) => ({
    n: Number(n),
    line,
    labels: labels.split(/[,;]\s*/),
    text,
  }));

/** The content of a reply as it would be sent again. */
const sentencesIn = ({ background, sections, rest, lead, title }: ArticleReply) =>
  new Map(
    [
      ...[title.text, lead.text, ...sections.map(({ heading }) => heading)].map((text) => ({
        refs: [],
        quote: '',
        basis: 'diff' as const,
        text,
      })),
      ...background,
      ...sections.flatMap(({ sentences }) => sentences),
      ...rest,
    ].map((one) => [oneLine(one.text), one]),
  );

/**
 * Lets a model write an article in which every fourth sentence is rejected at first, and records the questions. The
 * rules are skipped, because only sizes matter.
 */
async function record(
  answer: ArticleReply,
  known: PreparedWriting['known'],
  material: Material,
  roomToJudge: number,
): Promise<Call[]> {
  const byText = sentencesIn(answer);
  const calls: Call[] = [];
  let judged = 0;
  const judge = (prompt: string): JudgeReply => {
    judged += 1;
    const verdicts = askedIn(prompt).map(({ n, text }) => {
      const isRefused = !byText.has(text) || (judged === 1 && n % refusedOf === 0);
      const reason = isRefused ? 'the lines do not show what it says of them' : '';
      return { n, reason, verdict: isRefused ? ('notShown' as const) : ('holds' as const) };
    });
    return { verdicts };
  };
  const mend = (prompt: string): MendReply => ({
    sentences: askedIn(prompt).flatMap(({ n, text }) => {
      const one = byText.get(text);
      return one ? [{ n, ...one }] : [];
    }),
  });
  const ask: Ask = async <Schema extends TSchema>(question: Question<Schema>) => {
    const { schema, prompt } = question;
    const said = new Map<TSchema, () => unknown>([
      [ArticleReply, () => answer],
      [MendReply, () => mend(prompt)],
      [JudgeReply, () => judge(prompt)],
    ]).get(schema)?.();
    calls.push({ question, answer: said });
    return said as Static<Schema>;
  };
  await writeWithModel(
    {
      ask,
      judge: { ask, mostBytes: roomToJudge },
      check: async (draft) => numberSentences(draft).map((kept) => ({ kept, isRepaired: false })),
      prompts,
      project: 'owner/name',
      language: 'en',
      shuffle: (items) => items.toReversed(),
      onProgress: () => {},
    },
    material,
    known,
  );
  return calls;
}

/** A question in which each sentence is repeated with its lines. */
const charactersOf = (sentences: { line: string; refs: string[] }[], material: Material): number =>
  sentences
    .flatMap(({ line, refs }) => [line, ...printCited(resolveReferences(refs, material), material)])
    .join('\n').length;

/** The number of articles to compare so far, so that each mirror has its share. */
let wanted = 0;
const compared: Record<string, number | string>[] = [];

function compareQuestions(name: string, calls: Call[], answer: ArticleReply, material: Material): void {
  const [prompt] = calls.flatMap(({ question }) =>
    question.schema === (JudgeReply as TSchema) ? [question.prompt] : [],
  );
  const byText = sentencesIn(answer);
  const asked = askedIn(prompt ?? '').filter(({ text }) => byText.has(text));
  if (!prompt || asked.length < Number(values.sentences)) return;
  const before = charactersOf(
    asked.map(({ line, labels }) => ({ line, refs: labels })),
    material,
  );
  // The question before titles, leads and bases of judgments were part of it.
  const ownLines = asked.flatMap(({ line, text }) => {
    const refs = byText.get(text)?.refs ?? [];
    return refs.length > 0 ? [{ line, refs }] : [];
  });
  compared.push({
    article: name.slice(0, 50),
    sentences: asked.length,
    before,
    after: prompt.length,
    ratio: (prompt.length / before).toFixed(2),
    'before, own lines only': charactersOf(ownLines, material),
  });
}

const tokensOf = ({ question: { instructions, prompt }, answer }: Call): TokenUsage => ({
  inputTokens: Math.ceil((Buffer.byteLength(instructions) + Buffer.byteLength(prompt)) / bytesPerToken),
  outputTokens: Math.ceil(Buffer.byteLength(JSON.stringify(answer)) / bytesPerToken),
});

interface Spent extends TokenUsage {
  price: number;
  sentences: number;
}

const spent = new Map<Model, { fitting: Spent[]; tooLarge: number }>(
  models.map((model) => [model, { fitting: [], tooLarge: 0 }]),
);

async function spend(pullRequest: DraftedPullRequest, model: Model, random: () => number): Promise<boolean> {
  const prepared = prepareWriting(pullRequest.source, 'en');
  const result = spent.get(model);
  const material = labelMaterial(prepared.material, await roomBeside(prompts['write-article'], model));
  if (!material && result) result.tooLarge += 1;
  if (!material || material.files.size === 0 || !result) return material === null;
  const composed = composeAnswer({ pullRequest, material, language: 'en', lies: 0, random });
  if (!composed) return false;
  const roomToJudge = await roomBeside(prompts['judge-sentences'], model);
  const answer = values['as-drafted'] ? composed.reply : articleOfLength(composed.reply, material);
  const calls = await record(answer, prepared.known, material, roomToJudge);
  const usages = calls.map(tokensOf);
  const prices = await Promise.all(usages.map((one) => model.priceOf(one)));
  const price = prices.reduce<number>((sum, one) => sum + (one ?? Number.NaN), 0);
  result.fitting.push({ ...usages.reduce(addTokens, noTokens), price, sentences: sentencesIn(answer).size });
  if (model === models[0] && compared.length < wanted)
    compareQuestions(pullRequest.name, calls, answer, material);
  return true;
}

const percentile = (numbers: number[], share: number): number =>
  numbers.toSorted((one, other) => one - other)[Math.ceil(share * numbers.length) - 1] ?? Number.NaN;

const random = numbersFrom(Number(values.seed));
let pullRequests = 0;
let unwritten = 0;
for (const [index, mirror] of positionals.entries()) {
  wanted = Math.ceil((Number(values.articles) * (index + 1)) / positionals.length);
  for await (const pullRequest of draftsFrom(mirror, Number(values.count), random)) {
    pullRequests += 1;
    const isCounted: boolean[] = [];
    for (const model of models) isCounted.push(await spend(pullRequest, model, random));
    if (!isCounted.every(Boolean)) unwritten += 1;
  }
}

console.log(
  `Characters of the first question to the second reader, articles of ${values.sentences} sentences and more`,
);
console.table(compared);
const sumOf = (name: string) => compared.reduce((sum, one) => sum + Number(one[name]), 0);
const ratio = sumOf('after') / sumOf('before');
console.log(
  `${compared.length} articles: ${sumOf('before')} before, ${sumOf('after')} after, ratio ${ratio.toFixed(2)} (at most ${mostOfBefore}); against own lines only ${(sumOf('after') / sumOf('before, own lines only')).toFixed(2)}`,
);
console.log(
  `${pullRequests} pull requests of ${positionals.length} repositories; of ${unwritten} the offline writer says nothing of lines; ${bytesPerToken} bytes a token`,
);
for (const [model, { fitting, tooLarge }] of spent) {
  console.log(`${model.name}: ${fitting.length} written, ${tooLarge} do not fit`);
  const column = (share: number) => ({
    sentences: percentile(
      fitting.map(({ sentences }) => sentences),
      share,
    ),
    'input tokens': percentile(
      fitting.map(({ inputTokens }) => inputTokens),
      share,
    ),
    'output tokens': percentile(
      fitting.map(({ outputTokens }) => outputTokens),
      share,
    ),
    'US dollars': Number(
      percentile(
        fitting.map(({ price }) => price),
        share,
      ).toFixed(4),
    ),
  });
  console.table({ p50: column(0.5), p95: column(0.95), p99: column(0.99) });
}
process.exitCode = ratio <= mostOfBefore ? 0 : 1;
