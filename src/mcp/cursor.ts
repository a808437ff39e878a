import { Type } from '../contract/type.ts';
import { Failure } from '../domain/errors.ts';

/** How far an answer got. What is written anew meanwhile cannot be gone on with. */
interface Place {
  offset: number;
  /** Which version of one thing was read; none of a list. */
  revision?: number;
}

export const Cursor = Type.String({
  pattern: '^[0-9]{1,9}(?:-[0-9]{1,9})?$',
  maxLength: 19,
  description: 'nextCursor of the answer before.',
});

export const cursorAt = ({ offset, revision }: Place): string =>
  revision === undefined ? String(offset) : `${offset}-${revision}`;

/** Where to go on: at the beginning, unless a cursor says otherwise. */
export const offsetOf = (cursor: string | undefined): number => Number(cursor?.split('-')[0] ?? 0);

/** The same within one thing, as long as it is the same. */
export function offsetWithin(cursor: string | undefined, revision: number): number {
  const known = cursor?.split('-')[1];
  if (cursor === undefined || Number(known) === revision) return offsetOf(cursor);
  throw new Failure(
    'INVALID_REQUEST',
    'The article was written anew since, or this is no cursor of it. Ask again without the cursor.',
    { details: [{ field: 'cursor', problem: 'is of something else' }] },
  );
}
