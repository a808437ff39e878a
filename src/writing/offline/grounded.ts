import type { Evidence } from '../../reading/facts.ts';
import type { Statement } from './outline.ts';

/** A statement and where it can be seen. */
export interface Grounded {
  statement: Statement;
  evidence: Evidence[];
}

/** More names in a row than this are not read. */
export const namesPerList = 5;
