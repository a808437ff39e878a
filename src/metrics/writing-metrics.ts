import type { Exposition } from './exposition.ts';

type Writer = 'offline' | 'model';

/** What became of an article: it stands, is tried again after a failure, or was given up. */
type ArticleOutcome = 'written' | 'retried' | 'failed';

interface CheckedSentences {
  verified: number;
  repaired: number;
  dropped: number;
  unjudged: number;
}

interface ModelCall {
  provider: string;
  /** Answered, or why not. */
  outcome: string;
  seconds: number;
  inputTokens: number;
  outputTokens: number;
}

export type WritingMetrics = ReturnType<typeof createWritingMetrics>;

export function createWritingMetrics(exposition: Exposition) {
  const articles = exposition.counter('articles_total', 'Articles by writer and what became of them.', [
    'writer',
    'outcome',
  ]);
  const sentences = exposition.counter(
    'sentences_total',
    'Sentences of written articles by what checking them against the diff found.',
    ['writer', 'outcome'],
  );
  const controls = exposition.counter(
    'control_sentences_total',
    'False sentences that second readers were shown on purpose, by whether they found them out.',
    ['outcome'],
  );
  return {
    countControl: (isFound: boolean): void => controls.inc({ outcome: isFound ? 'found' : 'missed' }),
    countArticle: (writer: Writer, outcome: ArticleOutcome): void => articles.inc({ writer, outcome }),
    countSentences: (writer: Writer, { verified, repaired, dropped, unjudged }: CheckedSentences): void => {
      for (const [outcome, count] of Object.entries({ verified, repaired, dropped, unjudged }))
        sentences.inc({ writer, outcome }, count);
    },
  };
}

export type ModelMetrics = ReturnType<typeof createModelMetrics>;

export function createModelMetrics(exposition: Exposition) {
  const calls = exposition.counter('model_calls_total', 'Calls of models: answered, or why not.', [
    'provider',
    'outcome',
  ]);
  const tokens = exposition.counter('model_tokens_total', 'Tokens that models read and wrote.', [
    'provider',
    'direction',
  ]);
  const cost = exposition.counter(
    'model_cost_usd_total',
    'What calls cost by the list of prices, in US dollars; absent where the model is not on it.',
    ['provider'],
  );
  const durations = exposition.histogram({
    name: 'model_call_duration_seconds',
    help: 'How long calls of models took.',
    labels: ['provider'],
    bounds: [1, 5, 15, 30, 60, 120, 300],
  });
  return {
    observeCall: ({ provider, outcome, seconds, inputTokens, outputTokens }: ModelCall): void => {
      calls.inc({ provider, outcome });
      durations.series([provider]).observe(seconds);
      tokens.inc({ provider, direction: 'in' }, inputTokens);
      tokens.inc({ provider, direction: 'out' }, outputTokens);
    },
    addCost: (provider: string, usd: number): void => cost.inc({ provider }, usd),
  };
}
