import { countOf } from '../facts/files-and-counts.ts';
import { countIn } from '../stands-in-text.ts';
import type { Said, Sentence } from './said.ts';

type Counted = Extract<Said, { kind: 'count' }>;

/** Counted anew: in what is cited, in the file that is told of, or in all. */
export function isCounted({ of, value }: Counted, { scope, file, marked }: Sentence): boolean {
  const { lines } = scope.ground;
  const cited = scope.files.flatMap(({ path }) => lines.file(path) ?? []);
  return [cited, file ? [file] : cited, [...lines.files]].some((files) => {
    const changes = (count: (text: string) => number) => {
      const changed = files.flatMap(({ path }) => lines.of(path)).filter(({ block }) => block !== null);
      return changed.reduce((sum, { side, text }) => sum + (side === 'added' ? 1 : -1) * count(text), 0);
    };
    if (of === 'tests') return changes((text) => Number(beginsTest(text))) === value;
    if (of !== 'places') return countOf(of, files, scope.ground) === value;
    // Places are how often a name stands on added lines less how often on removed ones, or the reverse.
    return marked.marks.some((mark) => Math.abs(changes((text) => countIn(text, mark.text))) === value);
  });
}

/** What a test begins with: a call with its name, a keyword with a name that says so, or a mark above it. */
const testHead =
  /^\s*(?:(?:it|test|specify|scenario)(?:\.\w+)*(?:\([^()]*\))?\s*\(\s*["'`]|(?:async\s+)?def\s+test_|func\s+(?:Test|Benchmark|Fuzz|Example)\w*\(|func\s+test\w*\(|@(?:Test|ParameterizedTest|Benchmark)\b|#\[(?:\w+::)*(?:test|rstest|bench)\b|(?:TEST|TEST_F|TEST_P|TYPED_TEST|TEST_CASE|SCENARIO)\s*\(|(?:it|test|specify)\s+["']|test\s+["'][^"']+["']\s+do)/;

export const beginsTest = (line: string): boolean => testHead.test(line);
