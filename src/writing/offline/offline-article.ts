import type { FileDiff } from '../../reading/file-diff.ts';
import { offlineLanguages } from '../languages.ts';
import { createVerifier } from '../verify.ts';
import type { Coverage, Verification, WrittenArticle } from '../written-article.ts';
import type { ArticleSource } from './article-source.ts';
import { checkOutline } from './check-outline.ts';
import type { Outline } from './outline.ts';
import { outlineArticle } from './outline-article.ts';
import { findStatedWords } from './stated-words.ts';
import { writeOffline } from './write-offline.ts';

/** An article that has been thought out and checked, but not yet put into words. */
export interface CheckedOutline {
  outline: Outline;
  verification: Verification;
  coverage: Coverage;
}

/** Decides what there is to say and proves it, once for all languages. */
export function outlineAndCheck(source: ArticleSource, diff: FileDiff[], coverage: Coverage): CheckedOutline {
  const verify = createVerifier({ diff, words: findStatedWords(source) });
  const planned = outlineArticle(source);
  return { ...checkOutline(planned, source.facts.files, verify, offlineLanguages), coverage };
}

/** Puts what was decided into the words of a language. */
export function putIntoWords(
  { outline, verification, coverage }: CheckedOutline,
  languageCode: string,
): WrittenArticle {
  const { title, background, mainChanges, notablePoints } = writeOffline(outline, languageCode);
  return {
    title,
    backgroundAndPurpose: background.filter((sentence) => sentence !== '').join('\n\n'),
    mainChanges,
    notablePoints,
    writer: { kind: 'offline' },
    coverage,
    verification,
  };
}
