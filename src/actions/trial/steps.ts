import { isSentenceInLanguage } from '../../writing/ai/check-language.ts';
import { type Judgement, judgeSentences } from '../../writing/ai/judge-sentences.ts';
import { labelMaterial, type Material } from '../../writing/ai/material.ts';
import type { ModelArticle } from '../../writing/ai/model-article.ts';
import { sayAgain } from '../../writing/ai/say-again.ts';
import type { Ask, CheckedSentence, Telling } from '../../writing/ai/telling.ts';
import { writeWithModel } from '../../writing/ai/write-with-model.ts';
import type { Draft, Sentence } from '../../writing/draft.ts';
import { numberSentences } from '../../writing/number-sentences.ts';
import { checkedArticle } from './checked-article.ts';
import type { Sample } from './prepare-sample.ts';

/** Makes what a step of the trial asks with. */
export interface TrialAsking {
  writer: { askIn: (language: string) => Ask; mostBytes: number };
  judge: NonNullable<Telling['judge']> | null;
  telling: Pick<Telling, 'prompts' | 'shuffle'>;
}

/** What the rules said of the claims as they were first written. */
interface FirstDraft {
  claims: number;
  passed: number;
  inEnglish: number;
}

export interface WrittenSample {
  /** Null where there should have been a second reader and there was none. */
  article: ModelArticle | null;
  first: FirstDraft;
}

/** Has an article written, checked, judged and mended, where the model has room for the pull request. */
export async function writeAbout(sample: Sample, asking: TrialAsking): Promise<WrittenSample | 'noRoom'> {
  const material = labelMaterial(sample.writing.material, asking.writer.mostBytes);
  if (!material) return 'noRoom';
  let first: FirstDraft | null = null;
  const telling = tellingOf(sample, asking, 'en');
  const check: Telling['check'] = async (draft) => {
    const outcomes = await telling.check(draft);
    first ??= await countFirst(draft, outcomes);
    return outcomes;
  };
  const article = await writeWithModel({ ...telling, check }, material, sample.writing.known);
  return { article, first: first ?? { claims: 0, passed: 0, inEnglish: 0 } };
}

async function countFirst(draft: Draft, outcomes: CheckedSentence[]): Promise<FirstDraft> {
  const claims = numberSentences(draft).flatMap(({ basis, text }, index) =>
    index === 0 || basis === 'judgement' ? [] : [{ text, outcome: outcomes[index] }],
  );
  const inEnglish = await Promise.all(claims.map(({ text }) => isSentenceInLanguage(text, 'en')));
  return {
    claims: claims.length,
    passed: claims.filter(({ outcome }) => outcome?.kept).length,
    inEnglish: inEnglish.filter(Boolean).length,
  };
}

/** Has the second reader judge what is known to be true or false, as it judges an article. */
export function judgeKnown(sample: Sample, asking: TrialAsking): Promise<Judgement> {
  const sentences = sample.known.map(({ sentence }, index) => ({ index, sentence, name: null }));
  return judgeSentences(tellingOf(sample, asking, 'en'), sentences, wholeMaterial(sample));
}

/** Has a checked article said in another language, and counts the sentences that keep their names and are in it. */
export async function sayIn(
  language: string,
  sample: Sample,
  asking: TrialAsking,
): Promise<{ sentences: number; kept: number }> {
  const article = checkedArticle(sample);
  const telling = { ...tellingOf(sample, asking, language), judge: null };
  const said = await sayAgain(telling, article, wholeMaterial(sample));
  return { sentences: told(article).length, kept: said ? told(said.draft).length : 0 };
}

const told = (draft: Draft): Sentence[] => numberSentences(draft).filter(({ text }) => text !== '');

const wholeMaterial = ({ writing }: Sample): Material => {
  const material = labelMaterial(writing.material, Number.POSITIVE_INFINITY);
  if (!material) throw new Error('There is always room without a limit.');
  return material;
};

const tellingOf = (
  { project, writing }: Sample,
  { writer, judge, telling }: TrialAsking,
  language: string,
): Telling => ({
  ...telling,
  ask: writer.askIn(language),
  judge,
  check: async (draft) => writing.check(draft),
  project,
  language,
  onProgress: () => {},
});
