import type { Sighting } from './read-hunk.ts';

/** What happened to one declaration in a file. */
export interface Happening {
  change: 'added' | 'removed' | 'renamed' | 'moved' | 'wrapped' | 'signatureChanged' | 'bodyChanged';
  before: Sighting | null;
  after: Sighting | null;
  /** Where it is seen best. */
  at: Sighting;
  /** Whether something that moved or was renamed is in other ways not as it was. */
  isEdited?: boolean;
  wrapper?: string;
}

/** Sightings of the same name in the same place, by what they are called there. */
export type Groups = Map<string, [Sighting, ...Sighting[]]>;
