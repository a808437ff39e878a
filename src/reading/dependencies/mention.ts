import type { DependencyChange } from '../facts.ts';
import type { SideLine } from '../hunk-sides.ts';
import type { PathParts } from '../path-parts.ts';

export type Scope = DependencyChange['scope'];

/** A dependency as one line of a manifest names it. */
export interface Mention {
  name: string;
  version: string | null;
  /** Null where the diff does not show the section. */
  scope: Scope | null;
  line: SideLine;
  /** Whether it is there only because another dependency needs it. */
  isIndirect?: boolean;
}

/** Reads one side of one hunk, context included: whatever is visible says where the changed lines are. */
export type DependencyReader = (lines: SideLine[], parts: PathParts) => Mention[];
