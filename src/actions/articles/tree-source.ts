import type { Tree, TreeSide } from '../../code-hosts/code-host.ts';
import { type TreeSource as Searched, TreeGone } from '../../writing/ai/looks/looker.ts';

type Of<Answer extends keyof Tree> = Promise<Awaited<ReturnType<Tree[Answer]>> | null>;

/** The files around a change, for a thread; each call returns null if there are none. */
export interface TreeSource {
  changedPaths: () => Of<'changedPaths'>;
  findInTree: (side: TreeSide, texts: string[]) => Of<'find'>;
  readFromTree: (side: TreeSide, paths: string[]) => Of<'read'>;
  readReleased: (paths: string[]) => Of<'readReleased'>;
}

export const withoutTree: TreeSource = {
  changedPaths: async () => null,
  findInTree: async () => null,
  readFromTree: async () => null,
  readReleased: async () => null,
};

/** The files around a change as a thread reads them. */
export const treeThrough = ({
  changedPaths,
  findInTree,
  readFromTree,
  readReleased,
}: TreeSource): Searched => ({
  changedPaths: () => orGone(changedPaths()),
  find: (side, texts) => orGone(findInTree(side, texts)),
  read: (side, paths) => orGone(readFromTree(side, paths)),
  readReleased: (paths) => orGone(readReleased(paths)),
});

async function orGone<Found>(found: Promise<Found | null>): Promise<Found> {
  const value = await found;
  if (value === null) throw new TreeGone();
  return value;
}
