import { createAsk } from '../../writing/ai/create-ask.ts';
import type { Prompts } from '../../writing/ai/fill-prompt.ts';
import type { Judgement } from '../../writing/ai/judge-sentences.ts';
import type { Model } from '../../writing/ai/model.ts';
import { asNoAnswer, ModelFailure } from '../../writing/ai/model-failure.ts';
import { addTokens, noTokens, type TokenUsage } from '../../writing/ai/model-question.ts';
import { roomBeside } from '../../writing/ai/room-beside.ts';
import type { Ask } from '../../writing/ai/telling.ts';
import { shuffleBy } from '../articles/shuffle-by.ts';
import { toldSample } from './checked-article.ts';
import { type Cost, priceOf, type TrialFigures } from './figures.ts';
import { addCounts, createMeter, type Meter } from './meter.ts';
import type { Sample } from './prepare-sample.ts';
import { otherLanguages, rehearse } from './rehearse.ts';
import { judgeKnown, sayIn, type TrialAsking, writeAbout } from './steps.ts';
import { type Results, tally } from './tally.ts';

interface Trying {
  samples: Sample[];
  writer: Model;
  judge: Model | null;
  prompts: Prompts;
  clock: () => Date;
}

/** Told before each step: how many are through, of how many, and what is done now. */
type OnStep = (done: number, total: number, name: string) => void;

export interface Trial extends Pick<TrialFigures, 'writer' | 'judge'> {
  /** What it is likely to cost. Nothing has been sent. */
  estimate: Cost & { questions: number };
  run: (onStep: OnStep) => Promise<TrialFigures>;
  /** What has been used so far. */
  used: () => TokenUsage;
}

/** Prepares to find out how well models write, judge and speak, on pull requests of which the truth is known. */
export async function prepareTrial(trying: Trying): Promise<Trial> {
  const { samples, writer, judge } = trying;
  const meters = {
    writer: createMeter(writer),
    judge: judge === writer ? null : judge && createMeter(judge),
  };
  const asking = await askingOf(trying, meters.writer, judge && (meters.judge ?? meters.writer));
  return {
    writer: nameOf(writer),
    judge: judge && nameOf(judge),
    estimate: await rehearse({ samples, writer, judge, asking }),
    run: (onStep) => run(trying, meters, asking, onStep),
    used: () => usedBy(meters),
  };
}

interface Meters {
  writer: Meter;
  /** Null where there is none, or where the writer is its own reader. */
  judge: Meter | null;
}

async function askingOf({ prompts }: Trying, writer: Meter, judge: Meter | null): Promise<TrialAsking> {
  const askWith = async (meter: Meter): Promise<(language: string | null) => Ask> => {
    const { outputTokens } = await meter.model.limits();
    return (language) => {
      const ask = createAsk({
        put: meter.put,
        askAgain: prompts['ask-again'],
        language,
        maxOutputTokens: outputTokens,
        signal: new AbortController().signal,
        onText: () => {},
      });
      return async (question) =>
        ask(question).catch((error: unknown) => {
          meter.note(error);
          throw error;
        });
    };
  };
  const askReader = judge && (await askWith(judge))(null);
  return {
    writer: {
      askIn: await askWith(writer),
      mostBytes: await roomBeside(prompts['write-article'], writer.model),
    },
    judge: judge &&
      askReader && {
        ask: (question) => askReader(question).catch(asNoAnswer),
        mostBytes: await roomBeside(prompts['judge-sentences'], judge.model),
      },
    telling: { prompts, shuffle: shuffleBy('trial') },
  };
}

async function run(
  { samples, writer, judge, clock }: Trying,
  meters: Meters,
  asking: TrialAsking,
  onStep: OnStep,
): Promise<TrialFigures> {
  const results: Results = { articles: [], judged: [], languages: [] };
  const write = async (sample: Sample) => {
    const [startedAt, before] = [clock().getTime(), totalOf(usedBy(meters))];
    const written = await unlessFailed(writeAbout(sample, asking));
    const seconds = (clock().getTime() - startedAt) / 1000;
    results.articles.push({ written, seconds, tokens: totalOf(usedBy(meters)) - before });
  };
  const read = async ({ known }: Sample, judgement: Promise<Judgement>) =>
    void results.judged.push({ known, judgement: await judgement });
  const speak = async (language: string, sample: Sample) =>
    void results.languages.push({ language, said: await unlessFailed(sayIn(language, sample, asking)) });
  const told = samples.filter(({ number }) => number === toldSample);
  const steps: { name: string; take: () => Promise<void> }[] = [
    ...samples.map((sample) => ({ name: `writes about #${sample.number}`, take: () => write(sample) })),
    ...(judge ? samples : []).map((sample) => ({
      name: `judges sentences about #${sample.number}`,
      take: () => read(sample, judgeKnown(sample, asking)),
    })),
    ...told.flatMap((sample) =>
      otherLanguages.map((code) => ({ name: `says it in ${code}`, take: () => speak(code, sample) })),
    ),
  ];
  for (const [index, { name, take }] of steps.entries()) {
    if (stoppedBy(meters)) break;
    onStep(index, steps.length, name);
    await take();
  }
  const answers = addCounts(meters.writer.counts(), meters.judge?.counts());
  return {
    writer: nameOf(writer),
    judge: judge && nameOf(judge),
    ...tally(results, judge !== null),
    answers,
    used: await costOf(meters),
    stopped: stoppedBy(meters),
  };
}

const nameOf = ({ provider, name }: Model): string => `${provider}/${name}`;

const usedBy = ({ writer, judge }: Meters): TokenUsage =>
  addTokens(writer.usage(), judge?.usage() ?? noTokens);
const totalOf = ({ inputTokens, outputTokens }: TokenUsage): number => inputTokens + outputTokens;

function stoppedBy({ writer, judge }: Meters): TrialFigures['stopped'] {
  for (const meter of [writer, ...(judge ? [judge] : [])]) {
    const reason = meter.silence();
    if (reason) return { model: nameOf(meter.model), reason };
  }
  return null;
}

const costOf = (meters: Meters): Promise<Cost> =>
  priceOf(
    [meters.writer, ...(meters.judge ? [meters.judge] : [])].map(({ model, usage }) => ({
      model,
      usage: usage(),
    })),
  );

/** What a model fails at is a figure too; it was counted where it happened. */
const unlessFailed = <Done>(step: Promise<Done>): Promise<Done | null> =>
  step.catch((error: unknown) => {
    if (error instanceof ModelFailure) return null;
    throw error;
  });
