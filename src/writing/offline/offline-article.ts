import type { FileDiff } from '../../reading/file-diff.ts';
import type { Draft, Sentence } from '../draft.ts';
import { isOfflineLanguage, type OfflineLanguage, offlineLanguages } from '../languages.ts';
import { createVerifier } from '../verify.ts';
import type { Coverage, Verification, WrittenArticle } from '../written-article.ts';
import type { ArticleSource } from './article-source.ts';
import { draftOffline } from './draft-offline.ts';
import { findStatedWords } from './stated-words.ts';

/** An article that has been thought out and checked, in the words of every language. */
export interface CheckedDrafts {
  drafts: Record<OfflineLanguage, Draft>;
  verification: Verification;
  coverage: Coverage;
}

/** Decides what there is to say and proves it, once for all languages: what fails in one is said in none. */
export function draftAndCheck(source: ArticleSource, diff: FileDiff[], coverage: Coverage): CheckedDrafts {
  const verify = createVerifier({ diff, words: findStatedWords(source) });
  const drafts = draftOffline(source);
  const verification: Verification = { claims: 0, verified: 0, repaired: 0, dropped: 0 };
  const holds = (sentences: Sentence[], fileName: string | null): boolean => {
    const [first] = sentences;
    if (!first || first.basis === 'judgement') return true;
    verification.claims += 1;
    const texts = sentences.map(({ text }) => text);
    const isProven = verify({ texts, fileName, evidence: first.evidence }) !== null;
    verification[isProven ? 'verified' : 'dropped'] += 1;
    return isProven;
  };
  const inEach = (pick: (draft: Draft) => Sentence | undefined): Sentence[] =>
    offlineLanguages.flatMap((language) => pick(drafts[language]) ?? []);

  const isTitled = holds(
    inEach(({ title }) => title),
    null,
  );
  const kept = (
    sentences: Sentence[],
    at: (draft: Draft) => Sentence[],
    fileName: string | null,
  ): number[] => {
    let isLastProven = false;
    return sentences.flatMap((sentence, index) => {
      const isProven =
        sentence.basis === 'judgement'
          ? isLastProven
          : holds(
              inEach((draft) => at(draft)[index]),
              fileName,
            );
      isLastProven = isProven;
      return isProven ? [index] : [];
    });
  };
  const [first] = offlineLanguages.map((language) => drafts[language]);
  if (!first) throw new Error('There is a language.');
  const background = kept(first.background, (draft) => draft.background, null);
  const changes = first.mainChanges.map(({ sentences, fileName }, index) =>
    kept(sentences, (draft) => draft.mainChanges[index]?.sentences ?? [], fileName),
  );
  const points = first.notablePoints.map(({ sentences }, index) =>
    kept(sentences, (draft) => draft.notablePoints[index]?.sentences ?? [], null),
  );
  const checked = offlineLanguages.map((language) => {
    const draft = drafts[language];
    const pick = (sentences: Sentence[], indexes: number[]) =>
      indexes.flatMap((index) => sentences[index] ?? []);
    return [
      language,
      {
        ...draft,
        title: isTitled ? draft.title : { ...draft.title, text: draft.ownTitle },
        background: pick(draft.background, background),
        mainChanges: draft.mainChanges.flatMap((change, index) => {
          const sentences = pick(change.sentences, changes[index] ?? []);
          if (sentences.length > 0) return [{ ...change, sentences }];
          return change.fallback ? [{ ...change, sentences: [change.fallback] }] : [];
        }),
        notablePoints: draft.notablePoints.flatMap((point, index) => {
          const sentences = pick(point.sentences, points[index] ?? []);
          return sentences.length > 0 ? [{ ...point, sentences }] : [];
        }),
      },
    ] as const;
  });
  return { drafts: Object.fromEntries(checked) as Record<OfflineLanguage, Draft>, verification, coverage };
}

/** The article in one language. */
export function articleIn(
  { drafts, verification, coverage }: CheckedDrafts,
  languageCode: string,
): WrittenArticle {
  const language = isOfflineLanguage(languageCode) ? languageCode : 'en';
  const { title, background, mainChanges, notablePoints } = drafts[language];
  const join = (sentences: Sentence[]) =>
    sentences.map(({ text }) => text).join(language === 'ja' ? '' : ' ');
  const evidenceOf = (sentences: Sentence[]) => sentences.flatMap(({ evidence }) => evidence);
  return {
    title: title.text,
    backgroundAndPurpose: background
      .map(({ text }) => text)
      .filter((text) => text !== '')
      .join('\n\n'),
    mainChanges: mainChanges.map(({ sentences, fallback: _, ...change }) => ({
      ...change,
      description: join(sentences),
      evidence: evidenceOf(sentences),
    })),
    notablePoints: notablePoints.map(({ sentences, ...point }) => ({
      ...point,
      point: join(sentences),
      evidence: evidenceOf(sentences),
    })),
    writer: { kind: 'offline' },
    coverage,
    verification,
  };
}
