import { parseArgs } from 'node:util';
import type { TSchema } from 'typebox';
import { mostStatements } from '../src/contract/questions.ts';
import { answerWithModel, checkAnswers, materialFor } from '../src/writing/ai/answer-with-model.ts';
import type { ModelArticle } from '../src/writing/ai/check-and-judge.ts';
import { labelMaterial, oneLine } from '../src/writing/ai/material.ts';
import { prepareWriting } from '../src/writing/ai/prepare-writing.ts';
import type { Question } from '../src/writing/ai/prompts.ts';
import { ArticleReply, MendReply, QuestionReply, type SayAgainReply } from '../src/writing/ai/reply-forms.ts';
import { translateDraft } from '../src/writing/ai/translate-draft.ts';
import { writeWithModel } from '../src/writing/ai/write-with-model.ts';
import { type OfflineLanguage, offlineLanguages } from '../src/writing/articles.ts';
import { type Draft, numberSentences } from '../src/writing/draft.ts';
import { sourceOfQuestion } from '../src/writing/questions/passages.ts';
import { numbersFrom } from '../test/chance.ts';
import { type ComposedAnswer, composeAnswer, type Told, tellAll } from './lying-model/compose-answer.ts';
import { countOutcome, examples } from './lying-model/count-outcome.ts';
import { readerNames } from './lying-model/readers.ts';
import { lieAboutReviews } from './lying-model/review.ts';
import { type OtherLanguage, type Said, saidAgainIn, sayFalsely } from './lying-model/say-falsely.ts';
import { openScene, type Scene, tellingIn } from './lying-model/scene.ts';
import { tally } from './lying-model/tally.ts';
import { type DraftedPullRequest, draftsFrom } from './true-sentences.ts';

// A model that knows the truth about real pull requests and lies in half of its sentences (--lies, in percent): in
// sentences, titles and leads, in repairs, and in translations. Its replies go all the way to what would be stored,
// with a second model that works, with useless ones and with none. Fails if a lie is published although the second
// model works, or is called checked without one; counts the lies that the rules let through. Questions are answered the
// same way. 1,000 of them, with five second models each, take --only questions --count 150 and three mirrors. Lies about
// who said what in a review need no mirror: --only review --count 500.
// Run with node bench/lying-model.ts [--count 20] [--seed 1] [--lies 50] [--show 5] [--only questions|review] MIRROR …
const usage =
  'Usage: node bench/lying-model.ts [--count 20] [--seed 1] [--lies 50] [--show 5] [--only questions|review] MIRROR …';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '20' },
    seed: { type: 'string', default: '1' },
    lies: { type: 'string', default: '50' },
    show: { type: 'string', default: '5' },
    only: { type: 'string' },
  },
});
if (values.only === 'review') {
  const about = await lieAboutReviews(Number(values.count), numbersFrom(Number(values.seed)));
  console.table(about.table);
  for (const line of about.examples.slice(0, Number(values.show))) console.log(`  ${line}`);
  console.log(
    `${about.lies} lies about reviews: ${about.published} published with a reader that works; ${about.wrongSpeakers} wrong speakers by rules alone or with a reader`,
  );
  process.exit(about.published + about.wrongSpeakers > 0 ? 1 : 0);
}
if (positionals.length === 0) {
  console.log(usage);
  process.exit(2);
}

const random = numbersFrom(Number(values.seed));
const lies = Number(values.lies) / 100;

type PreparedPullRequest = Pick<Scene, 'name' | 'material' | 'prepared'>;

/** The model's first reply, and its replies to repair requests for each failed sentence. */
function lying(scene: Scene, told: Told[], replies: Map<TSchema, unknown>) {
  const { said } = scene;
  const byText = new Map(told.flatMap((one): [string, Told][] => [[oneLine(one.replied.text), one]]));
  const mend = (prompt: string): MendReply => ({
    sentences: Array.from(prompt.matchAll(/^s(\d+) \([^)]*\) (.*)$/gm)).flatMap(([, n, text = '']) => {
      const again = byText.get(text)?.again;
      if (!again) return [];
      said.push(again.claim);
      return [{ n: Number(n), ...again.replied }];
    }),
  });
  return tellingIn(scene, ({ schema, prompt }) =>
    schema === (MendReply as TSchema) ? mend(prompt) : (replies.get(schema) ?? null),
  );
}

async function write(scene: Scene, { reply, told }: ComposedAnswer): Promise<ModelArticle | null> {
  const { material, prepared, said } = scene;
  said.push(...(scene.reader === 'none' ? told.slice(2) : told).map(({ claim }) => claim));
  return writeWithModel(lying(scene, told, new Map([[ArticleReply, reply]])), material, prepared.known);
}

let questions = 0;

/** As many questions as the model has sentences for, each answered with as many as a reply can have. */
async function answerQuestions(pullRequest: DraftedPullRequest, language: OfflineLanguage): Promise<void> {
  const source = sourceOfQuestion([{ number: 1, read: pullRequest.source }], false);
  const question = 'What does it change, and for whom?';
  const material = materialFor(source, question, Number.MAX_SAFE_INTEGER);
  if (!material || material.files.size === 0) return;
  const all = tellAll({ pullRequest, material, language, lies, random });
  const prepared = {
    ...prepareWriting(pullRequest.source, language),
    check: checkAnswers(source, material, question),
  };
  const claims = all.flatMap(({ claim, again }) => [claim, again.claim]);
  for (let from = 0; from < all.length; from += mostStatements) {
    const told = all.slice(from, from + mostStatements);
    const reply = { found: true, sentences: told.map(({ replied }) => replied) };
    for (const reader of readerNames) {
      const about = { name: pullRequest.name, material, prepared, language, reader };
      const scene = openScene(about, pullRequest, claims);
      const said = reader === 'none' ? told.filter(({ replied }) => replied.basis !== 'judgement') : told;
      scene.said.push(...said.map(({ claim }) => claim));
      const answering = lying(scene, told, new Map([[QuestionReply, reply]]));
      countOutcome(scene, await answerWithModel(answering, material, question));
    }
    questions += 1;
  }
}

/** A true article, translated by a model that lies. */
function sayInOtherWords(
  scene: Scene,
  base: Draft,
  sayings: Map<string, Said>,
): Promise<ModelArticle | null> {
  const reply = ({ prompt }: Question<TSchema>): SayAgainReply => {
    const isAgain = /^failed\d+ /m.test(prompt);
    return {
      sentences: Array.from(prompt.matchAll(/^(\d+) (.*)$/gm)).flatMap(([, n, text = '']) => {
        const saying = sayings.get(text);
        if (!saying) return [];
        const claim = isAgain ? saying.again : saying.first;
        scene.said.push(claim);
        return [{ n: Number(n), text: claim.text }];
      }),
    };
  };
  return translateDraft(tellingIn(scene, reply), base, scene.material);
}

async function writeDirectly(
  about: PreparedPullRequest,
  pullRequest: DraftedPullRequest,
  language: OfflineLanguage,
): Promise<void> {
  const composed = composeAnswer({ pullRequest, material: about.material, language, lies, random });
  if (!composed) return;
  const claims = composed.told.flatMap(({ claim, again }) => [claim, again.claim]);
  for (const reader of readerNames) {
    const scene = openScene({ ...about, language, reader }, pullRequest, claims);
    countOutcome(scene, await write(scene, composed));
  }
}

/** The sentences that pass if the same model does not lie. */
async function writeHonestly(
  about: PreparedPullRequest,
  pullRequest: DraftedPullRequest,
): Promise<Draft | null> {
  const honest = composeAnswer({ pullRequest, material: about.material, language: 'en', lies: 0, random });
  if (!honest) return null;
  const claims = honest.told.map(({ claim }) => claim);
  const scene = openScene({ ...about, language: 'en', reader: 'works' }, pullRequest, claims);
  return (await write(scene, honest))?.draft ?? null;
}

async function writeInOtherLanguage(
  about: PreparedPullRequest,
  pullRequest: DraftedPullRequest,
  base: Draft,
  language: OtherLanguage,
): Promise<void> {
  const sayings = new Map(
    numberSentences(base).map((sentence, index): [string, Said] => [
      oneLine(sentence.text),
      sayFalsely(sentence, { language, isTitle: index === 0, lies, random }),
    ]),
  );
  const claims = [...sayings.values()].flatMap(({ first, again }) => [first, again]);
  for (const reader of readerNames) {
    const scene = openScene({ ...about, language, reader }, pullRequest, claims);
    countOutcome(scene, await sayInOtherWords(scene, base, sayings));
  }
}

let pullRequests = 0;
for (const mirror of positionals) {
  for await (const pullRequest of draftsFrom(mirror, Number(values.count), random)) {
    const prepared = prepareWriting(pullRequest.source, 'en');
    const material = labelMaterial(prepared.material, Number.MAX_SAFE_INTEGER);
    if (!material || material.files.size === 0) continue;
    pullRequests += 1;
    for (const language of offlineLanguages) await answerQuestions(pullRequest, language);
    if (values.only === 'questions') continue;
    const about = { name: pullRequest.name, material, prepared };
    for (const language of offlineLanguages) await writeDirectly(about, pullRequest, language);
    const base = await writeHonestly(about, pullRequest);
    if (!base) continue;
    for (const language of saidAgainIn) await writeInOtherLanguage(about, pullRequest, base, language);
  }
}

const shown = (lines: string[], title: string): void => {
  for (const line of lines.slice(0, Number(values.show))) console.log(`  ${title} ${line.slice(0, 400)}`);
};
console.log(
  `${tally.readers.works['lies told']} lies about ${pullRequests} pull requests and in answers to ${questions} questions of ${positionals.length} repositories to a reader that works; seed ${values.seed}`,
);
console.table(tally.readers);
console.log('Lies published with a reader that works');
console.table(tally.published.print());
console.log('Lies that rules alone let through');
console.table(tally.rulesByPlace.print());
console.table(tally.rulesByKind.print());
shown(examples.letThrough, 'LET THROUGH');
console.log('True sentences lost with a reader that works');
console.table(tally.lost.print());
shown(examples.lost, 'LOST');
shown(examples.failures, 'FAILURE');
console.log(
  examples.failures.length === 0
    ? 'No lie is published where the reader works, or called checked where it does not.'
    : `${examples.failures.length} failures`,
);
process.exitCode = examples.failures.length > 0 ? 1 : 0;
