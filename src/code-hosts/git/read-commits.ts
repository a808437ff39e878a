import { StringDecoder } from 'node:string_decoder';
import { type Clone, type GitRunner, runGit, streamGit } from '../git-runner/run-git.ts';
import { earliestTime, latestTime } from '../payload-types.ts';

export interface Commit {
  sha: string;
  authorName: string;
  authorEmail: string;
  authorLogin: string;
  authoredAt: Date | null;
  committedAt: Date | null;
  subject: string;
  body: string;
  parents: string[];
}

const mostOfDescription = 65_536;

const fieldsFor = (mostOfBody: number) => [
  shaField,
  { format: '%an', most: 200 },
  { format: '%ae', most: 200 },
  { format: '%at', most: 30 },
  { format: '%ct', most: 30 },
  subjectField,
  { format: '%b', most: mostOfBody },
  { format: '%P', most: 400 },
];

export async function readCommits(
  git: GitRunner,
  clone: Clone,
  parameters: string[],
  { input = '', mostOfBody = mostOfDescription } = {},
): Promise<Commit[]> {
  const commits: Commit[] = [];
  for await (const record of readLog(git, clone, fieldsFor(mostOfBody), parameters, input)) {
    const [
      sha = '',
      author = '',
      authorEmail = '',
      authored,
      committed,
      subject = '',
      body = '',
      parents = '',
    ] = record;
    const authorName = withoutDomain(author);
    commits.push({
      sha,
      authorName,
      authorEmail,
      authorLogin: loginOf({ authorName, authorEmail }),
      authoredAt: dateFrom(authored),
      committedAt: dateFrom(committed),
      subject,
      body: body.trim(),
      parents: parents.split(' ').filter(Boolean),
    });
  }
  return commits;
}

const withoutDomain = (name: string): string => name.split('\\').at(-1)?.trim() || name;

export function dateFrom(seconds: string | undefined): Date | null {
  const time = seconds ? Number(seconds) * 1000 : Number.NaN;
  return time >= earliestTime && time <= latestTime ? new Date(time) : null;
}

export function loginOf({ authorName, authorEmail }: Pick<Commit, 'authorName' | 'authorEmail'>): string {
  return /^(?:\d+\+)?([A-Za-z0-9-]+)@users\.noreply\./.exec(authorEmail)?.[1] ?? authorName;
}

interface LogField {
  format: string;
  most: number;
}

export const shaField: LogField = { format: '%H', most: 64 };
export const subjectField: LogField = { format: '%s', most: 1_000 };

/**
 * Streams fields of `git log`. Strangers write commits, so overlong fields lose their middle before they fill the
 * memory.
 */
export async function* readLog(
  git: GitRunner,
  clone: Clone,
  fields: LogField[],
  parameters: string[],
  input = '',
): AsyncGenerator<string[], void> {
  // No field can contain NUL, which also ends each record with -z.
  const format = `--format=${fields.map((field) => field.format).join('%x00')}`;
  const decoder = new StringDecoder('utf8');
  let record: string[] = [];
  let unfinished = '';
  for await (const chunk of streamGit(git, clone, ['log', '-z', format, ...parameters], { input })) {
    const pieces = decoder.write(chunk).split('\0');
    for (const [index, piece] of pieces.entries()) {
      unfinished = withoutMiddle(unfinished + piece, fields[record.length]?.most ?? 0);
      if (index === pieces.length - 1) break;
      record.push(unfinished);
      unfinished = '';
      if (record.length < fields.length) continue;
      yield record;
      record = [];
    }
  }
}

function withoutMiddle(text: string, most: number): string {
  const half = most >> 1;
  if (text.length <= 2 * half + 1) return text;
  return `${text.slice(0, half)}…${text.slice(-half)}`.toWellFormed();
}

export interface Branch {
  head: string;
  base: string | null;
}

interface Repository {
  git: GitRunner;
  clone: Clone;
}

/** 200,000 commits, as many as the longest histories have along their first parents. */
const mostPrinted = 16 * 1024 * 1024;

/**
 * The commits along the first parents of each branch that its base lacks, newest first. Branches are read together to
 * save runs of git.
 */
export async function ownCommits(repository: Repository, branches: Branch[]): Promise<string[][]> {
  if (branches.length === 0) return [];
  const { git, clone } = repository;
  const bases = [...new Set(branches.flatMap(({ base }) => base ?? []))];
  // Only commits that all bases contain may be excluded.
  const excluded = branches.every(({ base }) => base) ? await commonAncestor(git, clone, bases) : null;
  const input = [...branches.map(({ head }) => head), ...bases, ...(excluded ? [`^${excluded}`] : [])].join(
    '\n',
  );
  const printed = await runGit(git, clone, ['rev-list', '--first-parent', '--parents', '--stdin'], {
    input,
    maxBytes: mostPrinted,
  });
  const parents = new Map(
    [...printed.matchAll(/^(\w+)(?: (\w+))?/gm)].map(([, child = '', parent = '']) => [child, parent]),
  );
  const lines = branches.map(({ head, base }) => ({
    line: beforeTheyMeet(lineFrom(head, parents), lineFrom(base ?? '', parents)),
    base: base === excluded ? null : base,
  }));
  return cutAtBases(repository, lines);
}

function lineFrom(start: string, parents: Map<string, string>): string[] {
  const line: string[] = [];
  for (let at = start, parent = parents.get(at); parent !== undefined; parent = parents.get(at)) {
    line.push(at);
    at = parent;
  }
  return line;
}

function beforeTheyMeet(line: string[], other: string[]): string[] {
  let shared = 0;
  while (shared < line.length && line.at(-1 - shared) === other.at(-1 - shared)) shared += 1;
  return line.slice(0, line.length - shared);
}

/**
 * Cuts each list of commits at the first one in its base, by bisection from the oldest commit, which usually decides.
 */
async function cutAtBases(
  { git, clone }: Repository,
  lines: { line: string[]; base: string | null }[],
): Promise<string[][]> {
  const searches = lines.map(({ line, base }) => ({
    line,
    base,
    from: 0,
    to: line.length,
    probe: line.length - 1,
  }));
  for (;;) {
    const undecided = searches.flatMap((search) => {
      const one = search.from < search.to ? search.line[search.probe] : undefined;
      return one && search.base ? { search, one, other: search.base } : [];
    });
    if (undecided.length === 0) return searches.map(({ line, to }) => line.slice(0, to));
    const bases = await mergeBases(git, clone, undecided);
    for (const [index, { search, one }] of undecided.entries()) {
      if (bases[index]?.includes(one)) search.to = search.probe;
      else search.from = search.probe + 1;
      search.probe = (search.from + search.to) >> 1;
    }
  }
}

export async function mergeBases(
  git: GitRunner,
  clone: Clone,
  pairs: { one: string; other: string }[],
): Promise<string[][]> {
  const ranges = pairs.map(({ one, other }) => `${one}...${other}`);
  const printed = await runGit(git, clone, ['rev-parse', ...ranges]);
  // Git prints both commits of each pair, then their merge bases, marked as excluded.
  const groups = [...printed.matchAll(/^\w+\n\w+\n((?:\^\w+\n)*)/gm)];
  return groups.map(([, marked = '']) => [...marked.matchAll(/\w+/g)].map(([sha]) => sha));
}

export async function commonAncestor(git: GitRunner, clone: Clone, shas: string[]): Promise<string | null> {
  if (shas.length < 2) return shas[0] ?? null;
  const printed = await runGit(git, clone, ['merge-base', '--octopus', ...shas], { nothingCode: 1 });
  return printed.trim() || null;
}
