import type { Cost, ReaderFigures, TrialFigures } from '../actions/trial/figures.ts';
import type { Trial } from '../actions/trial/try-models.ts';
import { thresholds, verdictOn } from '../actions/trial/verdict.ts';
import type { TokenUsage } from '../writing/ai/model-question.ts';
import { ailments } from './model-ailments.ts';

const count = (number: number): string => Math.round(number).toLocaleString('en');

function describeCost({ inputTokens, outputTokens, usd }: Cost): string {
  const tokens = `${count(inputTokens + outputTokens)} tokens (${count(inputTokens)} read, ${count(outputTokens)} written)`;
  return usd === undefined
    ? `${tokens}, at a price that is not known`
    : `${tokens}, $${usd.toFixed(2)} by the list`;
}

/** What a trial would send to whom, and what that would cost. */
export function describeEstimate({
  writer,
  judge,
  estimate,
}: Pick<Trial, 'writer' | 'judge' | 'estimate'>): string {
  const reader =
    judge === null
      ? 'without a second reader'
      : judge === writer
        ? 'as its own second reader'
        : `with ${judge} as second reader`;
  return [
    `This puts ${estimate.questions} questions about four made-up pull requests to ${writer}, ${reader}:`,
    `about ${describeCost(estimate)}.`,
    'What has to be mended, or asked again, up to twice each, and what a model thinks, comes on top.',
  ].join('\n');
}

export const describeStop = ({ inputTokens, outputTokens }: TokenUsage): string =>
  `Stopped after ${count(inputTokens + outputTokens)} tokens. The answer that was under way may be charged too.`;

/** The figures for a person, with the verdict last. */
export function describeTrial(figures: TrialFigures): string {
  const { articles, sentences, reader, languages, answers, used, stopped } = figures;
  const held = languages.filter(({ isHeld }) => isHeld).map(({ language }) => language);
  const lost = languages
    .filter(({ isHeld }) => !isHeld)
    .map(
      ({ language, sentences: told, kept }) =>
        `${language} (${told === 0 ? 'no answer of use' : `${kept} of ${told} sentences`})`,
    );
  const rows: [name: string, text: string][] = [
    ['Writer', figures.writer],
    ['Second reader', figures.judge ?? 'none'],
    [
      'Articles',
      `${articles.written} of ${articles.asked} written${articles.noRoom > 0 ? noRoom(articles.noRoom) : ''}`,
    ],
    [
      'Sentences',
      `${sentences.written} written, ${sentences.byRules} pass the rules at once; of all, ${sentences.kept} kept (${sentences.mended} mended), ${sentences.dropped} dropped`,
    ],
    ...(reader ? describeReader(reader) : []),
    [
      'Languages',
      [`holds ${held.join(', ') || 'none'}`, ...(lost.length > 0 ? [`not ${lost.join(', ')}`] : [])].join(
        '; ',
      ),
    ],
    [
      'Answers',
      `${answers.questions} questions; ${answers.askedAgain} asked again, ${answers.useless} never answered in the form or language asked for, ${answers.unanswered} not answered`,
    ],
    ['Each article', `${articles.seconds.toFixed(1)} seconds, ${count(articles.tokens)} tokens`],
    ['In all', describeCost(used)],
    ...(stopped
      ? [['Given up', `${stopped.model} ${ailments[stopped.reason]}.`] satisfies [string, string]]
      : []),
    ['Verdict', verdictOn(figures)],
  ];
  return rows.map(([name, text]) => `${name.padEnd(14)} ${text}`).join('\n');
}

const noRoom = (articles: number): string =>
  `; ${articles} have no room in what the model reads at once: set AI_CONTEXT_TOKENS higher if it reads more`;

function describeReader({ lies, truths, unread }: ReaderFigures): [string, string][] {
  const missed = Object.entries(lies.missed).map(([kind, times]) => `${kind} ${times}`);
  return [
    [
      'Lies',
      `${lies.caught} of ${lies.told} caught${missed.length > 0 ? `; missed: ${missed.join(', ')}` : ''}`,
    ],
    ['Truths', `${truths.refused} of ${truths.told} refused, ${truths.passed} passed`],
    ...(unread > 0
      ? [['Unread', `${unread} of these have no verdict that counts`] satisfies [string, string]]
      : []),
  ];
}

const percent = (share: number): string => `${Math.round(share * 100)} %`;

/** What the verdict asks for, for the help. */
export const describeThresholds = (): string[] => [
  `To write:  ${percent(thresholds.articlesWritten)} of the articles come, and ${percent(thresholds.sentencesKept)} of their sentences are kept.`,
  `To judge:  ${percent(thresholds.liesCaught)} of the lies are caught, and ${percent(thresholds.truthsPassed)} of the truths pass.`,
  `To hold a language:  ${percent(thresholds.saidAgain)} of the sentences keep their names and are in it.`,
];
