import type { FileDiff } from '../../../reading/file-diff.ts';
import type { StatedFact } from '../../draft.ts';
import type { Ground } from '../ground.ts';
import { countIn } from '../stands-in-text.ts';

type Fact<Relation extends StatedFact['relation']> = Extract<StatedFact, { relation: Relation }>;

export function fileHolds({ path, status, from }: Fact<'file'>, ground: Ground): boolean {
  const file = ground.lines.file(path);
  if (!file) return false;
  const isExecutable = (mode: string | null) => mode?.endsWith('755') ?? false;
  const isMade = file.oldMode !== null && file.newMode !== null;
  switch (status) {
    case 'binary':
      return file.isBinary;
    case 'submodule':
      return file.isSubmodule;
    case 'executable':
      return isMade && !isExecutable(file.oldMode) && isExecutable(file.newMode);
    case 'notExecutable':
      return isMade && isExecutable(file.oldMode) && !isExecutable(file.newMode);
    case 'renamed':
    case 'copied':
      return file.status === status && (from === null || file.previousPath === from);
    case 'changed':
      return true;
    case 'modified':
      return !['added', 'removed'].includes(file.status);
    default:
      return file.status === status;
  }
}

/** Counts anew. Places are whole tokens on added lines less those on removed ones, or the reverse. */
export function countHolds({ of, name, paths, value }: Fact<'count'>, ground: Ground): boolean {
  const files = paths.length === 0 ? [...ground.lines.files] : paths.map((path) => ground.lines.file(path));
  if (files.some((file) => file === undefined)) return false;
  const known = files.filter((file) => file !== undefined);
  if (new Set(known).size !== known.length) return false;
  const sum = (count: (file: FileDiff) => number) => known.reduce((total, file) => total + count(file), 0);
  switch (of) {
    case 'files':
      return known.length === value;
    case 'additions':
      return sum(({ path }) => countSide(ground, path, 'added')) === value;
    case 'deletions':
      return sum(({ path }) => countSide(ground, path, 'removed')) === value;
    case 'changedLines':
      return (
        sum(({ path }) => countSide(ground, path, 'added') + countSide(ground, path, 'removed')) === value
      );
    case 'tests':
      return sum(({ path }) => countTests(ground, path)) === value;
    case 'places':
      return name !== null && Math.abs(sum(({ path }) => countPlaces(ground, path, name))) === value;
  }
}

const countSide = (ground: Ground, path: string, side: 'added' | 'removed'): number =>
  ground.lines.of(path).reduce((count, line) => count + Number(line.side === side), 0);

/** What a test begins with: a call with its name, a keyword with a name that says so, or a mark above it. */
const testHead =
  /^\s*(?:(?:it|test|specify|scenario)(?:\.\w+)*(?:\([^()]*\))?\s*\(\s*["'`]|(?:async\s+)?def\s+test_|func\s+(?:Test|Benchmark|Fuzz|Example)\w*\(|func\s+test\w*\(|@(?:Test|ParameterizedTest|Benchmark)\b|#\[(?:\w+::)*(?:test|rstest|bench)\b|(?:TEST|TEST_F|TEST_P|TYPED_TEST|TEST_CASE|SCENARIO)\s*\(|(?:it|test|specify)\s+["']|test\s+["'][^"']+["']\s+do)/;

export const beginsTest = (line: string): boolean => testHead.test(line);

function countTests(ground: Ground, path: string): number {
  return ground.lines
    .of(path)
    .reduce(
      (count, { side, text }) =>
        side === 'context' || !beginsTest(text) ? count : count + (side === 'added' ? 1 : -1),
      0,
    );
}

const countPlaces = (ground: Ground, path: string, name: string): number =>
  ground.lines
    .of(path)
    .reduce(
      (count, { side, text }) =>
        side === 'context' ? count : count + (side === 'added' ? 1 : -1) * countIn(text, name),
      0,
    );

export function mostUnderHolds({ folder }: Fact<'mostUnder'>, ground: Ground): boolean {
  const paths = [...ground.lines.files].map(({ path }) => path);
  const inside = paths.filter((path) => path.startsWith(`${folder.replace(/\/$/, '')}/`));
  return inside.length * 2 > paths.length;
}
