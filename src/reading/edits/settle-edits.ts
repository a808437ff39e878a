import type { Edit, FileFacts } from '../facts.ts';

const directions: Partial<Record<Edit['kind'], string>> = {
  callAdded: 'call +',
  callRemoved: 'call -',
  conditionAdded: 'condition +',
  conditionRemoved: 'condition -',
};

/** Takes out what is called or asked no longer in one file and newly in another: it went from here to there. */
export function settleEdits(files: FileFacts[]): void {
  const seen = new Set<string>();
  const keyOf = ({ kind, text }: Edit): string | null => {
    const direction = directions[kind];
    // Signs differ with where something is called from, as `this.` and `\\` do.
    return direction === undefined ? null : `${direction}${text.match(/\w+/g)?.join(' ') ?? text}`;
  };
  for (const edit of files.flatMap(({ edits }) => edits)) {
    const key = keyOf(edit);
    if (key !== null) seen.add(key);
  }
  const opposite = (key: string): string => key.replace(/ [+-]/, (sign) => (sign === ' +' ? ' -' : ' +'));
  for (const file of files) {
    file.edits = file.edits.filter((edit) => {
      const key = keyOf(edit);
      return key === null || !seen.has(opposite(key));
    });
  }
}
