import { changeTypes } from '../../domain/article.ts';
import type { KindedFile as ClassifiedFile } from '../classify-file.ts';
import type { FileKind, PullRequestText } from '../facts.ts';
import type { FileDiff } from '../file-diff.ts';
import stored from './change-type-table.json' with { type: 'json' };

/** Where a feature was seen; the same word means something else in a title than in a path. */
export const families = ['title', 'titleBesideFiles', 'body', 'shape', 'path'] as const;

export type Family = (typeof families)[number];

interface FamilyFeatures {
  family: Family;
  names: Set<string>;
  weight: number;
}

export function changeFeatures(text: PullRequestText, files: KindedFile[]): FamilyFeatures[] {
  const title = titleFeatures(text.title);
  const body = bodyFeatures(text.body ?? '');
  const shape = shapeFeatures(files);
  const paths = pathFeatures(files);
  return [
    { family: 'title', names: title.features, weight: 1 },
    { family: 'titleBesideFiles', names: besideFiles(title.words, shape), weight: 0.7 },
    { family: 'shape', names: shape, weight: 0.5 },
    { family: 'body', names: body, weight: dilution(body) },
    { family: 'path', names: paths, weight: dilution(paths) },
  ];
}

/** A long description and a large change have many words; together they shall not shout down the title. */
const dilution = (names: Set<string>): number => 3 / Math.sqrt(9 + names.size);

function besideFiles(words: string[], shape: Set<string>): Set<string> {
  const touched = ['source', 'test'].filter((kind) => shape.has(`kind ${kind}`));
  if (touched[0] !== 'source') {
    touched.push(
      ...['documentation', 'build', 'manifest', 'lock'].filter((kind) => shape.has(`kind ${kind}`)),
    );
  }
  const beside = touched.map((kind) => kind[0]).join('');
  const found = new Set<string>();
  for (const [index, word] of words.entries()) {
    found.add(`${beside} ${word}`);
    if (index === 0) found.add(`${beside} ^${word}`);
    else found.add(`${beside} ${words[index - 1]} ${word}`);
  }
  return found;
}

// The first files of a large change say what it is about; the hundredth costs as much and says nothing new.
const mostPaths = 40;
const part = /[A-Z]?[a-z]+|[A-Z]{2,}|\d+/g;

function pathFeatures(files: KindedFile[]): Set<string> {
  const found = new Set<string>();
  for (const { file, kind } of files.slice(0, mostPaths)) {
    const slash = file.path.lastIndexOf('/');
    const name = file.path.slice(slash + 1).toLowerCase();
    const dot = name.indexOf('.', 1);
    const ending = dot > 0 ? name.slice(dot) : name;
    found.add(`name ${name}`);
    found.add(`ending ${ending}`);
    const lastDot = name.lastIndexOf('.');
    if (lastDot > dot) found.add(`ending ${name.slice(lastDot)}`);
    const folders = slash < 0 ? ['.'] : file.path.slice(0, slash).toLowerCase().split('/');
    found.add(`top ${folders[0]}`);
    for (const folder of folders) found.add(`in ${folder}`);
    for (const [word] of file.path.matchAll(part)) found.add(word.toLowerCase());
    if (file.status !== 'modified') found.add(`${file.status} ${kind} ${ending}`);
  }
  return found;
}

export type KindedFile = Pick<ClassifiedFile, 'file' | 'kind'>;

interface Tally {
  files: number;
  newFiles: number;
  additions: number;
  deletions: number;
}

function shapeFeatures(files: KindedFile[]): Set<string> {
  const kinds = new Map<FileKind, Tally>();
  const statuses = new Map<string, number>();
  const total: Tally = { files: 0, newFiles: 0, additions: 0, deletions: 0 };
  let moved = 0;
  for (const { file, kind } of files) {
    const tally = kinds.get(kind) ?? { files: 0, newFiles: 0, additions: 0, deletions: 0 };
    kinds.set(kind, tally);
    count(tally, file);
    count(total, file);
    statuses.set(file.status, (statuses.get(file.status) ?? 0) + 1);
    if (file.status === 'renamed' && linesOf(file) === 0) moved += 1;
  }
  const found = new Set<string>();
  addKinds(found, kinds, total);
  addSizes(found, total);
  addSource(found, kinds);
  for (const [status, number] of statuses) found.add(`status ${status} ${share(number / total.files)}`);
  if (moved > 0) found.add(`moved ${share(moved / total.files)}`);
  return found;
}

function count(tally: Tally, file: FileDiff): void {
  tally.files += 1;
  tally.additions += file.additions;
  tally.deletions += file.deletions;
  if (file.status === 'added') tally.newFiles += 1;
}

function addKinds(found: Set<string>, kinds: Map<FileKind, Tally>, total: Tally): void {
  const lines = linesOf(total) || 1;
  let main = 'nothing';
  let most = -1;
  for (const [kind, tally] of kinds) {
    found.add(`kind ${kind}`);
    found.add(`kind ${kind} files ${share(tally.files / total.files)}`);
    found.add(`kind ${kind} lines ${share(linesOf(tally) / lines)}`);
    if (tally.newFiles > 0) found.add(`kind ${kind} new ${share(tally.newFiles / tally.files)}`);
    if (linesOf(tally) > most) {
      most = linesOf(tally);
      main = kind;
    }
  }
  found.add(`kinds ${[...kinds.keys()].sort().join('+')}`);
  found.add(`main ${main}`);
  found.add(`main ${main} size ${size(lines)}`);
}

function addSizes(found: Set<string>, total: Tally): void {
  found.add(`files ${size(total.files)}`);
  found.add(`additions ${size(total.additions)}`);
  found.add(`deletions ${size(total.deletions)}`);
  found.add(`size ${size(total.additions)} ${size(total.deletions)}`);
  found.add(`balance ${balance(total)}`);
}

/** Code is where the kinds of change are hardest to tell apart, so its size and balance count once more. */
function addSource(found: Set<string>, kinds: Map<FileKind, Tally>): void {
  const source = kinds.get('source');
  if (!source) return;
  const tested = kinds.has('test') ? 'tested' : 'untested';
  found.add(`source size ${size(linesOf(source))} ${tested}`);
  found.add(`source size ${size(source.additions)} ${size(source.deletions)}`);
  found.add(`source balance ${balance(source)} ${tested}`);
  found.add(`source balance ${balance(source)} files ${size(source.files)}`);
  found.add(`source new ${size(source.newFiles)} ${tested}`);
  if (kinds.has('documentation')) found.add(`source documented ${tested}`);
}

const linesOf = (counts: { additions: number; deletions: number }): number =>
  counts.additions + counts.deletions;

const share = (part: number): string =>
  part >= 1 ? 'all' : part > 0.8 ? 'most' : part > 0.5 ? 'half' : part > 0.2 ? 'some' : 'few';

/** Sizes matter by how often they double; beyond a thousand they are all large. */
const size = (number: number): number => Math.min(10, Math.ceil(Math.log2(1 + number)));

/** How one-sided a change is: 0 where everything was removed, 8 where everything was added. */
const balance = (tally: Tally): number =>
  linesOf(tally) === 0 ? 4 : Math.round((8 * tally.additions) / linesOf(tally));

// Beyond this a title is a mistake and a description repeats itself, while every word costs time.
const titleWords = 24;
const bodyCharacters = 1200;
const bodyWords = 120;
const bodyPairs = 40;

function titleFeatures(title: string): { words: string[]; features: Set<string> } {
  const words = wordStems(title, titleWords);
  const [first = '', second = ''] = words;
  const found = new Set<string>([`^${first}`, `^${first} ${second}`]);
  addWordsAndPairs(found, words, titleWords);
  for (const [name, pattern] of titleStyles) if (pattern.test(title)) found.add(name);
  found.add(`#length ${Math.min(8, Math.ceil(words.length / 2))}`);
  return { words, features: found };
}

const titleStyles: [string, RegExp][] = [
  ['#code', /`/],
  ['#identifier', /[a-z][A-Z]|\w_\w|\w\(\)/],
  ['#capital', /^[A-Z]/],
  ['#quotation', /["“]/],
  ['#package', /@[\w-]+\//],
  ['#slash', /\w\/\w/],
  ['#file', /\w\.\w{2,4}\b/],
];

export const saidIn = (body: string): string =>
  body
    .slice(0, 2 * bodyCharacters)
    .replace(notSaid, ' ')
    .slice(0, bodyCharacters);

function bodyFeatures(body: string): Set<string> {
  const found = new Set<string>();
  const text = saidIn(body);
  addWordsAndPairs(found, wordStems(text, bodyWords), bodyPairs);
  for (const [name, pattern] of bodyStyles) if (pattern.test(text)) found.add(name);
  found.add(`#length ${Math.min(9, Math.ceil(Math.log2(1 + text.trim().length)))}`);
  return found;
}

const notSaid =
  /^[ \t]*[-*] \[ \].*$|^(?:co-authored-by|signed-off-by|reviewed-by|change-id):.*$|<!--[\s\S]*?(?:-->|$(?![\s\S]))|https?:\S+/gim;

const bodyStyles: [string, RegExp][] = [
  ['#closes', /\b(?:fix(?:es|ed)?|close[sd]?|resolve[sd]?):? +(?:[\w-]+\/[\w-]+)?#\d/i],
  ['#breaking', /breaking change/i],
  ['#code', /```/],
  ['#ticked', /^[ \t]*[-*] \[x\]/im],
];

function addWordsAndPairs(found: Set<string>, words: string[], pairs: number): void {
  let before = '';
  for (const [index, word] of words.entries()) {
    found.add(word);
    if (index > 0 && index < pairs) found.add(`${before} ${word}`);
    before = word;
  }
}

/** A word without the ending that English puts on it, so that "caches", "cached" and "caching" count as one. */
function stem(word: string): string {
  if (word.length < 5) return word;
  if (word.endsWith('ing') && word.length > 5) return undouble(word.slice(0, -3));
  if (word.endsWith('ies')) return `${word.slice(0, -3)}y`;
  if (word.endsWith('ed')) return undouble(word.slice(0, -2));
  if (word.endsWith('es')) return word.slice(0, -2);
  if (word.endsWith('s') && !word.endsWith('ss')) return word.slice(0, -1);
  return word.endsWith('e') ? word.slice(0, -1) : word;
}

function undouble(word: string): string {
  const last = word.length - 1;
  return word[last] === word[last - 1] && !/[lsz]$/.test(word) ? word.slice(0, -1) : word;
}

const piece = /[a-z]+(?:'[a-z]+)?|v?\d+(?:\.\d+)+[\w.-]*|\d+/g;

function wordStems(text: string, most: number): string[] {
  const words: string[] = [];
  for (const [word] of text.toLowerCase().matchAll(piece)) {
    if (words.length === most) break;
    const last = word.charCodeAt(word.length - 1);
    words.push(last >= 97 ? stem(word) : word.includes('.') ? '0.0' : '0');
  }
  return words;
}

const table: StoredTable = stored;
let decoded: Map<Family, Map<string, Int8Array>> | null = null;

/** How sure the table must be to be believed. */
export const { leastChance } = table;

/** Reading the table takes longer than judging a pull request, and a service that only starts needs neither. */
function readWeights(): Map<Family, Map<string, Int8Array>> {
  decoded ??= new Map(families.map((family) => [family, decodeWeights(table.weights[family])]));
  return decoded;
}

export function changeTypeChances(text: PullRequestText, files: KindedFile[]): Float64Array {
  const weightsOf = readWeights();
  const scores = Float64Array.from(table.start);
  for (const { family, names, weight } of changeFeatures(text, files)) {
    const weights = weightsOf.get(family);
    for (const name of names) {
      const row = weights?.get(name);
      if (!row) continue;
      for (let type = 0; type < changeTypes.length; type++) {
        scores[type] = at(scores, type) + weight * at(row, type);
      }
    }
  }
  return chancesOf(scores);
}

const at = (numbers: Float64Array | Int8Array, index: number): number => numbers[index] ?? 0;

export interface StoredTable {
  leastChance: number;
  start: number[];
  weights: Record<Family, string[]>;
}

// A weight is a whole number from -32 to 31, written as one letter: with digits the file would be twice as large.
export const letters = 'ABCDEFGHIJKLMNOPQRSTUVWXYZabcdefghijklmnopqrstuvwxyz0123456789+/';
export const zero = 32;
export const separator = '|';

/** How many steps of weights make one unit of a logistic score. Hardly any weight is above one unit. */
export const stepsPerUnit = 28;

const weightOfCode = new Int8Array(128);
for (const [index, letter] of [...letters].entries()) weightOfCode[letter.charCodeAt(0)] = index - zero;

export function decodeWeights(lines: string[]): Map<string, Int8Array> {
  const rows = new Map<string, Int8Array>();
  for (const line of lines) {
    for (const entry of line.split(separator)) {
      const end = entry.length - changeTypes.length;
      const weights = new Int8Array(changeTypes.length);
      for (let type = 0; type < weights.length; type++) {
        weights[type] = weightOfCode[entry.charCodeAt(end + type)] ?? 0;
      }
      rows.set(entry.slice(0, end - 1), weights);
    }
  }
  return rows;
}

export function chancesOf(scores: Float64Array): Float64Array {
  const most = Math.max(...scores);
  const odds = scores.map((score) => Math.exp((score - most) / stepsPerUnit));
  const sum = odds.reduce((total, one) => total + one, 0);
  return odds.map((one) => one / sum);
}
