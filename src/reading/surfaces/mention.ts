import type { SurfaceChange } from '../facts.ts';
import type { SideLine } from '../hunk-sides.ts';

/** Something that people set or call, as one line shows it. */
export interface SurfaceMention {
  kind: SurfaceChange['kind'];
  name: string;
  /** What is said about it; two of the same name with different texts mean that it changed. */
  text: string;
  line: SideLine;
}
