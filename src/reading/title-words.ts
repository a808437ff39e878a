/** Words of titles that stand in every other one and say nothing about where the heart of a change is. */
const empty = new Set(
  'add adds added adding allow allows also and are avoid bump bumps but change changes changed cleanup code docs drop drops enable ensure feat feature file files fix fixes fixed for from handle have implement improve improves into issue make makes merge minor more move moves moved new not only pull refactor remove removes removed rename renames replace replaces request revert set some support supports test tests that the this typo update updates upgrade upgrades use uses using version when with without'.split(
    ' ',
  ),
);

/** The words of a title that may name what a change is about, in lower case and without endings. */
export function titleWords(title: string, most = 12): string[] {
  const words = title
    .replace(/^\s*\w+(?:\([^)]*\))?!?:\s+/, '')
    .replace(/([a-z\d])([A-Z])/g, '$1 $2')
    .toLowerCase()
    .match(/[\p{L}\d]{3,}/gu);
  const telling = (words ?? []).filter((word) => !empty.has(word) && !/^\d+$/.test(word));
  return [
    ...new Set(telling.map((word) => (word.length > 4 ? word.replace(/(?:ing|ed|es|s)$/, '') : word))),
  ].slice(0, most);
}
