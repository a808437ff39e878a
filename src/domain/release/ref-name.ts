/** Longer names of tags do not occur, and file systems take none. */
export const refMaxLength = 250;

/**
 * What a tag, a branch or a commit can be called, as git has it: nothing that could be taken for an option, for a range, or for a
 * way from one commit to another.
 */
const shape = /^(?![-/.])[^\s\p{Cc}\p{Bidi_Control}~^:?*[\\]+(?<![/.])$/u;
const misshapen = /\.\.|@\{|\/\/|\/\.|\.lock(?:\/|$)|^@$/;

export const isRefName = (text: string): boolean =>
  text.length <= refMaxLength && shape.test(text) && !misshapen.test(text);

/** A commit by its id, or by the beginning of it. */
export const looksLikeSha = (text: string): boolean => /^[0-9a-f]{7,40}$/i.test(text);

/** What keeps two names from being the ends of a range; nothing where they can be. */
export function faultsOf(range: { from: string; to: string }): {
  field: 'from' | 'to';
  is: 'unfit' | 'same';
}[] {
  const unfit = (['from', 'to'] as const).filter((field) => !isRefName(range[field]));
  if (unfit.length === 0 && range.from === range.to) return [{ field: 'to', is: 'same' }];
  return unfit.map((field) => ({ field, is: 'unfit' }));
}

/** From where to where; null for what names no two refs. Both ways to write a range mean the same here. */
export function parseRange(text: string): { from: string; to: string } | null {
  const [, from = '', to = ''] = /^(\S+?)\.{2,3}([^\s.]\S*)$/.exec(text) ?? [];
  return isRefName(from) && isRefName(to) ? { from, to } : null;
}

const mostSuggested = 5;

/** Those of the known names that are most like one that is not: that have it in them, or begin as it does. */
export function suggestRefs(missing: string, known: readonly string[]): string[] {
  const wanted = missing.toLowerCase();
  const likeness = (name: string): number => {
    const candidate = name.toLowerCase();
    let same = 0;
    while (same < candidate.length && candidate[same] === wanted[same]) same += 1;
    return candidate.includes(wanted) ? refMaxLength + same : same;
  };
  const ranked = known.map((name, place) => ({ name, place, likeness: likeness(name) }));
  const isLike = ranked.some((one) => one.likeness > 1);
  return ranked
    .filter((one) => !isLike || one.likeness > 1)
    .sort((one, other) => other.likeness - one.likeness || one.place - other.place)
    .slice(0, mostSuggested)
    .map(({ name }) => name);
}
