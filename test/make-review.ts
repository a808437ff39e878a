import { createTwoFilesPatch } from 'diff';
import { mostQuotedLines } from '../src/code-hosts/reviews.ts';
import type {
  Discussion,
  DiscussionComment,
  DiscussionReview,
  DiscussionThread,
} from '../src/domain/reviews.ts';
import { classifyFile } from '../src/reading/classify-file.ts';
import { linesOf } from '../src/reading/file-diff.ts';
import { parseDiff } from '../src/reading/parse-diff.ts';
import { quotedLines } from '../src/reading/quoted-code.ts';
import { outlineFile } from '../src/reading/symbols/outline-file.ts';
import type { ReviewSource } from '../src/writing/reviews.ts';

export interface MadeFile {
  path: string;
  /** The file before the pull request, when it was commented on, and at the end; null if it does not exist. */
  base: string | null;
  reviewed?: string | null;
  end: string | null;
  /** The final path of the file, if it was moved after the comment. */
  endPath?: string;
}

export interface MadeThread {
  file: MadeFile;
  /** The last commented line, and the number of commented lines. */
  on: string;
  lines?: number;
  /** Comments of the thread as AUTHOR: TEXT. */
  said: string[];
  sha?: string | null;
  minute?: number;
  /** How many lines after the commented ones the host shows; null if it shows none at all. */
  behind?: number | null;
  /** The number of lines after the hunk that the host shows. */
  ofFile?: number;
}

export interface MadeReview {
  threads?: MadeThread[];
  comments?: string[];
  /** A general comment as AUTHOR: TEXT, of which the host shows what it quotes in files of that time. */
  general?: { said: string; file: MadeFile; also?: MadeFile; sha?: string };
  reviews?: [author: string, state: DiscussionReview['state'], sha: string, minute: number][];
  pushes?: Discussion['pushes'];
  references?: Discussion['references'];
  files?: MadeFile[];
  hasAllFiles?: boolean;
}

export const atMinute = (minute: number): string =>
  new Date(Date.UTC(2026, 2, 1, 10, minute)).toISOString().replace('.000Z', 'Z');

const commentOf = (text: string, minute: number): DiscussionComment => {
  const [, author = '', body = ''] = /^(\S+): (.*)$/s.exec(text) ?? [];
  const isBot = author.endsWith('[bot]');
  return { author, isBot, body, isCut: false, createdAt: atMinute(minute), anchor: `discussion_r${minute}` };
};

const patchOf = (path: string, before: string | null, after: string | null, context = 3): string =>
  createTwoFilesPatch(
    before === null ? '/dev/null' : `a/${path}`,
    after === null ? '/dev/null' : `b/${path}`,
    before ?? '',
    after ?? '',
    '',
    '',
    { context },
  ).replace(/^=+\n/, '');

/** The hunk up to the commented line, as GitHub shows it. */
function hunkAt(
  { path, base, reviewed = null }: MadeFile,
  on: string,
  behind: number,
): { hunk: string; line: number; last: number } {
  const hunks = patchOf(path, base, reviewed)
    .split(/^(?=@@ )/m)
    .slice(1);
  for (const hunk of hunks) {
    const lines = hunk.split('\n').filter((line) => !line.startsWith('\\'));
    const at = lines.findIndex((line) => !line.startsWith('-') && line.slice(1).trim() === on);
    if (at === -1) continue;
    const start = Number(/\+(\d+)/.exec(lines[0] ?? '')?.[1]);
    const before = lines.slice(1, at).filter((line) => !line.startsWith('-')).length;
    const shown = lines.slice(0, at + 1 + behind).filter((line) => line !== '');
    const last = start + shown.slice(1).filter((line) => !line.startsWith('-')).length - 1;
    return { hunk: shown.join('\n'), line: start + before, last };
  }
  throw new Error(`No hunk of the test has ${on}.`);
}

function threadOf({
  file,
  on,
  lines = 1,
  said,
  sha = 'first',
  minute = 10,
  behind = 0,
  ofFile = 0,
}: MadeThread): DiscussionThread {
  const found = hunkAt(file, on, behind ?? 0);
  return {
    path: file.path,
    side: 'new',
    sha,
    startLine: found.line - lines + 1,
    line: found.line,
    hunk: behind === null ? null : found.hunk,
    behind: (file.reviewed ?? '').split('\n').slice(found.last, found.last + ofFile),
    isResolved: null,
    resolvedBy: null,
    isOutdated: null,
    comments: said.map((text, index) => commentOf(text, minute + index)),
  };
}

function fileOf({ path, endPath = path, base, end }: MadeFile): ReviewSource['files'] {
  const head = `diff --git a/${endPath} b/${endPath}\n${base === null ? 'new file mode 100644\n' : ''}${end === null ? 'deleted file mode 100644\n' : ''}`;
  const [file] = parseDiff(Buffer.from(head + patchOf(endPath, base, end)));
  if (!file) return [];
  const { kind, language } = classifyFile(file);
  const changed = file.hunks.flatMap((hunk) =>
    linesOf(hunk).flatMap(({ side, newLine }) => (side === 'added' ? (newLine ?? []) : [])),
  );
  const { ranges } = outlineFile({ path: endPath, kind, language, side: 'new', changed }, end ?? '');
  return [{ file, kind, ranges }];
}

function generalOf({
  said,
  file,
  also,
  sha = 'first',
}: NonNullable<MadeReview['general']>): DiscussionComment {
  const comment = commentOf(said, 10);
  const files = [also ?? [], file].flat().flatMap(({ path, reviewed }) => {
    const lines = quotedLines(comment.body, reviewed ?? '');
    return lines.length <= mostQuotedLines ? [{ path, lines }] : [];
  });
  return { ...comment, quoted: { sha, files } };
}

/** A pull request by `author` in its final state on the host, with the head `last`. */
export function makeReview({
  threads = [],
  comments = [],
  general,
  reviews = [],
  pushes = [],
  references = [],
  files = [],
  hasAllFiles = true,
}: MadeReview): ReviewSource {
  const made = [
    ...threads.map(({ file }) => file),
    ...(general ? [general.also ?? [], general.file].flat() : []),
    ...files,
  ];
  const all = new Map(made.map((file) => [file.path, file]));
  return {
    discussion: {
      reviews: reviews.map(([author, state, sha, minute]) => ({
        ...commentOf(`${author}: `, minute),
        state,
        sha,
      })),
      threads: threads.map(threadOf),
      comments: [
        ...comments.map((text, index) => commentOf(text, index)),
        ...(general ? [generalOf(general)] : []),
      ],
      pushes,
      references,
      hasMore: false,
    },
    authorLogin: 'author',
    headSha: 'last',
    files: [...all.values()].flatMap(fileOf),
    hasAllFiles,
    hostUrl: 'https://github.com/acme/rocket/pull/1',
    isMerged: true,
    writtenAt: atMinute(30),
    linesUrl: () => null,
  };
}
