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

/** The tree is opened when a writer first wants to look. If that fails, the text is written without looking. */
export function treeSource(open: () => Promise<Tree | null>): {
  source: TreeSource;
  close: () => Promise<void>;
} {
  let opened: Promise<Tree | null> | null = null;
  const look = async <Found>(at: (tree: Tree) => Promise<Found>): Promise<Found | null> => {
    opened ??= open();
    const tree = await opened.catch(() => null);
    return tree && at(tree).catch(() => null);
  };
  return {
    source: {
      changedPaths: () => look((tree) => tree.changedPaths()),
      findInTree: (side, texts) => look((tree) => tree.find(side, texts)),
      readFromTree: (side, paths) => look((tree) => tree.read(side, paths)),
      readReleased: (paths) => look((tree) => tree.readReleased(paths)),
    },
    close: async () => (await opened?.catch(() => null))?.close(),
  };
}

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
