import { GrammarLibrary } from '../src/grammars.ts';
import { readChangeType } from '../src/reading/change-type/read-change-type.ts';
import { cleanDescription } from '../src/reading/description/clean-description.ts';
import { findStatedClaims } from '../src/reading/description/find-claims.ts';
import { linkedIssues } from '../src/reading/description/linked-issues.ts';
import type { FileKind } from '../src/reading/facts.ts';
import { matchGlob } from '../src/reading/match-glob.ts';
import { readFile } from '../src/reading/read-file.ts';
import { WholeDiff } from '../src/reading/whole-diff.ts';
import { paragraphsOfText } from '../src/writing/markdown-text.ts';
import { plainText } from '../src/writing/plain-text.ts';
import { diffOf } from '../test/diff-of.ts';

// Lets each reader read hostile input of some size and of four times that size, and prints how much longer a byte takes
// in the larger one: about 1 where the time grows with the size, about 4 where it grows with its square.
// Usage: node bench/growth.ts [--size 100000]

const size = Number(process.argv[process.argv.indexOf('--size') + 1]) || 100_000;
const rounds = 5;

type Reader = (text: string) => unknown;

const grammars = await new GrammarLibrary().loadFor([{ path: 'a.ts', language: 'TypeScript' }]);
const added = (path: string, text: string) => diffOf(path, text.replace(/^/gm, '+'));
function readAlone(path: string, kind: FileKind, text: string) {
  const file = added(path, text);
  const whole = new WholeDiff();
  whole.note(file);
  return readFile({ file, kind, language: kind === 'manifest' ? 'JSON' : 'TypeScript' }, grammars, whole, [
    'handle',
    'it',
  ]);
}

const described = (body: string) => ({ title: 'Handle it', body, commitMessages: [], labels: [] });

const ofDescriptions: Record<string, Reader> = {
  cleanDescription,
  findStatedClaims: (text) => findStatedClaims(text),
  linkedIssues: (text) => linkedIssues('', text, []),
  readChangeType: (text) => readChangeType(described(text), []),
  plainText,
  paragraphsOfText,
};

const ofFiles: Record<string, Reader> = {
  'readFile of source': (text) => readAlone('a.ts', 'source', text),
  'readFile of tests': (text) => readAlone('a.test.ts', 'test', text),
  'readFile of a manifest': (text) => readAlone('package.json', 'manifest', text),
  'readFile of documents': (text) => readAlone('a.md', 'documentation', text),
  matchGlob: (text) => matchGlob(`${text}b`.split('/'), 'a/'.repeat(1_000).split('/'), { steps: 10_000 }),
};

/** What is repeated until the size is reached. */
const hostileText = [
  '<!-- ',
  '<b>',
  '<a "',
  '<div hidden>',
  '[',
  '[a](',
  '![',
  '](',
  '`',
  '`a``',
  '**a ',
  '~~a ',
  '&#',
  '> ',
  '- [ ] x\n',
  '* a\n\n',
  '| --- ',
  '```\n',
  '-- \n',
  '===\nx\n',
  ' ',
  ' \n',
  '. ',
  '(a. ',
  'Fixes #1, ',
  'fixes a/b',
  '# \n',
  '1.',
];
const hostileLines = [
  'function f(',
  "\\'",
  'a ',
  'const a = (',
  ' ',
  '    class A {\n',
  'a.get(',
  '"a": "',
  '/* ',
  '*a',
  '**/a/',
  '@@ -1 +1 @@\n',
  'process.env.A_B ',
];

/** Of this process alone, so that others on the machine do not count. */
function milliseconds(read: Reader, text: string): number {
  const before = process.cpuUsage();
  read(text);
  const { user, system } = process.cpuUsage(before);
  return (user + system) / 1_000;
}

/** The least of several runs, taken in turns, is what the input costs; whatever is more, the machine did meanwhile. */
function growthOf(read: Reader, piece: string): { growth: number; ms: number } {
  const small = piece.repeat(size / piece.length);
  const large = small.repeat(4);
  read(small);
  let [least, leastOfLarge] = [Number.POSITIVE_INFINITY, Number.POSITIVE_INFINITY];
  for (let round = 0; round < rounds; round += 1) {
    least = Math.min(least, milliseconds(read, small));
    leastOfLarge = Math.min(leastOfLarge, milliseconds(read, large));
  }
  return { growth: leastOfLarge / least / 4, ms: leastOfLarge };
}

/** What takes less than this is not measured well enough to say how it grows, and need not be. */
const leastMs = 5;

function worstOf(read: Reader, pieces: string[]) {
  let worst = { 'per byte, four times as large': 0, repeated: '', ms: 0 };
  for (const piece of pieces) {
    const { growth, ms } = growthOf(read, piece);
    if (ms >= leastMs && growth > worst['per byte, four times as large'])
      worst = {
        'per byte, four times as large': Number(growth.toFixed(2)),
        repeated: JSON.stringify(piece),
        ms: Math.round(ms),
      };
  }
  return worst;
}

console.log(`${size} bytes against ${4 * size}; for each reader the input under which it grows most`);
console.table(
  Object.fromEntries([
    ...Object.entries(ofDescriptions).map(([name, read]) => [name, worstOf(read, hostileText)]),
    ...Object.entries(ofFiles).map(([name, read]) => [name, worstOf(read, hostileLines)]),
  ]),
);
