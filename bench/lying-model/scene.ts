import type { Static, TSchema } from 'typebox';
import { loadPrompts } from '../../src/open-writing.ts';
import { isInLanguage } from '../../src/writing/ai/ask-model.ts';
import type { Material } from '../../src/writing/ai/material.ts';
import type { PreparedWriting } from '../../src/writing/ai/prepare-writing.ts';
import type { Ask, Question, WritingDeps } from '../../src/writing/ai/prompts.ts';
import { numberSentences } from '../../src/writing/draft.ts';
import type { DraftedPullRequest } from '../true-sentences.ts';
import { type Claim, Claims } from './claims.ts';
import { type ReaderName, readerFor } from './readers.ts';
import type { Language } from './tally.ts';

const { prompts } = loadPrompts();

/** An article by the model in one language with one second model. */
export interface Scene {
  name: string;
  material: Material;
  prepared: PreparedWriting;
  language: Language;
  reader: ReaderName;
  claims: Claims;
  /** All sentences of the model so far. */
  said: Claim[];
  /** The lies that the rules let through, by place and text. */
  letThrough: Map<string, Claim>;
  /** The rules' reason for rejecting it, by text. */
  refusals: Map<string, string>;
}

export const openScene = (
  about: Pick<Scene, 'name' | 'material' | 'prepared' | 'language' | 'reader'>,
  { diff }: DraftedPullRequest,
  claims: Claim[],
): Scene => {
  const known = new Claims(diff);
  for (const claim of claims) known.add(claim);
  return { ...about, claims: known, said: [], letThrough: new Map(), refusals: new Map() };
};

export const tellingIn = (scene: Scene, reply: (question: Question<TSchema>) => unknown): WritingDeps => {
  const { claims, language, letThrough, material, prepared, reader, refusals } = scene;
  const ask: Ask = async <Schema extends TSchema>(question: Question<Schema>) =>
    reply(question) as Static<Schema>;
  return {
    ask,
    judge: readerFor(reader, claims, material),
    check: async (draft) => {
      const checked = prepared.check(draft);
      for (const [index, outcome] of checked.entries()) {
        const { kept } = outcome;
        if (!kept) refusals.set(numberSentences(draft)[index]?.text ?? '', outcome.reason);
        const lie = kept && claims.lieIn(kept);
        if (lie && (await isInLanguage([lie.text], language))) letThrough.set(`${index} ${lie.text}`, lie);
      }
      return checked;
    },
    prompts,
    project: 'owner/name',
    language,
    shuffle: (items) => items.toReversed(),
    onProgress: () => {},
  };
};
