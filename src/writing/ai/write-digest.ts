import type { Evidence } from '../../reading/facts.ts';
import type { Sentence } from '../draft.ts';
import { emptySentence } from '../draft.ts';
import type { AnswerSource } from '../questions/passages.ts';
import { checkAnswers } from './answer-with-model.ts';
import type { ModelArticle } from './check-and-judge.ts';
import { draftFromReply } from './draft-from-reply.ts';
import { type Material, oneLine } from './material.ts';
import { composeMaterial, leastToName } from './parts/read-parts.ts';
import { fillPrompt, type WritingDeps } from './prompts.ts';
import { DigestReply } from './reply-forms.ts';
import { withoutReader } from './summaries.ts';
import { checkAndMend } from './write-with-model.ts';

/** A merged pull request with the sentences of its article that rest on lines. */
export interface DigestChange {
  number: number;
  title: string;
  changeTypes: string[];
  isBreaking: boolean;
  statements: { text: string; evidence: Evidence[] }[];
}

/** A digest needs less material than an article, and must not cost more. */
const mostBytesOfMaterial = 80_000;

/** The sentences of the articles as notes, so that a paragraph is checked against the lines that they cite. */
export function materialOfDigest(source: AnswerSource, changes: DigestChange[], mostBytes: number): Material {
  const notes = changes.flatMap(({ isBreaking, statements }) =>
    statements.map(({ text, evidence }) => ({
      sentence: { ...emptySentence, text, evidence },
      weight: isBreaking ? leastToName : leastToName - 1,
    })),
  );
  const { facts, diff } = source;
  const room = Math.min(mostBytes, mostBytesOfMaterial);
  return composeMaterial({ facts, diff, findings: [], sentences: [] }, notes, room);
}

const printChange = ({ number, title, changeTypes, isBreaking }: DigestChange): string =>
  [
    'change',
    `#${number}`,
    ...changeTypes.slice(0, 1),
    ...(isBreaking ? ['breaking'] : []),
    oneLine(title),
  ].join(' ');

export const checkDigest = (source: AnswerSource, material: Material) => checkAnswers(source, material, '');

/**
 * Lets a model write the first paragraph of a digest and its title, and keeps the sentences that pass the checks. Null
 * if a required second model is missing.
 */
export async function writeDigest(
  deps: WritingDeps,
  material: Material,
  changes: DigestChange[],
): Promise<ModelArticle | null> {
  const { ask, prompts, project, language, onProgress, judge } = deps;
  onProgress('writing', 0, 1);
  const lines = [...changes.map(printChange), ...material.lines];
  const filled = fillPrompt(prompts['write-digest'], { language, project, lines });
  const { sentences, title } = await ask({ ...filled, schema: DigestReply });
  const nothing = { of: [], text: '' };
  const replied = draftFromReply(
    { background: sentences, sections: [], beforeAfter: [], rest: [], lead: nothing, title },
    material,
    { title: '', changeTypes: [], size: 'usual' },
  );
  const { draft } = replied;
  if (judge) return checkAndMend(deps, replied, material);
  const isClaim = ({ basis }: Sentence): boolean => basis !== 'judgement';
  const claims = { ...withoutReader(draft), background: draft.background.filter(isClaim) };
  return checkAndMend(deps, { draft: claims, rests: [[]] }, material);
}
