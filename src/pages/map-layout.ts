import { hierarchy, treemap, treemapDice, treemapSquarify } from 'd3-hierarchy';
import type { ChangedFile } from '../contract/pull-requests.ts';
import type { FileKind } from '../domain/articles.ts';

export const mapColors = {
  source: '#44688b',
  test: '#47704f',
  documentation: '#8a6420',
  build: '#7d4f86',
  configuration: '#2c7276',
  manifest: '#99503c',
  other: '#6b6c70',
} as const;

export type MapKind = keyof typeof mapColors;

export const mapKindOf = (kind: FileKind): MapKind => (kind in mapColors ? (kind as MapKind) : 'other');

export interface MapSize {
  width: number;
  height: number;
  gap: number;
  isRow?: boolean;
}

interface Block {
  x: number;
  y: number;
  width: number;
  height: number;
}

interface Node<Item> {
  name: string;
  children: Node<Item>[];
  item?: Item;
  lines: number;
}

type Lines = Pick<ChangedFile, 'additions' | 'deletions'>;

const linesOf = ({ additions, deletions }: Lines): number => additions + deletions;

function layOut<Item>(root: Node<Item>, { width, height, gap, isRow = false }: MapSize) {
  const summed = hierarchy(root)
    .sum(({ lines }) => lines)
    .sort((one, other) => (other.value ?? 0) - (one.value ?? 0));
  const laidOut = treemap<Node<Item>>()
    .tile(isRow ? treemapDice : treemapSquarify)
    .size([width, height])
    .paddingInner(gap)
    .round(true)(summed);
  return laidOut.leaves().flatMap(({ x0, y0, x1, y1, data: { item } }) => {
    const block: Block = { x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
    return item && block.width > 0 && block.height > 0 ? [{ ...block, item }] : [];
  });
}

export interface MapBlock extends Block {
  kind: MapKind;
  file: ChangedFile;
}

export function layOutMap(files: ChangedFile[], size: MapSize): MapBlock[] {
  const root: Node<ChangedFile> = { name: '', children: [], lines: 0 };
  const changed = files.filter((file) => linesOf(file) > 0);
  // If no line changed, as in renames, every file counts the same.
  const counted = changed.length > 0 ? changed : files;
  for (const file of counted.toSorted((one, other) => linesOf(other) - linesOf(one))) plant(root, file);
  return layOut(root, size).map(({ item: file, ...block }) => ({
    ...block,
    kind: mapKindOf(file.kind),
    file,
  }));
}

function plant(root: Node<ChangedFile>, file: ChangedFile): void {
  let node = root;
  for (const name of file.fileName.split('/').slice(0, -1)) {
    let folder = node.children.find((child) => !child.item && child.name === name);
    if (!folder) {
      folder = { name, children: [], lines: 0 };
      node.children.push(folder);
    }
    node = folder;
  }
  node.children.push({ name: '', children: [], item: file, lines: Math.max(1, linesOf(file)) });
}

interface Folder extends Lines {
  path: string;
  files: ChangedFile[];
}

/** Readers cannot distinguish more blocks. */
const mostFolders = 40;

const fewestParts = 4;

const folderOf = (path: string, files: ChangedFile[]): Folder => ({
  path,
  files,
  additions: files.reduce((sum, file) => sum + file.additions, 0),
  deletions: files.reduce((sum, file) => sum + file.deletions, 0),
});

const largestFirst = (one: Folder, other: Folder): number =>
  linesOf(other) - linesOf(one) || other.files.length - one.files.length;

/**
 * The folders of a change, largest first. The largest is divided as long as there is room for all of its parts; then
 * the largest of the others into as many parts as fit, and one for the rest.
 */
export function foldersOf(files: ChangedFile[]): Folder[] {
  const whole: Folder[] = [];
  let open = [folderOf('', files)].map(withParts);
  while (open.length > 0) {
    open.sort((one, other) => largestFirst(one.folder, other.folder));
    const room = mostFolders - whole.length - open.length + 1;
    const chosen = open.find(({ parts }) => parts.length <= room) ?? open[0];
    if (!chosen) break;
    const { folder, parts } = chosen;
    open = open.filter((one) => one !== chosen);
    const isSplit = parts.length > 0 && (parts.length <= room || room >= fewestParts);
    if (!isSplit) whole.push(folder);
    const kept = isSplit ? parts.slice(0, parts.length <= room ? room : room - 1) : [];
    open.push(...kept.map(withParts));
    const rest = isSplit ? parts.slice(kept.length).flatMap((part) => part.files) : [];
    if (rest.length > 0) whole.push(folderOf(folder.path === '' ? '…' : `${folder.path}/…`, rest));
  }
  return whole.sort(largestFirst);
}

function withParts(folder: Folder): { folder: Folder; parts: Folder[] } {
  const { path, files } = folder;
  const start = path === '' ? 0 : path.length + 1;
  const groups = Map.groupBy(files, ({ fileName }) => {
    const end = fileName.indexOf('/', start);
    return end < 0 ? path : fileName.slice(0, end);
  });
  if (groups.size === 1 && groups.has(path)) return { folder, parts: [] };
  return { folder, parts: [...groups].map(([name, own]) => folderOf(name, own)).sort(largestFirst) };
}

interface FolderBlock extends Block {
  folder: Folder;
  bands: { kind: MapKind; y: number; height: number }[];
}

export function layOutFolders(folders: Folder[], { width, height, gap }: MapSize): FolderBlock[] {
  const children = folders.map((item) => ({
    name: item.path,
    children: [],
    item,
    lines: Math.max(1, linesOf(item)),
  }));
  return layOut<Folder>({ name: '', children, lines: 0 }, { width, height, gap }).map(
    ({ item: folder, ...block }) => ({ ...block, folder, bands: bandsOf(folder, block) }),
  );
}

const bandsOf = ({ files }: Folder, { y, height }: Block): FolderBlock['bands'] =>
  sharesOfKinds(files, height).map(({ kind, from, size }) => ({ kind, y: y + from, height: size }));

/** A row with a block for each kind of file, as long as its share of the changed lines. */
export const stripOfKinds = (files: ChangedFile[], { width, height, gap }: MapSize) =>
  sharesOfKinds(files, width).map(({ kind, from, size }) => ({
    ...{ kind, x: from, y: 0, height },
    width: Math.max(1, size - gap),
  }));

function sharesOfKinds(files: ChangedFile[], whole: number): { kind: MapKind; from: number; size: number }[] {
  const kinds = Map.groupBy(files, ({ kind }) => mapKindOf(kind));
  const sizes = [...kinds]
    .map(([kind, own]) => ({ kind, lines: own.reduce((sum, file) => sum + 1 + linesOf(file), 0) }))
    .sort((one, other) => other.lines - one.lines);
  const all = sizes.reduce((sum, { lines }) => sum + lines, 0);
  let sum = 0;
  return sizes.flatMap(({ kind, lines }) => {
    const from = Math.round((whole * sum) / all);
    sum += lines;
    const size = Math.round((whole * sum) / all) - from;
    return size > 0 ? [{ kind, from, size }] : [];
  });
}
