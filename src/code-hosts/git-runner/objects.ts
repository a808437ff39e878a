import type { Clone } from './clone.ts';
import { type Asked, NoAnswer } from './kept-gits.ts';
import { askGit, type GitRunner, UnreadableClone } from './run-git.ts';

export interface GitObject {
  id: string;
  kind: string;
  size: number;
}

/** Asks for objects by their names, through a git that reads them for all who ask. */
export function askObjects<Piece>(
  git: GitRunner,
  clone: Clone,
  answer: (asked: Asked) => AsyncGenerator<Piece, void>,
): AsyncGenerator<Piece, void> {
  return askGit(git, clone, ['cat-file', '--batch-command'], { answer });
}

/** What stands at these names, which must not have line breaks; null where there is nothing. */
export async function describeObjects(asked: Asked, names: string[]): Promise<(GitObject | null)[]> {
  asked.write(names.map((name) => `info ${name}\n`).join(''));
  const found: (GitObject | null)[] = [];
  for (const _ of names) {
    const [, id, kind, digits] = /^([0-9a-f]{40,64}) (\w+) (\d+)$/.exec(await takeLine(asked)) ?? [];
    found.push(id && kind ? { id, kind, size: Number(digits) } : null);
  }
  return found;
}

export async function takeLine({ reader }: Asked): Promise<string> {
  const line = await reader.takeLine();
  if (line === null) throw new NoAnswer('git ended within an answer');
  return line;
}

/** The trees of commits. */
export async function treesOf(git: GitRunner, clone: Clone, commits: string[]): Promise<string[]> {
  const trees: string[] = [];
  const names = commits.map((sha) => `${sha}^{tree}`);
  for await (const { id } of askObjects(git, clone, async function* (asked) {
    for (const found of await describeObjects(asked, names)) if (found?.kind === 'tree') yield found;
  }))
    trees.push(id);
  if (trees.length < commits.length) throw new UnreadableClone(clone, new Error('A commit has no tree.'));
  return trees;
}
