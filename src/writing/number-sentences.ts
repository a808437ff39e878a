import type { Draft, Sentence } from './draft.ts';

/** All sentences of a draft, those first that sum up: the title, the standfirst, the headings. */
export function numberSentences(draft: Draft): Sentence[] {
  const { title, standfirst, scope, background, mainChanges, notablePoints, tests, also } = draft;
  return [
    title,
    ...(standfirst ? [standfirst] : []),
    ...mainChanges.flatMap(({ heading }) => heading ?? []),
    ...(scope ? [scope.sentence] : []),
    ...background,
    ...mainChanges.flatMap(({ sentences }) => sentences),
    ...notablePoints.flatMap(({ sentences }) => sentences),
    ...(tests?.sentences ?? []),
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
  const takeScope = (scope: Draft['scope']): Draft['scope'] => {
    const [sentence] = take(scope ? [scope.sentence] : []);
    return scope && sentence ? { ...scope, sentence } : null;
  };
  const title = take([draft.title])[0] ?? { ...draft.title, text: '' };
  const standfirst = take(draft.standfirst ? [draft.standfirst] : [])[0] ?? null;
  const headings = draft.mainChanges.map(({ heading }) => take(heading ? [heading] : [])[0] ?? null);
  return {
    ...draft,
    title,
    standfirst,
    scope: takeScope(draft.scope),
    background: take(draft.background),
    mainChanges: draft.mainChanges.map((change, index) => ({
      ...change,
      heading: headings[index] ?? null,
      sentences: take(change.sentences),
    })),
    notablePoints: draft.notablePoints.map((point) => ({ ...point, sentences: take(point.sentences) })),
    tests: draft.tests && { ...draft.tests, sentences: take(draft.tests.sentences) },
    also: draft.also.flatMap((row) => take([row.sentence]).map((sentence) => ({ ...row, sentence }))),
  };
}
