import {
  type HierarchyRectangularNode,
  hierarchy,
  treemap,
  treemapDice,
  treemapSquarify,
} from 'd3-hierarchy';
import type { ChangedFile } from '../../contract/pull-request.ts';
import { type MapKind, mapKindOf } from './map-kinds.ts';

/** A file on the map. */
export interface MapBlock {
  x: number;
  y: number;
  width: number;
  height: number;
  kind: MapKind;
  file: ChangedFile;
}

export interface MapSize {
  width: number;
  height: number;
  /** Between two blocks. */
  gap: number;
  /** Whether all blocks stand side by side. */
  isRow?: boolean;
}

interface MapNode {
  name: string;
  children: MapNode[];
  file?: ChangedFile;
  /** The area, in changed lines. */
  lines: number;
}

const changedLines = ({ additions, deletions }: ChangedFile): number => additions + deletions;

/** A map of a change: each file has an area as large as what changed in it, beside the others of its folder. */
export function layOutMap(files: ChangedFile[], { width, height, gap, isRow = false }: MapSize): MapBlock[] {
  const root = plant(files);
  if (root.children.length === 0) return [];
  const summed = hierarchy(root)
    .sum(({ lines }) => lines)
    .sort((one, other) => (other.value ?? 0) - (one.value ?? 0));
  const laidOut = treemap<MapNode>()
    .tile(isRow ? treemapDice : treemapSquarify)
    .size([width, height])
    .paddingInner(gap)
    .round(true)(summed);
  return laidOut
    .leaves()
    .flatMap(blockOf)
    .filter((block) => block.width > 0 && block.height > 0);
}

function blockOf({ x0, y0, x1, y1, data: { file } }: HierarchyRectangularNode<MapNode>): MapBlock[] {
  if (!file) return [];
  return [{ x: x0, y: y0, width: x1 - x0, height: y1 - y0, kind: mapKindOf(file.kind), file }];
}

/** The folders of a change as a tree, its files in them. */
function plant(files: ChangedFile[]): MapNode {
  const root: MapNode = { name: '', children: [], lines: 0 };
  const told = files.filter((file) => changedLines(file) > 0);
  // Where no line changed, such as in renames alone, every file counts alike.
  const counted = told.length > 0 ? told : files;
  const sorted = counted.toSorted((one, other) => changedLines(other) - changedLines(one));
  for (const file of sorted) plantFile(root, file);
  return root;
}

function plantFile(root: MapNode, file: ChangedFile): void {
  let node = root;
  for (const name of file.fileName.split('/').slice(0, -1)) {
    let folder = node.children.find((child) => !child.file && child.name === name);
    if (!folder) {
      folder = { name, children: [], lines: 0 };
      node.children.push(folder);
    }
    node = folder;
  }
  node.children.push({ name: '', children: [], file, lines: Math.max(1, changedLines(file)) });
}
