import type { PullRequestText } from '../../src/reading/facts.ts';

/** A pull request with a stranger's text in one place. */
export interface HostilePullRequest extends PullRequestText {
  body: string;
  comment: string;
  diff: string;
  /** The text that a model wrote about it. */
  answer?: string;
}

export interface InjectionPoint {
  name: string;
  put: (text: string) => HostilePullRequest;
}

const ordinary = {
  title: 'Handle the gap between two pages (#7)',
  body: 'The cursor skipped a row when a page ended early. Now `Cursor.next` looks again.\n\nFixes #6',
  comment: 'Looks good. Does `next` close the cursor?',
  commitMessages: ['fix: look again where a page ended early'],
  labels: ['bug'],
};
const ordinaryDiff = fileDiff('src/cursor.ts', '-const a = next(1);\n+const a = next(1, { again: true });');

/** Every kind of file with a reader of its own. */
const paths =
  `src/a.ts src/a.jsx src/a.py src/a.rb src/a.go src/a.rs src/a.java src/a.kt src/a.php src/a.cs src/a.cpp src/a.c src/a.ex
src/a.swift src/a.scala src/a.dart src/a.lua src/a.sh src/a.css src/a.sql src/a.vue src/a.html docs/a.md docs/a.rst CHANGELOG.md src/a.test.ts
test/a_test.py spec/a_spec.rb a_test.go package.json requirements.txt pyproject.toml Gemfile go.mod Cargo.toml pom.xml build.gradle
a.csproj mix.exs composer.json pubspec.yaml config/a.yml config/a.json config/a.toml config/a.ini config/a.properties .env Dockerfile
.github/workflows/a.yml Makefile`.split(/\s+/);

/** A diff of one file as git prints it; the lines of its body begin with ` `, `+` or `-`. */
function fileDiff(path: string, body: string): string {
  const lines = body.split('\n');
  const without = (sign: string) => lines.filter((line) => !line.startsWith(sign)).length;
  const name = quotePath(path);
  return [
    `diff --git ${name('a/')} ${name('b/')}`,
    'index 1111111..2222222 100644',
    `--- ${name('a/')}`,
    `+++ ${name('b/')}`,
    `@@ -1,${without('+')} +1,${without('-')} @@`,
    ...lines,
    '',
  ].join('\n');
}

/** Git quotes paths with characters that could be misread. */
export function quotePath(path: string): (prefix: string) => string {
  const isPlain = /^[\w./ -]+$/.test(path);
  if (isPlain) return (prefix) => prefix + path;
  const octal = (byte: number) => `\\${byte.toString(8).padStart(3, '0')}`;
  const quoted = Array.from(Buffer.from(path), (byte) =>
    byte < 32 || byte > 126
      ? octal(byte)
      : byte === 34 || byte === 92
        ? `\\${String.fromCharCode(byte)}`
        : String.fromCharCode(byte),
  ).join('');
  return (prefix) => `"${prefix}${quoted}"`;
}

const signed = (sign: string, text: string): string => text.replace(/^/gm, sign);

/**
 * The text with other words in the middle of its middle line: the same edit at each size, because other edits would
 * take other times.
 */
function changed(text: string): string {
  const middle = Math.floor(text.length / 2);
  const start = text.lastIndexOf('\n', middle - 1) + 1;
  const next = text.indexOf('\n', middle);
  const place = Math.floor((start + (next === -1 ? text.length : next)) / 2);
  return `${text.slice(0, place)} other words ${text.slice(place)}`;
}

/** Each line of the text replaces another, with an unchanged line between. */
const rewritten = (text: string): string =>
  text
    .split('\n')
    .map((line) => `-${line.replaceAll(/\p{L}{3,}/gu, 'old$&')}\n+${line}`)
    .join('\n \n');

const inWords: InjectionPoint[] = [
  { name: 'title', put: (text) => ({ ...ordinary, diff: ordinaryDiff, title: text }) },
  { name: 'body', put: (text) => ({ ...ordinary, diff: ordinaryDiff, body: text }) },
  {
    name: 'commit',
    put: (text) => ({ ...ordinary, diff: ordinaryDiff, commitMessages: [text, `Do it\n\n${text}`] }),
  },
  { name: 'comment', put: (text) => ({ ...ordinary, diff: ordinaryDiff, comment: text }) },
  { name: 'answer', put: (text) => ({ ...ordinary, diff: ordinaryDiff, answer: text }) },
];

const inFiles: InjectionPoint[] = paths.flatMap((path) => [
  {
    name: `added line of ${path}`,
    put: (text) => ({ ...ordinary, diff: fileDiff(path, signed('+', text)) }),
  },
  {
    name: `changed line of ${path}`,
    put: (text) => ({
      ...ordinary,
      diff: fileDiff(path, `${signed('-', text)}\n${signed('+', changed(text))}`),
    }),
  },
  {
    name: `rewritten lines of ${path}`,
    put: (text) => ({ ...ordinary, diff: fileDiff(path, rewritten(text)) }),
  },
]);

const inNames: InjectionPoint[] = [
  {
    name: 'file name',
    put: (text) => ({ ...ordinary, diff: fileDiff(`src/${text.replaceAll('\0', '')}.ts`, '-a\n+b') }),
  },
];

/** The places where a text is tried: all texts of people, names, and lines of some kinds of files. */
export function injectionPointsFor(index: number, kinds: number): InjectionPoint[] {
  const first = (index * kinds) % inFiles.length;
  return [
    ...inWords,
    ...inNames,
    ...[...inFiles.slice(first), ...inFiles].slice(0, Math.min(kinds, inFiles.length)),
  ];
}
