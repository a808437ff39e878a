import type { FileFacts, FileKind } from '../facts.ts';
import { placeSentences } from './sentences.ts';

/** A part is large from this share of the changed lines, and from this many of them. */
const largeShare = 0.2;
const largeLines = 30;
/** With fewer lines in each file a folder had the same small edit many times, which one sentence somewhere covers. */
const linesOfOwn = 10;

/** Nobody expects these to be spoken of. */
const silentKinds = new Set<FileKind>(['lock', 'generated', 'vendored', 'test', 'binary']);

/** These go along with what is described and need no word of their own, but they may be what it is about. */
const accompanyingKinds = new Set<FileKind>(['documentation', 'manifest', 'configuration']);

/** What an author says who speaks of all files of a kind at once. */
const kindWords: Partial<Record<FileKind, RegExp>> = {
  documentation:
    /\b(?:docs?|documentation|document(?:s|ed|ing)?|readme|change ?log|guide|describ\w+)\b|ドキュメント|文書|説明|手順|文档/iu,
  build:
    /\b(?:ci|build\w*|workflows?|pipelines?|actions?|releas\w+|docker\w*|makefile|scripts?)\b|ビルド|构建/iu,
  manifest: /\b(?:dependenc\w+|deps|bump\w*|upgrad\w+|packages?|versions?)\b|依存|依赖/iu,
  configuration: /\b(?:config\w*|settings?|set|options?|flags?|allow\w*|lint\w*|format\w*)\b|設定|配置/iu,
};

/** An author who says one of these has spoken of everything. */
const sweeping =
  /\b(?:all files|everywhere|throughout|across the|whole (?:code ?base|repo)|code ?base|mechanical|reformat\w*|restructur\w+|re-?organi[sz]\w+|mov(?:e|es|ed|ing) (?:\w+ ){0,3}files?|monorepo|initial (?:commit|version|import)|rewrit\w+|rewrote|refactor\w*|convert\w*|migrat\w+|reverts?|reverted|typecheck\w*|type ?hints?|clean\w* ?ups?|tidy\w*|misc\w*|deprecated|stuff)\b|全体|全て|すべて|書き直|移行|リファクタ/iu;

/** Folder and file names that say nothing about what is inside. */
const generic = new Set(
  'app apps bin build cmd code common component components config core crates data dist example examples files helper helpers home impl index init internal java lib libs main misc mod module modules package packages page pages pkg plugin plugins project public python resources root rust scripts server service services shared site source sources src static style styles type types util utils version views web website www'.split(
    ' ',
  ),
);

interface Part {
  /** A file, or a folder with a slash behind it. */
  path: string;
  files: FileFacts[];
  lines: number;
}

/**
 * Files and folders with a large share of the change of which neither description nor title says anything. Only said
 * where they do speak of some other part by name: general words pass over nothing in particular, and neither does a
 * list of commits. The largest part is what they are about, in whatever words.
 */
export function findUnmentionedParts(text: string, title: string, files: FileFacts[]): string[] {
  const counted = files.filter((file) => !silentKinds.has(file.kind));
  const total = counted.reduce((sum, file) => sum + linesOf(file), 0);
  const least = Math.max(largeLines, total * largeShare);
  const whole = `${title}\n${text}`;
  if (total < least || sweeping.test(whole) || placeSentences(text)[0]?.isHistory !== false) return [];
  const shared = sharedFolders(counted);
  if (!isSpecific(text, counted, shared)) return [];
  const words = distinctStems(whole);
  const spoken = new Set(counted.filter((file) => speaksOf(whole, words, file, shared)));
  return largeParts(counted, least)
    .slice(1)
    .filter((part) => part.lines >= part.files.length * linesOfOwn)
    .filter((part) => !generic.has(part.path.split('/').at(-2) ?? '') || !part.path.endsWith('/'))
    .filter((part) => part.files.some((file) => !accompanyingKinds.has(file.kind)))
    .filter((part) => !part.files.some((file) => spoken.has(file)))
    .map((part) => part.path);
}

function isSpecific(text: string, files: FileFacts[], shared: Set<string>): boolean {
  const words = distinctStems(text);
  return files.some((file) => speaksOf(text, words, file, shared));
}

/** Folders that most of the change is in: their names tell none of its parts from the others. */
function sharedFolders(files: FileFacts[]): Set<string> {
  const counts = new Map<string, number>();
  for (const file of files) {
    for (const folder of new Set(file.path.split('/').slice(0, -1))) {
      counts.set(folder, (counts.get(folder) ?? 0) + 1);
    }
  }
  return new Set(
    [...counts].filter(([, count]) => files.length > 1 && count * 2 > files.length).map(([name]) => name),
  );
}

function linesOf(file: FileFacts): number {
  return file.additions + file.deletions;
}

/** Large files by themselves; of the others, the deepest folders that are large together. */
function largeParts(files: FileFacts[], least: number): Part[] {
  const parts: Part[] = [];
  const folders = new Map<string, FileFacts[]>();
  for (const file of files) {
    if (linesOf(file) >= least) parts.push({ path: file.path, files: [file], lines: linesOf(file) });
    else addTo(folders, folderOf(file.path), [file]);
  }
  for (let depth = Math.max(0, ...[...folders.keys()].map(depthOf)); depth > 0; depth -= 1) {
    for (const [folder, inside] of [...folders].filter(([path]) => depthOf(path) === depth)) {
      const lines = inside.reduce((sum, file) => sum + linesOf(file), 0);
      if (lines >= least) parts.push({ path: `${folder}/`, files: inside, lines });
      else addTo(folders, folderOf(folder), inside);
    }
  }
  return parts.sort((a, b) => b.lines - a.lines);
}

function addTo(folders: Map<string, FileFacts[]>, folder: string, files: FileFacts[]): void {
  const known = folders.get(folder);
  if (known) for (const file of files) known.push(file);
  else folders.set(folder, [...files]);
}

function folderOf(path: string): string {
  return path.slice(0, Math.max(0, path.lastIndexOf('/')));
}

function depthOf(path: string): number {
  return path === '' ? 0 : path.split('/').length;
}

/** Whether the text has a word that can mean this file: its kind, its path, or something that it defines. */
function speaksOf(text: string, words: Set<string>, file: FileFacts, shared: Set<string>): boolean {
  if (kindWords[file.kind]?.test(text)) return true;
  if (/config|option|setting/i.test(file.path) && kindWords.configuration?.test(text)) return true;
  const names = [
    ...file.path.split('/').filter((folder) => !shared.has(folder)),
    ...file.symbols.flatMap((symbol) => [symbol.name, symbol.container ?? '', symbol.previousName ?? '']),
    ...file.surfaces.map((surface) => surface.name),
    ...file.dependencies.map((dependency) => dependency.name),
  ];
  return names.some((name) => stemsOf(name).some((stem) => words.has(stem)));
}

function distinctStems(text: string): Set<string> {
  return new Set(stemsOf(text));
}

/** The words of a text or a name, without endings, so that `retry-queue.ts` and "queued retries" have some in common. */
function stemsOf(text: string): string[] {
  const words =
    text
      .replace(/([a-z\d])([A-Z])/g, '$1 $2')
      .toLowerCase()
      .match(/[a-z\d]{3,}/g) ?? [];
  return words.filter((word) => !generic.has(word)).map(stem);
}

function stem(word: string): string {
  if (word.length < 5) return word.replace(/s$/, '');
  return word
    .replace(/(?:ies|y)$/, 'i')
    .replace(/(?:ations?|ings?|ers?|ors?|ed|es|e|s)$/, '')
    .slice(0, 7);
}
