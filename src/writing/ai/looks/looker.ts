import { classifyFile } from '../../../reading/classify-file.ts';
import type { Evidence, FileKind, LookedLines, NamedRange } from '../../../reading/facts.ts';
import type { FileDiff } from '../../../reading/file-diff.ts';
import { innermostRange } from '../../../reading/name-ranges.ts';
import { outlineFile } from '../../../reading/symbols/outline-file.ts';
import { declares } from '../../verify/find-name.ts';
import { hideSecrets, holdsSecrets, isSecretPath } from './hide-secrets.ts';
import { isOn, isWithin, type Look } from './requests.ts';

type Side = Evidence['side'];

interface Hit {
  path: string;
  line: number;
  text: string;
}

interface Found {
  /** Matches, best first. Those on lines of the diff are only counted, and followed to the functions around them. */
  hits: Hit[];
  unchanged: Hit[];
  isPartial: boolean;
}

/** Searches the files around a change, on either side of it. */
export interface TreeSource {
  changedPaths: () => Promise<string[]>;
  find: (side: Side, texts: string[]) => Promise<{ hits: Hit[]; isPartial: boolean }>;
  read: (side: Side, paths: string[]) => Promise<{ path: string; text: string }[]>;
}

/** The error if the repository cannot be read, or no longer. */
export class TreeGone extends Error {}

/** The space for lines that are shown. */
export interface Room {
  lines: number;
  bytes: number;
}

/** The result of one search in the repository: how many places match, and how many of them are shown to the model. */
export interface LookOutcome {
  look: Look;
  shown: number;
  found: number;
  changed: number;
  isPartial: boolean;
  /** The functions around the shown lines, and whether other code can call them. */
  holders: { name: string; isPublic: boolean }[];
}

interface View {
  fileName: string;
  path: string;
  side: Side;
  lines: string[];
  ranges: NamedRange[];
  names: ReadonlySet<string>;
}

const longestLine = 240;

/** The part of a line that is searched for secrets. */
const longestRead = 2_000;

const bytesOfNumber = 6;
const bytesOfHead = 60;

const mostPlaces = 12;
const mostFiles = 60;
const shortFunction = 40;
const around = 2;
const linesOfShow = 60;
const linesOfBeginning = 40;

/**
 * The characters of a file up to which the names of its functions are read: larger files are seldom written by hand.
 */
const mostOutlined = 300_000;

const kindOrder: FileKind[] = ['source', 'build', 'configuration', 'manifest', 'documentation', 'test'];

const nothing: Found = { hits: [], unchanged: [], isPartial: false };

export class Looker {
  readonly #source: TreeSource;
  readonly #files: Map<string, FileDiff>;
  readonly #folders: Set<string>;
  readonly #left: Room;
  readonly #views = new Map<string, View | null>();
  readonly #shown = new Map<string, { view: View; lines: Map<number, string> }>();
  #changed: Set<string> | null = null;

  constructor(source: TreeSource, diff: FileDiff[], room: Room) {
    this.#source = source;
    this.#files = new Map(
      diff.flatMap((file): [string, FileDiff][] => [
        [keyOf('new', file.path), file],
        [keyOf('old', file.previousPath ?? file.path), file],
      ]),
    );
    this.#folders = new Set(diff.map(({ path }) => folderOf(path)));
    this.#left = { ...room };
  }

  /** All lines shown so far, in the order in which their files were added. */
  get looked(): LookedLines[] {
    return [...this.#shown.values()].flatMap(({ view, lines }) => runsOf(view, lines));
  }

  /** Throws `TreeGone` if there is nothing to look at. */
  async begin(): Promise<void> {
    this.#changed = new Set(await this.#source.changedPaths());
  }

  /** Shows lines within a share of the remaining space. Requests with more than `mostFound` matches show none. */
  async answer(
    looks: Look[],
    { share, mostFound = Number.POSITIVE_INFINITY }: { share: number; mostFound?: number },
  ): Promise<LookOutcome[]> {
    if (!this.#changed) await this.begin();
    const found = await this.#findAll(looks.filter(({ kind }) => kind !== 'show'));
    const foundFor = (look: Look): Found => {
      const one = found.get(look) ?? nothing;
      return one.hits.length > mostFound ? nothing : one;
    };
    const wanted = looks.flatMap((look) => {
      const { hits, unchanged } = foundFor(look);
      const places = [...hits.slice(0, mostPlaces), ...unchanged.slice(0, mostPlaces)];
      const paths = look.kind === 'show' ? [look.text] : places.map(({ path }) => path);
      return paths.map((path) => ({ path, side: look.side }));
    });
    await this.#readAll(wanted);
    const left = { lines: Math.ceil(this.#left.lines * share), bytes: Math.ceil(this.#left.bytes * share) };
    return looks.map((look, place) => {
      const own = { lines: Math.ceil(left.lines / (looks.length - place)), bytes: left.bytes };
      const given = { ...own };
      const { hits, unchanged } = foundFor(look);
      const shown = look.kind === 'show' ? this.#show(look, own) : this.#showHits(look, unchanged, own);
      for (const kept of [left, this.#left]) {
        kept.lines -= given.lines - own.lines;
        kept.bytes -= given.bytes - own.bytes;
      }
      const all = found.get(look);
      return {
        look,
        shown,
        found: all?.unchanged.length ?? shown,
        changed: all ? all.hits.length - all.unchanged.length : 0,
        isPartial: all?.isPartial ?? false,
        holders: this.#holdersOf(look, hits),
      };
    });
  }

  #holdersOf({ side }: Look, hits: Hit[]): LookOutcome['holders'] {
    return hits.slice(0, mostPlaces).flatMap(({ path, line }) => {
      const view = this.#views.get(keyOf(side, path));
      const functions = view?.ranges.filter(({ isFunction }) => isFunction) ?? [];
      const range = innermostRange(functions, spanOf(side, line));
      return view && range ? [{ name: range.name, isPublic: view.names.has(range.name) }] : [];
    });
  }

  async #findAll(looks: Look[]): Promise<Map<Look, Found>> {
    const answers = new Map<Side, { hits: Hit[]; isPartial: boolean }>();
    for (const [side, own] of Map.groupBy(looks, (look) => look.side))
      answers.set(side, await this.#source.find(side, [...new Set(own.map(({ text }) => text))]));
    return new Map(
      looks.map((look) => {
        const { hits: all = [], isPartial = false } = answers.get(look.side) ?? {};
        const isWanted = ({ path, text }: Hit): boolean =>
          isOn(text, look) && (look.in === '' || isWithin(path, look.in)) && !isSecretPath(path);
        const wanted = all.filter(isWanted);
        const hits = this.#rank(look.kind === 'usages' ? withoutImports(wanted) : wanted);
        const unchanged = hits.filter(({ path, line }) => this.#isUnchanged(look.side, path, line));
        return [look, { hits, unchanged, isPartial }];
      }),
    );
  }

  /** Ranks code before documents and tests, and files close to the change first. */
  #rank(hits: Hit[]): Hit[] {
    const files = [...Map.groupBy(hits, ({ path }) => path)];
    const placed = files.map(([path, own]) => ({
      path,
      own,
      kind: kindOrder.indexOf(kindOf(path).kind),
      isNear: this.#folders.has(folderOf(path)),
    }));
    return placed
      .filter(({ kind }) => kind >= 0)
      .sort(
        (one, other) =>
          one.kind - other.kind ||
          Number(other.isNear) - Number(one.isNear) ||
          (one.path < other.path ? -1 : 1),
      )
      .flatMap(({ own }) => own);
  }

  async #readAll(wanted: { path: string; side: Side }[]): Promise<void> {
    for (const [side, own] of Map.groupBy(wanted, (one) => one.side)) {
      const paths = [...new Set(own.map(({ path }) => path))]
        .filter((path) => !this.#views.has(keyOf(side, path)) && !isSecretPath(path))
        .slice(0, mostFiles);
      for (const path of paths) this.#views.set(keyOf(side, path), null);
      for (const { path, text } of await this.#source.read(side, paths))
        this.#views.set(keyOf(side, path), this.#view(path, side, text));
    }
  }

  #view(path: string, side: Side, text: string): View | null {
    const lines = text.split(/\r?\n/);
    if (lines.at(-1) === '') lines.pop();
    if (holdsSecrets(path, lines)) return null;
    const { kind, language } = kindOf(path);
    const changed = text.length > mostOutlined ? [] : lines.map((_, at) => at + 1);
    const { ranges, names } = outlineFile({ path, kind, language, side, changed }, text);
    const fileName = this.#files.get(keyOf(side, path))?.path ?? path;
    return { fileName, path, side, lines, ranges, names: new Set(names?.public) };
  }

  /** Lines in hunks, and changed lines that are not shown, do not count as unchanged. */
  #isUnchanged(side: Side, path: string, line: number): boolean {
    if (!this.#changed?.has(path)) return true;
    const hunks = this.#files.get(keyOf(side, path))?.hunks ?? [];
    return (
      hunks.length > 0 &&
      !hunks.some(({ oldStart, oldLines, newStart, newLines }) => {
        const [start, count] = side === 'new' ? [newStart, newLines] : [oldStart, oldLines];
        return line >= start && line < start + count;
      })
    );
  }

  #show({ text: path, side, name, lines }: Look, room: Room): number {
    const view = this.#views.get(keyOf(side, path));
    if (!view) return 0;
    const named = name === '' ? null : placeOf(view, name);
    if (name !== '' && !named) return 0;
    const [first, last] = lines ?? named ?? [1, linesOfBeginning];
    return this.#take(view, first, Math.min(last, first + linesOfShow - 1), room) > 0 ? 1 : 0;
  }

  #showHits({ side }: Look, hits: Hit[], room: Room): number {
    const places = hits.slice(0, mostPlaces);
    const each = Math.floor(room.lines / Math.max(1, places.length));
    let shown = 0;
    for (const { path, line } of places) {
      const view = this.#views.get(keyOf(side, path));
      if (!view) continue;
      const range = innermostRange(view.ranges, spanOf(side, line));
      const size = range ? range.endLine - range.startLine + 1 : 0;
      const isShort = range?.isFunction === true && size <= Math.min(each, shortFunction);
      const [first, last] = isShort ? [range.startLine, range.endLine] : [line - around, line + around];
      if (!isShort && range?.isFunction) this.#take(view, range.startLine, range.startLine, room);
      const isSeen = this.#isShown(view, line);
      const taken =
        each > 2 * around ? this.#take(view, first, last, room) : this.#take(view, line, line, room);
      if (isSeen || taken > 0) shown += 1;
    }
    return shown;
  }

  #isShown({ side, path }: View, line: number): boolean {
    return this.#shown.get(keyOf(side, path))?.lines.has(line) ?? false;
  }

  /** Returns the number of these lines that are shown now. */
  #take(view: View, first: number, last: number, room: Room): number {
    const key = keyOf(view.side, view.path);
    const { lines } = this.#shown.get(key) ?? { lines: new Map<number, string>() };
    let taken = 0;
    for (let at = Math.max(1, first); at <= Math.min(last, view.lines.length); at += 1) {
      if (!this.#isUnchanged(view.side, view.path, at)) continue;
      if (!lines.has(at)) {
        const text = shownLine(view.path, view.lines[at - 1] ?? '');
        // A line that does not follow the previous one is preceded by the function around it.
        const bytes =
          Buffer.byteLength(text) +
          (lines.has(at - 1) ? bytesOfNumber : bytesOfHead) +
          (lines.size === 0 ? view.path.length : 0);
        if (room.lines < 1 || room.bytes < bytes) break;
        room.lines -= 1;
        room.bytes -= bytes;
        lines.set(at, text);
      }
      taken += 1;
    }
    if (lines.size > 0) this.#shown.set(key, { view, lines });
    return taken;
  }
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

const imports = /^\s*(?:import|from|use|using|require|#include|@import|\}?\s*from)\b|\brequire\(/;

/** Drops imports of a name in files that also use it. */
function withoutImports(hits: Hit[]): Hit[] {
  const uses = new Set(hits.flatMap(({ path, text }) => (imports.test(text) ? [] : [path])));
  return hits.filter(({ path, text }) => !uses.has(path) || !imports.test(text));
}

const keyOf = (side: Side, path: string): string => `${side} ${path}`;

const spanOf = (side: Side, line: number) => ({ side, startLine: line, endLine: line });

function shownLine(path: string, line: string): string {
  const text = hideSecrets(path, line.slice(0, longestRead));
  return text.length > longestLine ? `${text.slice(0, longestLine).toWellFormed()}…` : text;
}

const kindOf = (path: string): ReturnType<typeof classifyFile> =>
  classifyFile({
    path,
    previousPath: null,
    status: 'modified',
    oldMode: null,
    newMode: null,
    isBinary: false,
    isSubmodule: false,
    additions: 0,
    deletions: 0,
    hunks: [],
    bytes: Buffer.alloc(0),
  });

/** The place where a file declares a name, or else mentions it. */
function placeOf({ lines, ranges }: View, name: string): [first: number, last: number] | null {
  const own = ranges.find((range) => range.name === name || range.name.split(/\.|::|#/).at(-1) === name);
  if (own) return [own.startLine, own.endLine];
  const look = { kind: 'usages', text: name } as const;
  const declared = lines.findIndex((line) => line.length < 1_000 && declares(line, name));
  const at = declared >= 0 ? declared : lines.findIndex((line) => line.length < 2_000 && isOn(line, look));
  return at < 0 ? null : [Math.max(1, at - 1), at + linesOfBeginning];
}

function runsOf({ fileName, side, ranges }: View, lines: Map<number, string>): LookedLines[] {
  const runs: LookedLines[] = [];
  for (const at of [...lines.keys()].sort((one, other) => one - other)) {
    const last = runs.at(-1);
    const text = lines.get(at) ?? '';
    if (last && last.startLine + last.lines.length === at) last.lines.push(text);
    else
      runs.push({
        fileName,
        side,
        startLine: at,
        lines: [text],
        name: innermostRange(ranges, spanOf(side, at))?.name ?? '',
      });
  }
  return runs;
}
