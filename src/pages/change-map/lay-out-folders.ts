import { hierarchy, treemap, treemapSquarify } from 'd3-hierarchy';
import type { ChangedFile } from '../../contract/pull-request.ts';
import type { MapSize } from './lay-out-map.ts';
import { type MapKind, mapColors, mapKindOf } from './map-kinds.ts';

/** Files of a change that lie in one folder, or in folders below it. */
export interface Folder {
  /** Its path; empty for what lies in the repository itself. */
  path: string;
  files: ChangedFile[];
  additions: number;
  deletions: number;
}

/** A folder on the map: its kinds of files are bands in it, the largest above. */
export interface FolderBlock {
  x: number;
  y: number;
  width: number;
  height: number;
  folder: Folder;
  bands: { kind: MapKind; y: number; height: number }[];
}

/** A reader does not tell more blocks apart. */
const mostFolders = 40;

/** Fewer parts of a folder, with one for all the rest, would tell less than the folder does. */
const fewestParts = 4;

const linesOf = ({ additions, deletions }: Pick<ChangedFile, 'additions' | 'deletions'>): number =>
  additions + deletions;

const folderOf = (path: string, files: ChangedFile[]): Folder => ({
  path,
  files,
  additions: files.reduce((sum, file) => sum + file.additions, 0),
  deletions: files.reduce((sum, file) => sum + file.deletions, 0),
});

const largestFirst = (one: Folder, other: Folder): number =>
  linesOf(other) - linesOf(one) || other.files.length - one.files.length;

/**
 * The folders of a change, the largest first. Whichever is largest is split, for as long as there is room for all of its parts;
 * then the largest of those that have more into as many as there is room for, and one for the rest.
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

/** A folder with what it can be split into, which is nothing where all of its files lie in it directly. */
function withParts(folder: Folder): { folder: Folder; parts: Folder[] } {
  const parts = split(folder).sort(largestFirst);
  return { folder, parts: parts.length === 1 && parts[0]?.path === folder.path ? [] : parts };
}

/** What lies directly in a folder, and each of the folders in it. */
function split({ path, files }: Folder): Folder[] {
  const start = path === '' ? 0 : path.length + 1;
  const groups = Map.groupBy(files, ({ fileName }) => {
    const end = fileName.indexOf('/', start);
    return end < 0 ? path : fileName.slice(0, end);
  });
  return [...groups].map(([name, own]) => folderOf(name, own));
}

/** A map of folders: each has an area as large as what changed in it. */
export function layOutFolders(folders: Folder[], { width, height, gap }: MapSize): FolderBlock[] {
  interface Node {
    folder: Folder | null;
    children: Node[];
  }
  const root: Node = { folder: null, children: folders.map((folder) => ({ folder, children: [] })) };
  const summed = hierarchy(root).sum(({ folder }) => (folder ? Math.max(1, linesOf(folder)) : 0));
  const laidOut = treemap<Node>().tile(treemapSquarify).size([width, height]).paddingInner(gap).round(true)(
    summed,
  );
  return laidOut.leaves().flatMap(({ x0, y0, x1, y1, data: { folder } }) => {
    if (!folder || x1 <= x0 || y1 <= y0) return [];
    const block = { x: x0, y: y0, width: x1 - x0, height: y1 - y0 };
    return [{ ...block, folder, bands: bandsOf(folder, block) }];
  });
}

function bandsOf({ files }: Folder, { y, height }: { y: number; height: number }): FolderBlock['bands'] {
  const kinds = Map.groupBy(files, ({ kind }) => mapKindOf(kind));
  const sizes = (Object.keys(mapColors) as MapKind[])
    .map((kind) => ({
      kind,
      lines: (kinds.get(kind) ?? []).reduce((sum, file) => sum + 1 + linesOf(file), 0),
    }))
    .filter(({ lines }) => lines > 0)
    .sort((one, other) => other.lines - one.lines);
  const all = sizes.reduce((sum, { lines }) => sum + lines, 0);
  let end = y;
  let told = 0;
  return sizes.flatMap(({ kind, lines }) => {
    told += lines;
    const start = end;
    end = y + Math.round((height * told) / all);
    return end > start ? [{ kind, y: start, height: end - start }] : [];
  });
}
