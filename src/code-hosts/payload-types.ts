import { Type } from '../contract/type.ts';

/** What hosts number their things with. */
export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

/** As many of anything as can be stored; a host that says more is mistaken. */
export const largestCount = 2 ** 31 - 1;
export const Count = Type.Integer({ minimum: 0, maximum: largestCount });

/**
 * Hosts report times that are absurd, and that not every database can store: what lies outside of these becomes one of them,
 * or none.
 */
export const earliestTime = 0;
export const latestTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const clock = '(?:[01]\\d|2[0-3]):[0-5]\\d';

/** A moment as hosts write it. */
export const Time = Type.String({
  pattern: `^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T${clock}:[0-5]\\d(?:\\.\\d+)?(?:Z|[+-]${clock})$`,
});

/** An imported pull request or comment may be of the year 0: it is told as the earliest, and spoils nothing beside it. */
export const timeOf = (text: string): Date =>
  new Date(Math.min(Math.max(Date.parse(text), earliestTime), latestTime));

/** What hosts show for an author who has deleted their account since. */
export const ghost = 'ghost';

/** GitHub's limit for one comment, which does for others too; messages of commits may be any length. */
const mostOfOne = 65_536;

/** What is kept of one text. */
export const cutText = (text: string): string =>
  text.length > mostOfOne ? text.slice(0, mostOfOne).toWellFormed() : text;
