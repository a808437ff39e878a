/** What a file is for. */
export const fileKinds = [
  'source',
  'test',
  'documentation',
  'build',
  'configuration',
  'manifest',
  'lock',
  'generated',
  'vendored',
  'binary',
] as const;

export type FileKind = (typeof fileKinds)[number];

/** What happened to a file. Git's letters for these are A, D, M, R, C and T. */
export const fileStatuses = ['added', 'removed', 'modified', 'renamed', 'copied', 'typeChanged'] as const;

export type FileStatus = (typeof fileStatuses)[number];
