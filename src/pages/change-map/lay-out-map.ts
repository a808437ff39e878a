import {
  type HierarchyRectangularNode,
  hierarchy,
  treemap,
  treemapDice,
  treemapSquarify,
} from 'd3-hierarchy';
import type { ChangedFile } from '../../contract/pull-request.ts';
import { type MapKind, mapKindOf } from './map-kinds.ts';

/** A file on the map, or all of those that have no place of their own. */
export interface MapBlock {
  x: number;
  y: number;
  width: number;
  height: number;
  kind: MapKind;
  file: ChangedFile | null;
  /** How many files it stands for. */
  files: number;
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
  files: number;
}

/** A reader does not tell more blocks apart; the rest become one. */
const mostFiles = 200;

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
    .map(blockOf)
    .filter((block) => block.width > 0 && block.height > 0);
}

function blockOf({ x0, y0, x1, y1, data }: HierarchyRectangularNode<MapNode>): MapBlock {
  const { file, files } = data;
  const kind = file ? mapKindOf(file.kind) : 'other';
  return { x: x0, y: y0, width: x1 - x0, height: y1 - y0, kind, file: file ?? null, files };
}

/** The folders of a change as a tree, its largest files in them. */
function plant(files: ChangedFile[]): MapNode {
  const root: MapNode = { name: '', children: [], lines: 0, files: 0 };
  const told = files.filter((file) => changedLines(file) > 0);
  // Where no line changed, such as in renames alone, every file counts alike.
  const counted = told.length > 0 ? told : files;
  const sorted = counted.toSorted((one, other) => changedLines(other) - changedLines(one));
  for (const file of sorted.slice(0, mostFiles)) plantFile(root, file);
  const rest = sorted.slice(mostFiles);
  if (rest.length > 0) {
    const lines = rest.reduce((sum, file) => sum + changedLines(file), 0);
    root.children.push({ name: '', children: [], lines: Math.max(1, lines), files: rest.length });
  }
  return root;
}

function plantFile(root: MapNode, file: ChangedFile): void {
  let node = root;
  for (const name of file.fileName.split('/').slice(0, -1)) {
    let folder = node.children.find((child) => !child.file && child.name === name);
    if (!folder) {
      folder = { name, children: [], lines: 0, files: 0 };
      node.children.push(folder);
    }
    node = folder;
  }
  node.children.push({ name: '', children: [], file, lines: Math.max(1, changedLines(file)), files: 1 });
}
