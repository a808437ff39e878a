import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { FileText, HostPullRequest, WantedText } from '../../code-hosts/code-host.ts';
import type { GitRunner } from '../../code-hosts/git-runner/run-git.ts';
import { StartupProblem } from '../../domain/errors.ts';
import { mostCommits } from '../../domain/pull-requests.ts';
import { linkedIssues } from '../../reading/description/linked-issues.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import { parseDiff } from '../../reading/parse-diff.ts';

const gitHeader = Buffer.from('\ndiff --git ');

/** Where the output of git begins; -1 if another tool made the diff. */
function startOfGitDiff(bytes: Buffer): number {
  if (bytes.subarray(0, gitHeader.length - 1).equals(gitHeader.subarray(1))) return 0;
  const found = bytes.indexOf(gitHeader);
  return found < 0 ? -1 : found + 1;
}

// biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
const colours = /\u001b\[[\d;]*[mK]/g;

/**
 * Converts a diff of any tool (`svn diff`, `hg diff`, `diff -ru`) to the form of git. Bytes stay unchanged, whatever
 * their encoding.
 */
function asGitDiff(given: Buffer): Buffer {
  const bytes = isColoured(given)
    ? Buffer.from(given.toString('latin1').replace(colours, ''), 'latin1')
    : given;
  return startOfGitDiff(bytes) >= 0 ? bytes : Buffer.from(convert(bytes.toString('latin1')), 'latin1');
}

const isColoured = (bytes: Buffer): boolean =>
  // biome-ignore lint/suspicious/noControlCharactersInRegex: these are what is looked for
  /^(?:\u001b\[[\d;]*m)+(?:diff|commit|---) /m.test(bytes.toString('latin1', 0, 10_000));

function convert(text: string): string {
  const lines = text.split('\n');
  const converted: string[] = [];
  let indexed = '';
  for (let at = 0; at < lines.length; at += 1) {
    const line = withoutReturn(lines[at]);
    indexed = /^Index: (.+)$/.exec(line)?.[1] ?? indexed;
    const binary = binaryIn(line, indexed);
    if (binary !== null) converted.push(`diff --git a/${binary} b/${binary}`, 'Binary files a and b differ');
    const [before, after] = [sideNamedBy('---', line), sideNamedBy('+++', withoutReturn(lines[at + 1]))];
    if (before === null || after === null || !lines[at + 2]?.startsWith('@@ -')) continue;
    converted.push(...headerOf(before, after));
    const end = endOfHunks(lines, at + 2);
    // Pushed one at a time, because a call takes at most some 100,000 arguments.
    for (const one of lines.slice(at + 2, end)) converted.push(one);
    at = end - 1;
  }
  return converted.length === 0 ? '' : `${converted.join('\n')}\n`;
}

const withoutReturn = (line = ''): string => line.replace(/\r$/, '');

function binaryIn(line: string, indexed: string): string | null {
  if (/^Cannot display: file marked as a binary type/.test(line)) return indexed || null;
  const [, ofMercurial, ofDiff] =
    /^Binary file (.+) has changed$|^Binary files .+ and (?:[^/]+\/)?(.+) differ$/.exec(line) ?? [];
  return ofMercurial ?? ofDiff ?? null;
}

interface Side {
  path: string;
  isAbsent: boolean;
}

/** A date or revision follows the path after a tab. */
function sideNamedBy(sign: string, line: string): Side | null {
  const [, path, about = ''] = /^(?:---|\+\+\+) ([^\t]+)(?:\t(.*))?$/.exec(line) ?? [];
  if (!path || !line.startsWith(`${sign} `)) return null;
  const isAbsent = path === '/dev/null' || /^(?:\(nonexistent\)|\(revision 0\)|1970-01-01 )/.test(about);
  return { path, isAbsent };
}

function headerOf(before: Side, after: Side): string[] {
  const path = patchPath(before, after);
  return [
    `diff --git a/${path} b/${path}`,
    ...(before.isAbsent ? ['new file mode 100644'] : []),
    ...(after.isAbsent ? ['deleted file mode 100644'] : []),
    `--- ${before.isAbsent ? '/dev/null' : `a/${path}`}`,
    `+++ ${after.isAbsent ? '/dev/null' : `b/${path}`}`,
  ];
}

/** The folders being compared, such as a and b, are not part of the path. */
function patchPath(before: Side, after: Side): string {
  const inside = (path: string): string => path.replace(/^[^/]+\//, '');
  if (before.path === '/dev/null') return after.path.replace(/^b\//, '');
  if (after.path === '/dev/null') return before.path.replace(/^a\//, '');
  const isCompared = before.path !== after.path && inside(before.path) === inside(after.path);
  return isCompared ? inside(after.path) : after.path;
}

function endOfHunks(lines: string[], start: number): number {
  let at = start;
  for (;;) {
    const [, removed = '1', added = '1'] =
      /^@@ -\d+(?:,(\d+))? \+\d+(?:,(\d+))? @@/.exec(lines[at] ?? '') ?? [];
    if (!lines[at]?.startsWith('@@ -')) return at;
    let [old, fresh] = [Number(removed), Number(added)];
    at += 1;
    for (; at < lines.length && (old > 0 || fresh > 0 || lines[at]?.startsWith('\\')); at += 1) {
      const sign = lines[at]?.[0];
      if (sign !== '+' && sign !== '\\') old -= 1;
      if (sign !== '-' && sign !== '\\') fresh -= 1;
    }
  }
}

interface PatchWords {
  title: string;
  body: string;
  author: string;
}

const beginning = /^(?:From|commit) [0-9a-f]{40}\b/gm;

function wordsOfPatches(bytes: Buffer): PatchWords[] {
  const starts = Array.from(bytes.toString('latin1').matchAll(beginning), ({ index }) => index);
  return [0, ...starts.filter((start) => start > 0)]
    .slice(0, mostCommits)
    .map((start) => wordsOfPatch(bytes.toString('utf8', start, start + mostOfWords)))
    .filter(({ title }) => title !== '');
}

const mostOfWords = 100_000;

const diffs = /^(?:diff |Index: |--- \S)/m;

/**
 * The title, text and author in a patch of `git format-patch` or `hg export`, or in a commit of `git show`; empty if
 * there are none.
 */
function wordsOfPatch(given: string): PatchWords {
  const text = (given.split(diffs)[0] ?? '').replaceAll('\r\n', '\n');
  return ofMail(text) ?? ofCommit(text) ?? ofChangeset(text) ?? { title: '', body: '', author: '' };
}

function ofMail(text: string): PatchWords | null {
  const [, headers, message = ''] =
    /^(?:From \w+ .*\n)?((?:[\w-]+: .*\n(?:[ \t].*\n)*)+)\n([\s\S]*)$/.exec(text) ?? [];
  if (headers === undefined || !/^Subject: /m.test(headers)) return null;
  const header = (name: string): string =>
    decodeWords(new RegExp(`^${name}: (.*(?:\\n[ \\t].*)*)`, 'm').exec(headers)?.[1] ?? '').replace(
      /\n[ \t]/g,
      ' ',
    );
  const body = message.split(/^---$/m)[0] ?? '';
  return wordsFrom(header('Subject').replace(/^(?:\[[^\]]*\]\s*)+/, ''), body, header('From'));
}

function ofCommit(text: string): PatchWords | null {
  const [, headers, message] =
    /^commit [0-9a-f]{7,64}.*\n((?:\w+: .*\n)*)\n((?: {4}.*\n|\n)+)/.exec(text) ?? [];
  if (headers === undefined || message === undefined) return null;
  const [subject = '', ...rest] = message.replace(/^ {4}/gm, '').trim().split('\n');
  return wordsFrom(subject, rest.join('\n'), /^Author: +(.*)$/m.exec(headers)?.[1] ?? '');
}

function ofChangeset(text: string): PatchWords | null {
  const [, headers, message] = /^# HG changeset patch\n((?:#.*\n)*)([\s\S]*)$/.exec(text) ?? [];
  if (headers === undefined || message === undefined) return null;
  const [subject = '', ...rest] =
    message
      .split(/^(?:diff|---) /m)[0]
      ?.trim()
      .split('\n') ?? [];
  return wordsFrom(subject, rest.join('\n'), /^# User (.*)$/m.exec(headers)?.[1] ?? '');
}

const wordsFrom = (title: string, body: string, author: string): PatchWords => ({
  title: title.trim(),
  body: body.trim(),
  author: author
    .replace(/\s*<[^<>]*>\s*$/, '')
    .replace(/^"(.*)"$/, '$1')
    .trim(),
});

/** Mail encodes words that are not ASCII, without a space between two of them. */
const decodeWords = (text: string): string =>
  text
    .replace(/(\?=)\s+(?==\?)/g, '$1')
    .replace(
      /=\?([\w-]+)\?([bq])\?([^?\s]*)\?=/gi,
      (whole, charset: string, form: string, coded: string) => decodeWord(charset, form, coded) ?? whole,
    );

function decodeWord(charset: string, form: string, coded: string): string | null {
  const bytes =
    form.toLowerCase() === 'b'
      ? Buffer.from(coded, 'base64')
      : Buffer.from(
          coded
            .replaceAll('_', ' ')
            .replace(/=([0-9a-f]{2})/gi, (_, digits: string) =>
              String.fromCharCode(Number.parseInt(digits, 16)),
            ),
          'latin1',
        );
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return null;
  }
}

/** The limit of memory for a patch, and of the length of a string. */
const mostBytes = 500 * 1024 * 1024;

const chunkBytes = 1024 * 1024;

export async function readPatch(
  input: AsyncIterable<Buffer>,
  textsOf?: (files: FileDiff[]) => HostPullRequest['fileTexts'],
): Promise<HostPullRequest> {
  const given = await readAll(input);
  const bytes = asGitDiff(given);
  const files = parseDiff(bytes);
  requireDiff(given, files);
  const patches = wordsOfPatches(startOfGitDiff(bytes) > 0 ? bytes : given);
  const [first = anonymous] = patches;
  // The first of several patches does not say what all of them are about.
  const { title, body } = patches.length > 1 ? anonymous : first;
  const author = patches.every((patch) => patch.author === first.author) ? first.author : '';
  const commits = patches.map((words) => ({
    sha: '',
    message: [words.title, words.body].filter(Boolean).join('\n\n'),
    author: words.author,
  }));
  const fileTexts = textsOf?.(files);
  const words = { title, body, commitMessages: commits.map(({ message }) => message) };
  return {
    ...nothingKnown,
    title,
    body: body || null,
    authorLogin: author,
    commits,
    ...(fileTexts && { fileTexts }),
    linkedIssues: linkedIssues({ repository: '', ...words }).map((number) => ({
      number,
      title: '',
      body: null,
    })),
    async *diff() {
      for (let at = 0; at < bytes.length; at += chunkBytes) yield bytes.subarray(at, at + chunkBytes);
    },
    fileSummaries: async () =>
      files.map(({ path, previousPath, status, additions, deletions }) => ({
        path,
        previousPath,
        status,
        additions,
        deletions,
      })),
  };
}

const anonymous = { title: '', body: '', author: '' };

const nothingKnown = {
  number: 0,
  url: null,
  state: 'open' as const,
  createdAt: new Date(0),
  mergedAt: null,
  updatedAt: null,
  version: null,
  labels: [],
  baseRef: '',
  headRef: '',
  headSha: '',
  baseSha: '',
  comments: [],
};

async function readAll(input: AsyncIterable<Buffer>): Promise<Buffer> {
  const chunks: Buffer[] = [];
  let size = 0;
  for await (const chunk of input) {
    chunks.push(chunk);
    size += chunk.length;
    if (size > mostBytes)
      throw new StartupProblem(
        `This diff is larger than ${mostBytes / 1024 / 1024} MiB. Pipe a part of it, such as git diff -- src.`,
      );
  }
  return Buffer.concat(chunks);
}

function requireDiff(given: Buffer, files: FileDiff[]): void {
  if (files.length === 0) throw new StartupProblem(whyNoDiff(given));
  const paths = new Set<string>();
  for (const { path } of files) {
    if (paths.has(path))
      throw new StartupProblem(
        `This diff changes ${path} more than once, like a series of patches. Pipe one patch at a time, or the output of git diff ` +
          'BASE...HEAD.',
      );
    paths.add(path);
  }
}

function whyNoDiff(given: Buffer): string {
  if (given.every((byte) => byte <= 0x20)) return 'The diff is empty: there is nothing to explain.';
  if (/^diff --(?:cc|combined) /m.test(given.toString('latin1', 0, 1_000_000)))
    return 'This is a combined diff of a merge. Pipe git diff MERGE^1 MERGE instead.';
  return 'The input is not a diff. Pipe the output of git diff, git format-patch --stdout, svn diff or hg diff.';
}

const mostTextBytes = 1024 * 1024;

/**
 * Reads the whole files of a piped diff if it is run within their repository, which shows the functions that the lines
 * are in.
 */
export function besidePatch(openGit: () => Promise<GitRunner>, folder: string) {
  let opened: GitRunner | null = null;
  const textsOf = (files: FileDiff[]): HostPullRequest['fileTexts'] =>
    liesInRepository(folder)
      ? async function* (wanted) {
          const [git, { findOwnClone }, { readNamedTexts }] = await Promise.all([
            openGit(),
            import('../../code-hosts/git/own-clone.ts'),
            import('../../code-hosts/git-runner/read-objects.ts'),
          ]);
          opened = git;
          const clone = await findOwnClone(git, folder);
          if (!clone) return;
          const ids = textIdsOf(files, wanted);
          const missing = new Set(ids.keys());
          for await (const text of readNamedTexts(git, clone, ids)) {
            missing.delete(text.place);
            yield text;
          }
          yield* readCheckedOut(clone.root, { wanted, ids, missing });
        }
      : undefined;
  return { textsOf, close: async () => opened?.spawner.close() };
}

function liesInRepository(folder: string): boolean {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git')) || existsSync(join(at, 'objects'))) return true;
    if (dirname(at) === at) return false;
  }
}

function textIdsOf(files: FileDiff[], wanted: WantedText[]): string[] {
  const bySide = new Map<string, string>();
  for (const { path, previousPath, bytes } of files) {
    const [, old, now] =
      /^index ([0-9a-f]{7,64})\.\.([0-9a-f]{7,64})/m.exec(bytes.toString('latin1', 0, 4_096)) ?? [];
    if (old) bySide.set(`old ${previousPath ?? path}`, old);
    if (now) bySide.set(`new ${path}`, now);
  }
  return wanted.map(({ path, side }) => bySide.get(`${side} ${path}`) ?? 'none');
}

/** Uncommitted files are read from the folder, if they are the ones that the diff was made from. */
async function* readCheckedOut(
  root: string,
  { wanted, ids, missing }: { wanted: WantedText[]; ids: string[]; missing: Set<number> },
): AsyncGenerator<FileText> {
  for (const place of missing) {
    const { path = '', side } = wanted[place] ?? {};
    const file = join(root, path);
    if (side !== 'new' || relative(root, file).startsWith('..')) continue;
    const bytes = await readSmall(file);
    if (bytes && isBlob(bytes, ids[place] ?? '')) yield { place, text: bytes.toString('utf8') };
  }
}

async function readSmall(file: string): Promise<Buffer | null> {
  const about = await stat(file).catch(() => null);
  return about?.isFile() && about.size <= mostTextBytes ? readFile(file).catch(() => null) : null;
}

const isBlob = (bytes: Buffer, id: string): boolean =>
  createHash(id.length > 40 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex')
    .startsWith(id);
