import type { StatedFact } from '../../draft.ts';
import type { OfflineLanguage } from '../../languages.ts';
import type { Caption, Captions, Row, Rows } from './caption.ts';
import { companyCaptions } from './company-captions.ts';
import { declarationCaptions } from './declaration-captions.ts';
import { fileCaptions } from './file-captions.ts';
import { statementCaptions } from './statement-captions.ts';

const captions: Rows<Captions> = {
  ...declarationCaptions,
  ...statementCaptions,
  ...companyCaptions,
  ...fileCaptions,
};

const rowOf = ({ kind }: Caption): Row<Caption> => captions[kind] as Row<Caption>;

/** Says a caption in a language. */
export const say = (language: OfflineLanguage, caption: Caption): string => rowOf(caption)[language](caption);

export const proofOf = (caption: Caption): StatedFact[] => rowOf(caption).proof(caption);

export const weightOf = (caption: Caption): number => rowOf(caption).weight;
