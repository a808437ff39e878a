import type { Draft, Sentence } from './draft.ts';

/** All sentences of a draft in their order, the title first. */
export function numberSentences(draft: Draft): Sentence[] {
  const { title, standfirst, background, mainChanges, notablePoints, also } = draft;
  return [
    title,
    ...(standfirst ? [standfirst] : []),
    ...background,
    ...mainChanges.flatMap(({ sentences }) => sentences),
    ...notablePoints.flatMap(({ sentences }) => sentences),
    ...also.map(({ sentence }) => sentence),
  ];
}

/** The same draft with other sentences in the same places; where there is null, one is left out. */
export function replaceSentences(draft: Draft, sentences: (Sentence | null)[]): Draft {
  let next = 0;
  const take = (old: Sentence[]): Sentence[] => {
    const taken = sentences.slice(next, next + old.length);
    next += old.length;
    return taken.filter((sentence) => sentence !== null);
  };
  return {
    ...draft,
    title: take([draft.title])[0] ?? { ...draft.title, text: '' },
    standfirst: take(draft.standfirst ? [draft.standfirst] : [])[0] ?? null,
    background: take(draft.background),
    mainChanges: draft.mainChanges.map((change) => ({ ...change, sentences: take(change.sentences) })),
    notablePoints: draft.notablePoints.map((point) => ({ ...point, sentences: take(point.sentences) })),
    also: draft.also.flatMap((row) => take([row.sentence]).map((sentence) => ({ ...row, sentence }))),
  };
}
