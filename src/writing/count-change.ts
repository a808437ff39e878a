import { fileKinds } from '../domain/article.ts';
import type { FileFacts } from '../reading/facts.ts';
import type { Counts } from './written-article.ts';

/** How large a change is, and what kinds of files it is about, in the order of kinds. */
export function countChange(files: FileFacts[], commits: number): Counts {
  const sum = (of: (file: FileFacts) => number): number => files.reduce((total, file) => total + of(file), 0);
  const parts = fileKinds.map((kind) => ({ kind, files: sum((file) => (file.kind === kind ? 1 : 0)) }));
  return {
    files: files.length,
    additions: sum(({ additions }) => additions),
    deletions: sum(({ deletions }) => deletions),
    commits,
    parts: parts.filter((part) => part.files > 0),
  };
}
