import { existsSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { setTimeout as wait } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import { pino } from 'pino';
import { buildApp } from '../src/app.ts';
import { parseConfig } from '../src/config.ts';
import { fileOf, openRecordings, type RecordedSample } from '../src/open-recordings.ts';
import { openModels } from '../src/open-writing.ts';
import type { ModelQuestion } from '../src/writing/ai/model-question.ts';
import { type Recording, sentencesToJudge } from '../src/writing/ai/recorded-model.ts';
import type { JudgeReply, ReplyForm } from '../src/writing/ai/reply-forms.ts';
import { offlineLanguages } from '../src/writing/articles.ts';

// Records the replies of a model about the samples that are missing: npm run samples:record [-- [--again] NUMBER …]. With
// numbers, only those about these pull requests; with --again, also those that are recorded. With AI_MODEL, that model
// replies. Without, each prompt becomes a file in sample-prompts/, and the reply is read from a file beside it: write it
// under another name first, then rename it.

const samples = new URL('../samples/', import.meta.url);
const repository = { owner: 'harborline', repo: 'parcel' };
const prompts = fileURLToPath(new URL('../sample-prompts/', import.meta.url));
const nothing = (): Recording => ({ replies: {}, verdicts: {} });

const parameters = process.argv.slice(2);
const numbers = parameters.filter((one) => one !== '--again').map(Number);
for (const number of parameters.includes('--again') ? numbers : [])
  for (const languageCode of offlineLanguages) {
    const file = fileOf(samples, { ...repository, number, languageCode });
    const before: RecordedSample | null = existsSync(file) ? JSON.parse(readFileSync(file, 'utf8')) : null;
    const questions = (before?.questions ?? []).map(({ text }) => ({ text, ...nothing() }));
    mkdirSync(new URL('.', file), { recursive: true });
    writeFileSync(file, asText({ article: nothing(), questions }));
  }

function asText(sample: RecordedSample): string {
  return `${JSON.stringify(sample, null, 1)}\n`;
}

async function replyByHand(name: string, { instructions, prompt, earlier }: ModelQuestion): Promise<unknown> {
  const said = earlier.flatMap(({ reply, complaint }) => [reply, complaint]);
  mkdirSync(prompts, { recursive: true });
  writeFileSync(join(prompts, `${name}.md`), [instructions, prompt, ...said].join('\n\n'));
  const file = join(prompts, `${name}.json`);
  console.log(`${name}.md waits for ${file}`);
  while (!existsSync(file)) await wait(500);
  return JSON.parse(readFileSync(file, 'utf8'));
}

const dataFolder = mkdtempSync(join(tmpdir(), 'record-samples-'));
const environment = Object.entries(process.env).filter(([name]) => !name.startsWith('AI_'));
const config = parseConfig({ ...Object.fromEntries(environment), PORT: '0', PULLQUOTE_DATA: dataFolder });
const options = { clock: () => new Date(), metrics: null };
const models = process.env.AI_MODEL ? openModels(parseConfig(process.env), options) : null;

const recordings = openRecordings({
  folder: samples,
  replyAnew: (place, sample, recording) => async (question, form) => {
    const { number, languageCode } = place;
    const about = sample.questions.findIndex(({ verdicts }) => verdicts === recording.verdicts);
    const turn =
      (recording.replies[form]?.length ?? Object.keys(recording.verdicts).length) + question.earlier.length;
    const name = [number, languageCode, about < 0 ? 'article' : `question-${about + 1}`, form, turn].join(
      '.',
    );
    const model = form === 'judgement' ? models?.judge : models?.writer;
    const value = model ? (await model.ask(question)).value : await replyByHand(name, question);
    record(recording, { question, form, value });
    writeFileSync(fileOf(samples, place), asText(sample));
    return value;
  },
});

interface Replied {
  question: ModelQuestion;
  form: ReplyForm;
  value: unknown;
}

function record(recording: Recording, { question, form, value }: Replied): void {
  if (form === 'judgement') {
    const sentences = sentencesToJudge(question.prompt);
    for (const { n, verdict, reason } of (value as JudgeReply).verdicts)
      recording.verdicts[sentences.get(n) ?? ''] = { verdict, reason };
    return;
  }
  const replies = recording.replies[form] ?? [];
  recording.replies[form] = [...(question.earlier.length > 0 ? replies.slice(0, -1) : replies), value];
}

const log = pino({ level: 'warn', base: null });
const app = await buildApp(config, {
  log,
  clock: options.clock,
  command: 'serve',
  announce: () => {},
  recordings: {
    ...recordings,
    numbersIn: async (place) => (numbers.length > 0 ? numbers : recordings.numbersIn(place)),
    questionsAbout: async (place) =>
      numbers.length > 0 && !numbers.includes(place.number) ? null : recordings.questionsAbout(place),
  },
});
try {
  await app.server.listen({ host: '127.0.0.1', port: 0 });
  await app.fillWithSamples();
} finally {
  await app.close();
  rmSync(dataFolder, { recursive: true, force: true });
}
