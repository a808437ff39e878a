/** Something of a file that has a name, from its first line to its last, counted from 1. */
export interface NamedLines {
  /** With what it belongs to, as `Class.method` or `group › test`. */
  name: string;
  startLine: number;
  endLine: number;
}
