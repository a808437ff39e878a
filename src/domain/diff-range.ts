/** The commits between which a diff lies. What was stored before bases were kept has an empty one. */
export interface DiffRange {
  baseSha: string;
  headSha: string;
}

/** Whether two diffs are the same. One whose base is not known is like no other. */
export function isSameDiff(one: DiffRange, other: DiffRange): boolean {
  return one.baseSha !== '' && one.baseSha === other.baseSha && one.headSha === other.headSha;
}
