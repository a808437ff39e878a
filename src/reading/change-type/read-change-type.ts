import { type ChangeType, changeTypes } from '../../domain/change-types.ts';
import type { PullRequestText } from '../facts.ts';
import { changeTypeChances, leastChance } from './change-type-chances.ts';
import { hidePrefixes, prefixType, typeOfCommits } from './conventional-prefix.ts';
import { labelType } from './label-type.ts';
import type { KindedFile } from './shape-features.ts';
import { speaksOfSpeed } from './speaks-of-speed.ts';
import { typeOfFiles } from './type-of-files.ts';
import { typeOfWords } from './type-of-words.ts';

/**
 * Says what kind of change a pull request is, or null where that is not sure. What its author has said stands even if
 * the diff looks different: a diff shows the means, only the author knows the purpose. Then comes what its host calls it,
 * then what its files or the first words of its title leave no doubt about. Everything else is judged by its words and
 * its shape, where that is enough.
 */
export function readChangeType(text: PullRequestText, files: KindedFile[]): ChangeType | null {
  return (
    calledType(text) ??
    typeOfFiles(text.title, files) ??
    typeOfWords(text.title, files) ??
    judgeChangeType(hidePrefixes(text), files)
  );
}

/** What its author calls it, and then its host. */
const calledType = ({ title, commitMessages, labels }: Omit<PullRequestText, 'body'>): ChangeType | null =>
  prefixType(title) ?? typeOfCommits(commitMessages) ?? labelType(labels);

/** The same of a change of which no line has been read: what its words leave no doubt about. */
export const changeTypeByWords = (text: Omit<PullRequestText, 'body'>): ChangeType | null =>
  calledType(text) ?? typeOfWords(text.title, []);

/** What most speaks for, where that is enough. Nothing was done for speed where no word of time or memory is said. */
function judgeChangeType(text: PullRequestText, files: KindedFile[]): ChangeType | null {
  const chances = changeTypeChances(text, files);
  const most = Math.max(...chances);
  const type = changeTypes[chances.indexOf(most)] ?? null;
  if (most < leastChance || (type === 'PERF' && !speaksOfSpeed(text, files))) return null;
  return type;
}
