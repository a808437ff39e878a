import { execFileSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { pull, repository, type StandInPull, type StandInRepository, shaOf } from './github/state.ts';
import { git, settings } from './make-clone.ts';

/** An invisible character, which pages show by name: one byte becomes twelve. */
const hidden = '\u0001';

/** A file path as git prints it. */
const printed = (path: string): string => path.replaceAll(hidden, '\\001');

function fileDiff(path: string, lines: string[]): string {
  const name = (prefix: string): string => `"${prefix}/${printed(path)}"`;
  return `diff --git ${name('a')} ${name('b')}\nnew file mode 100644\nindex 0000000..1111111\n--- /dev/null\n+++ ${name('b')}\n@@ -0,0 +1,${lines.length} @@\n${lines.map((line) => `+${line}\n`).join('')}`;
}

interface AddedFile {
  path: string;
  lines: string[];
}

function adding(
  number: number,
  files: AddedFile[],
  rest: Partial<Omit<StandInPull, 'files'>> = {},
): StandInPull {
  return {
    ...pull(number, `worst-${number}`, rest),
    diff: files.map(({ path, lines }) => fileDiff(path, lines)).join(''),
    files: files.map(({ path, lines }) => ({
      filename: path,
      status: 'added',
      additions: lines.length,
      deletions: 0,
    })),
  };
}

const repeated = <Item>(count: number, make: (index: number) => Item): Item[] =>
  Array.from({ length: count }, (_, index) => make(index));

/** Markdown in which every character is markup or invisible, and blocks are nested as deeply as possible. */
const hostileMarkdown = [
  `${'> - '.repeat(100)}${hidden.repeat(400)}`,
  repeated(
    150,
    (index) => `- [ ] \`${'"&<'.repeat(4)}${index}\` **[&"](https://example.org/${'&'.repeat(8)})**`,
  ).join('\n'),
  `|${'a|'.repeat(60)}\n|${'-|'.repeat(60)}\n${`|${'&|'.repeat(60)}\n`.repeat(8)}`,
  `<details><summary>${'&'.repeat(200)}</summary>\n\n\`\`\`html\n${'<b>"&"</b>\n'.repeat(120)}\`\`\`\n\n</details>`,
  repeated(90, (index) => `Fixes #${index + 1}, see @${'a'.repeat(30)} and \`${'&'.repeat(30)}\`.`).join(' '),
].join('\n\n');

const longTitle = `feat: ${'&'.repeat(300)}${hidden.repeat(690)}`;

interface WorstSize {
  files: number;
  /** Further pull requests for lists. */
  others: number;
}

/** The pull requests with the largest pages: by file names, long lines, highlighted code and words. */
export function worstPulls({ files, others }: WorstSize): StandInPull[] {
  // In JSON an invisible character has six bytes, and all paths together have at most a mebibyte.
  const unseen = Math.min(240, Math.floor((1024 * 1024) / files / 6) - 4);
  const long = (index: number): string => `src/${hidden.repeat(unseen)}/${index}.ts`;
  const wide = adding(
    1,
    repeated(files, (index) => ({ path: long(index), lines: ['export {};'] })),
  );
  const lines = adding(2, [
    { path: 'src/lines.ts', lines: repeated(1_500, (index) => `${hidden.repeat(2_000)}${index}`) },
    { path: 'src/one.ts', lines: [hidden.repeat(900_000)] },
  ]);
  const code = adding(
    3,
    repeated(60, (index) => ({
      path: `src/${'deep/'.repeat(40)}code-${index}.ts`,
      lines: repeated(20, (line) => `export const a${line} = [${'1,"&",'.repeat(60)}0];`),
    })),
  );
  const labels = repeated(100, (index) => `${'&'.repeat(46)}${index}`);
  const words = adding(4, [{ path: 'src/words.ts', lines: ['export {};'] }], {
    title: longTitle,
    body: `${hostileMarkdown}\n\n${'&'.repeat(20_000)}`,
    labels,
  });
  const talk = adding(5, [{ path: 'src/talk.ts', lines: ['export {};'] }], {
    commits: repeated(250, (index) => ({
      sha: shaOf(`commit ${index}`),
      message: `${longTitle}\n\n${hostileMarkdown.slice(0, 1_500)}`,
      author: '&'.repeat(200),
    })),
    comments: repeated(1_000, (index) => ({
      author: `commenter-${index}`,
      body: hostileMarkdown.slice(0, 700),
      createdAt: '2026-03-01T10:00:00Z',
    })),
    closingIssues: repeated(100, (index) => ({
      number: 10_000 + index,
      title: longTitle,
      body: hostileMarkdown,
      repositoryId: 7,
    })),
  });
  const more = repeated(others, (index) =>
    adding(
      10 + index,
      [
        {
          path: `src/${hidden.repeat(200)}/other-${index}.ts`,
          lines: [`export function change${index}() {}`],
        },
      ],
      {
        title: longTitle,
        body: hostileMarkdown,
        labels,
      },
    ),
  );
  return [wide, lines, code, words, talk, ...more];
}

/** A pull request whose paths are almost as long as Linux allows. */
export const worstPaths = (number: number): StandInPull =>
  adding(
    number,
    repeated(280, (index) => ({ path: `${'a'.repeat(199)}/`.repeat(19) + index, lines: ['x'] })),
  );

export const worstOwner = 'o'.repeat(39);
export const worstName = 'r'.repeat(100);

export const worstRepository = (size: WorstSize): StandInRepository =>
  repository(7, `${worstOwner}/${worstName}`, { pulls: worstPulls(size) });

/** A clone at root/fullName with a release v1..v2 of many commits, each a pull request with the longest possible title. */
export function makeWorstRelease(root: string, fullName: string, commits: number): void {
  const folder = join(root, fullName);
  mkdirSync(folder, { recursive: true });
  git(folder, 'init', '--quiet', '--initial-branch=main');
  const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;
  const commit = (number: number): string =>
    `commit refs/heads/main\nmark :${number}\ncommitter Rin Example <rin@example.org> ${1_767_225_600 + number} +0000\n` +
    `${data(`feat!: ${'&'.repeat(900)} (#${number})\n\nBREAKING CHANGE: ${'&'.repeat(900)}`)}M 100644 inline src/item-${number % 50}.ts\n${data(`export const item = ${number};\n`)}\n`;
  const all = repeated(commits + 1, (index) => commit(index + 1)).join('');
  const tags = `reset refs/tags/v1\nfrom :1\n\nreset refs/tags/v2\nfrom :${commits + 1}\n\n`;
  execFileSync('git', ['-C', folder, 'fast-import', '--quiet'], { ...settings, input: all + tags });
}
