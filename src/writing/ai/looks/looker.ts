import { classifyFile } from '../../../reading/classify-file.ts';
import type { Evidence, FileFacts, FileKind, LookedLines, NamedRange } from '../../../reading/facts.ts';
import { type FileDiff, linesOf } from '../../../reading/file-diff.ts';
import { innermostRange } from '../../../reading/name-ranges.ts';
import { outlineFile } from '../../../reading/symbols/outline-file.ts';
import { declares, isComment } from '../../verify/find-name.ts';
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
  readReleased: (
    paths: string[],
  ) => Promise<{ name: string; date: string; texts: { path: string; text: string }[] }[]>;
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
  /** Remarks that the numbers do not make, such as which of the wanted lines are shown. */
  note: string;
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
const shortAroundChange = 60;
const linesOfSignature = 4;
const mostGuards = 5;
const around = 2;
const linesOfCall = 4;
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

  /**
   * Shows lines within a share of the remaining space. With `mostCalls`, only calls in code count, and a name that is
   * called more often is looked for in changed files alone, because other types have functions of that name, too.
   */
  async answer(
    looks: Look[],
    { share, mostCalls = null }: { share: number; mostCalls?: number | null },
  ): Promise<LookOutcome[]> {
    if (!this.#changed) await this.begin();
    const found = await this.#findAll(looks.filter(({ kind }) => kind !== 'show'));
    if (mostCalls !== null)
      for (const [look, one] of found) {
        const uses = one.hits.filter((hit) => kindOf(hit.path).kind === 'source' && !isNoUse(hit, look));
        const certain = uses.filter((hit) => farFromCall(hit, look) < 2);
        const calls = certain.length > 0 ? certain : uses;
        const isOwn = ({ path }: Hit) => this.#files.has(keyOf(look.side, path));
        const hits = calls.length <= mostCalls ? calls : calls.filter(isOwn);
        found.set(look, {
          ...one,
          isPartial: one.isPartial || hits.length < calls.length,
          hits: hits.length <= mostCalls ? hits : [],
          unchanged: one.unchanged.filter((hit) => hits.includes(hit)),
        });
      }
    const foundFor = (look: Look): Found => found.get(look) ?? nothing;
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
      const { shown, note } =
        look.kind === 'show'
          ? this.#show(look, own)
          : { shown: this.#showHits(look, unchanged, own), note: '' };
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
        note,
        holders: this.#holdersOf(look, hits),
      };
    });
  }

  #holdersOf({ side }: Look, hits: Hit[]): LookOutcome['holders'] {
    return hits.slice(0, mostPlaces).flatMap(({ path, line }) => {
      const view = this.#views.get(keyOf(side, path));
      const range = view && innermostRange(functionsOf(view), spanOf(side, line));
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
        const hits = this.#rank(look.kind === 'usages' ? withoutImports(wanted) : wanted, look);
        const unchanged = hits.filter(({ path, line }) => this.#isUnchanged(look.side, path, line));
        return [look, { hits, unchanged, isPartial }];
      }),
    );
  }

  /**
   * Ranks code before documents and tests, calls before other uses, comments and declarations, files that declare
   * another thing of the same name last, and files close to the change first.
   */
  #rank(hits: Hit[], look: Look): Hit[] {
    return [...Map.groupBy(hits, ({ path }) => path)]
      .flatMap(([path, own]) => {
        const kind = kindOrder.indexOf(kindOf(path).kind);
        const isOther = !this.#files.has(keyOf(look.side, path)) && own.some((hit) => isDeclared(hit, look));
        const isFar = !this.#folders.has(folderOf(path));
        return own.map((hit) => ({
          hit,
          kind,
          order: isNoUse(hit, look) ? 4 : isOther ? 3 : farFromCall(hit, look),
          isFar,
        }));
      })
      .filter(({ kind }) => kind >= 0)
      .sort(
        (one, other) =>
          one.kind - other.kind ||
          one.order - other.order ||
          Number(one.isFar) - Number(other.isFar) ||
          (one.hit.path === other.hit.path
            ? one.hit.line - other.hit.line
            : one.hit.path < other.hit.path
              ? -1
              : 1),
      )
      .map(({ hit }) => hit);
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

  #show({ text: path, side, name, lines }: Look, room: Room): { shown: number; note: string } {
    const view = this.#views.get(keyOf(side, path));
    if (!view) return { shown: 0, note: 'no such file to look at' };
    const named = name === '' ? null : placeOf(view, name);
    if (name !== '' && !named) return { shown: 0, note: `no ${name} in it` };
    const [first, wanted] = lines ?? named ?? [1, view.lines.length];
    const end = Math.min(wanted, view.lines.length);
    const last = Math.min(end, first + (lines || named ? linesOfShow : linesOfBeginning) - 1);
    const hidden = Array.from({ length: Math.max(0, last - first + 1) }, (_, at) => first + at).filter(
      (line) => !this.#isUnchanged(side, path, line),
    ).length;
    const inChange = hidden > 0 ? `${hidden} of these lines are in the change itself` : '';
    const taken = this.#take(view, first, last, room);
    if (taken === 0 && hidden > 0) {
      const range = innermostRange(functionsOf(view), { side, startLine: first, endLine: last });
      const rest = range ? this.#take(view, range.startLine, range.endLine, room) : 0;
      const what = rest > 0 ? `the rest of ${range?.name} is shown` : 'see its file';
      return { shown: 1, note: `${inChange}, ${what}` };
    }
    if (taken === 0) return { shown: 0, note: first > end ? `it has ${end} lines` : 'no space left for it' };
    const reached = Math.min(last, first + taken + hidden - 1);
    const cut = reached < end ? [`lines ${first}-${reached} of ${first}-${end}`] : [];
    return { shown: 1, note: [...cut, inChange].filter(Boolean).join(', ') };
  }

  /** Shows the unchanged rest of short functions with changed lines, and the constructors of their classes. */
  async showAround(files: FileFacts[], share: number): Promise<void> {
    if (!this.#changed) await this.begin();
    const own = files.filter(({ kind, status, skipped }) => {
      return kind === 'source' && status !== 'added' && status !== 'removed' && skipped === null;
    });
    await this.#readAll(own.map(({ path }) => ({ path, side: 'new' })));
    const room = { lines: Math.ceil(this.#left.lines * share), bytes: Math.ceil(this.#left.bytes * share) };
    const given = { ...room };
    for (const { path } of own) {
      const view = this.#views.get(keyOf('new', path));
      const changed = this.#changedFunctions(view);
      const classes = new Set(changed.map(({ name }) => name.slice(0, Math.max(0, name.lastIndexOf('.')))));
      const makers = (view ? functionsOf(view) : []).filter(({ name }) => {
        const at = name.lastIndexOf('.');
        return at > 0 && classes.has(name.slice(0, at)) && constructors.has(name.slice(at + 1));
      });
      for (const { startLine, endLine } of [...changed, ...makers])
        if (view && endLine - startLine < shortAroundChange) this.#take(view, startLine, endLine, room);
    }
    this.#left.lines -= given.lines - room.lines;
    this.#left.bytes -= given.bytes - room.bytes;
  }

  #changedFunctions(view: View | null | undefined): NamedRange[] {
    const hunks = (view && this.#files.get(keyOf(view.side, view.path))?.hunks) ?? [];
    const places = hunks.flatMap(({ newStart, ...hunk }) => {
      let at = newStart;
      return linesOf({ newStart, ...hunk }).flatMap(({ side, newLine }) => {
        at = newLine ?? at;
        return side === 'context' ? [] : [at];
      });
    });
    const ranges = view ? functionsOf(view) : [];
    return [...new Set(places.flatMap((line) => innermostRange(ranges, spanOf('new', line)) ?? []))];
  }

  #showHits({ side }: Look, hits: Hit[], room: Room): number {
    const places = hits.slice(0, mostPlaces);
    let shown = 0;
    for (const [place, { path, line }] of places.entries()) {
      const each = Math.floor(room.lines / (places.length - place));
      const view = this.#views.get(keyOf(side, path));
      if (!view) continue;
      const isSeen = this.#isShown(view, line);
      const range = innermostRange(functionsOf(view), spanOf(side, line));
      const size = range ? range.endLine - range.startLine + 1 : 0;
      let taken = 0;
      if (each <= 2 * around) taken = this.#take(view, line, line, room);
      else if (
        range &&
        size <= Math.min(Math.max(each, room.lines / 3), shortFunction) &&
        fits(view, range, room)
      )
        taken = this.#take(view, range.startLine, range.endLine, room);
      else {
        taken = this.#take(view, line, line, room);
        for (const [first, last] of range ? wayTo(view, range, line) : [])
          if (taken > 0) this.#take(view, first, last, room);
        if (taken > 0) this.#take(view, line - around, line + linesOfCall, room);
      }
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

const constructors = new Set(['constructor', 'initialize', '__init__', 'new']);

const functionsOf = ({ ranges }: View): NamedRange[] => ranges.filter(({ isFunction }) => isFunction);

const fits = ({ lines }: View, { startLine, endLine }: NamedRange, { bytes }: Room): boolean =>
  lines
    .slice(startLine - 1, endLine)
    .reduce((sum, line) => sum + Buffer.byteLength(line) + bytesOfNumber, bytesOfHead) <= bytes;

const indentOf = (line: string): number => /^\s*/.exec(line)?.[0].length ?? 0;

const ends = /[{:]\s*$|=>\s*$|\bdo\b[^"']*$/;

/** The signature of a long function, and the conditions and loops around one of its lines, by their indentation. */
function wayTo({ lines }: View, { startLine }: NamedRange, line: number): [first: number, last: number][] {
  const head = lines.slice(startLine - 1, startLine - 1 + linesOfSignature);
  const opens = head.findIndex((text) => ends.test(text.slice(0, longestLine)));
  const guards: number[] = [];
  let indent = indentOf(lines[line - 1] ?? '');
  for (let at = line - 1; at > startLine && guards.length < mostGuards; at -= 1) {
    const text = lines[at - 1] ?? '';
    if (text.trim() === '' || indentOf(text) >= indent || isComment(text)) continue;
    indent = indentOf(text);
    if (/[\p{L}\p{N}]/u.test(text)) guards.push(at);
  }
  return [[startLine, startLine + Math.max(0, opens)], ...guards.map((at): [number, number] => [at, at])];
}

const folderOf = (path: string): string => path.slice(0, path.lastIndexOf('/') + 1);

const imports = /^\s*(?:import|from|use|using|require|#include|@import|\}?\s*from)\b|\brequire\(/;

/** Drops imports of a name in files that also use it. */
function withoutImports(hits: Hit[]): Hit[] {
  const uses = new Set(hits.flatMap(({ path, text }) => (imports.test(text) ? [] : [path])));
  return hits.filter(({ path, text }) => !uses.has(path) || !imports.test(text));
}

const isDeclared = ({ text }: Hit, { kind, text: name }: Look): boolean =>
  kind === 'usages' && declares(text, name.split(/\W/).at(-1) ?? name);

/** Zero for a call with parentheses, one for a member, which some languages call without any, and two for a mention. */
function farFromCall({ text }: Hit, { kind, text: name }: Look): 0 | 1 | 2 {
  let far: 0 | 1 | 2 = kind === 'usages' ? 2 : 0;
  for (let at = text.indexOf(name); at >= 0; at = text.indexOf(name, at + 1)) {
    if (/^\s?[(<{]/.test(text.slice(at + name.length))) return 0;
    if (/(?:[^.]\.|::|->|&)$/.test(text.slice(0, at))) far = 1;
  }
  return far;
}

const isNoUse = (hit: Hit, look: Look): boolean =>
  isDeclared(hit, look) || (look.kind === 'usages' && isComment(hit.text));

const keyOf = (side: Side, path: string): string => `${side} ${path}`;

const spanOf = (side: Side, line: number) => ({ side, startLine: line, endLine: line });

function shownLine(path: string, line: string): string {
  const text = hideSecrets(path, line.slice(0, longestRead));
  return text.length > longestLine ? `${text.slice(0, longestLine).toWellFormed()}…` : text;
}

export const kindOf = (path: string): ReturnType<typeof classifyFile> =>
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
