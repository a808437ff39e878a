import { zstdDecompressSync } from 'node:zlib';
import type { FileText, WantedText } from '../../code-hosts/code-host.ts';
import { mostSkippedListed } from '../../contract/articles.ts';
import type { JobProgress } from '../../domain/jobs.ts';
import { boundWords, unreadWords } from '../../domain/pull-requests.ts';
import type { Discussion } from '../../domain/reviews.ts';
import type { Facts, FileFacts, FileOutline } from '../../reading/facts.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import { isReadLock } from '../../reading/lock-files.ts';
import { parseDiff } from '../../reading/parse-diff.ts';
import { byFile, readFactsInSteps } from '../../reading/read-facts.ts';
import { spokenComments } from '../../writing/ai/review/spoken-comments.ts';
import type { Coverage, OfflineLanguage } from '../../writing/articles.ts';
import { type OfflineArticles, writeOffline } from '../../writing/rules/write.ts';
import { outlineDiff, splitFiles } from '../pull-requests/diff-tasks.ts';

/** A stored pull request without its diff, as plain data that can be sent to a thread. */
export interface PullRequestPayload {
  repository: string;
  title: string;
  body: string | null;
  author: string;
  labels: string[];
  /** Clones have no descriptions of pull requests. */
  isClone: boolean;
  commits: { author: string; message: string }[];
  /** The comments as their code host shows them. */
  review?: { discussion: Discussion; headSha: string } | null;
  linkedIssues: { number: number; title: string; body: string | null }[];
  changedFiles: number;
  additions: number;
  deletions: number;
  /** The first files whose changes were too large to store. */
  unread: { fileName: string; reason: string }[];
  unreadTotal: number;
  outlines: FileOutline[];
}

export interface DiffSource {
  /** The next part of the diff, compressed; null after the last. */
  nextPart: () => Promise<Uint8Array | null>;
  onProgress: (progress: JobProgress) => Promise<void>;
}

export async function readForWriting(
  payload: PullRequestPayload,
  feed: DiffSource,
  choose = (files: FileDiff[]): FileDiff[] => files,
) {
  void feed.onProgress({ step: 'reading', done: 0, total: payload.changedFiles });
  const diff: FileDiff[] = [];
  for (let part = await feed.nextPart(); part; part = await feed.nextPart()) {
    for (const file of parseDiff(zstdDecompressSync(part))) diff.push(file);
  }
  return readDiff(payload, choose(diff), feed.onProgress);
}

function readDiff(payload: PullRequestPayload, diff: FileDiff[], onProgress: DiffSource['onProgress']) {
  const { repository, title, body, labels, author, isClone, linkedIssues, commits, review } =
    boundWords(payload);
  const comments = review ? spokenComments(review.discussion, author) : [];
  const { changedFiles: total } = payload;
  const text = { repository, title, body, labels, commitMessages: commits.map(({ message }) => message) };
  const facts = takeSteps(
    readFactsInSteps(text, diff, byFile(payload.outlines)),
    (done) => void onProgress({ step: 'reading', done: Math.min(done, total), total }),
  );
  void onProgress({ step: 'writing', done: 0, total: 1 });
  return { repository, title, body, author, isClone, linkedIssues, commits, comments, facts, diff };
}

const stepsPerFile = 2;
const filesPerReport = 25;

function takeSteps(steps: Generator<void, Facts>, onFile: (done: number) => void): Facts {
  for (let done = 1; ; done++) {
    const step = steps.next();
    if (step.done) return step.value;
    if (done % (stepsPerFile * filesPerReport) === 0) onFile(done / stepsPerFile);
  }
}

export function coverageOf(payload: PullRequestPayload, read: FileFacts[]): Coverage {
  // Lock files count as read once their versions are, because they contain nothing else.
  const whole = read.filter((file) => file.skipped === null || isReadLock(file));
  const skipped = read.flatMap((file) =>
    whole.includes(file) || file.skipped === null ? [] : [{ fileName: file.path, reason: file.skipped }],
  );
  const words = unreadWords(payload);
  return {
    filesRead: whole.length,
    filesTotal: payload.changedFiles,
    linesRead: whole.reduce((sum, file) => sum + file.additions + file.deletions, 0),
    linesTotal: payload.additions + payload.deletions,
    skipped: [...words, ...skipped, ...payload.unread].slice(0, mostSkippedListed),
    skippedTotal: words.length + skipped.length + payload.unreadTotal,
  };
}

/** A file was not read completely if one of its lines was cut or a part of it could not be read. */
export function withoutUnread(coverage: Coverage, unread: Coverage['skipped'], files: FileFacts[]): Coverage {
  const skipped = [...new Map(unread.map((one) => [one.fileName, one])).values()];
  if (skipped.length === 0) return coverage;
  const paths = new Set(skipped.map(({ fileName }) => fileName));
  const lines = files
    .filter(({ path }) => paths.has(path))
    .reduce((sum, { additions, deletions }) => sum + additions + deletions, 0);
  return {
    ...coverage,
    filesRead: coverage.filesRead - skipped.length,
    linesRead: coverage.linesRead - lines,
    skipped: [...coverage.skipped, ...skipped].slice(0, mostSkippedListed),
    skippedTotal: coverage.skippedTotal + skipped.length,
  };
}

export async function writeOfflineArticles(
  payload: PullRequestPayload,
  feed: DiffSource,
): Promise<OfflineArticles> {
  const source = await readForWriting(payload, feed);
  void feed.onProgress({ step: 'checking claims', done: 0, total: 1 });
  return writeOffline(source, coverageOf(payload, source.facts.files));
}

const unheard = async (): Promise<void> => {};

export interface OfflineWritten {
  words: string;
  articles: OfflineArticles;
}

interface ToReadAndWrite {
  payload: PullRequestPayload;
  diff: Uint8Array;
  words: string;
}

type FetchTexts = (wanted: WantedText[]) => Promise<FileText[]>;

/**
 * Reads diffs and writes about them. While texts of one are fetched, another is written about. Null stands for diffs
 * that fail.
 */
export async function readAndWrite(
  { all, language }: { all: ToReadAndWrite[]; language: OfflineLanguage },
  { fileTexts }: { fileTexts: (place: number, wanted: WantedText[]) => Promise<FileText[]> },
) {
  const results: (Awaited<ReturnType<typeof readAndWriteOne>> | null)[] = [];
  const left = all.entries();
  const work = async (): Promise<void> => {
    for (const [place, one] of left) {
      const fetchTexts: FetchTexts = (wanted) => fileTexts(place, wanted);
      results[place] = await readAndWriteOne(one, language, fetchTexts).catch(() => null);
    }
  };
  await Promise.all([work(), work()]);
  return results;
}

async function readAndWriteOne(
  { payload, diff: bytes, words }: ToReadAndWrite,
  language: OfflineLanguage,
  fetchTexts: FetchTexts,
) {
  const diff = parseDiff(Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength));
  const { files, parts } = await splitFiles(diff);
  let texts: FileText[] = [];
  const outlines = await outlineDiff(diff, {
    wantTexts: async (wanted) => {
      texts = await fetchTexts(wanted);
    },
    nextText: async () => texts.shift() ?? null,
  });
  const sum = (side: 'additions' | 'deletions') => files.reduce((before, file) => before + file[side], 0);
  const counts = { changedFiles: files.length, additions: sum('additions'), deletions: sum('deletions') };
  const source = readDiff({ ...payload, ...counts, outlines }, diff, unheard);
  const articles = writeOffline(source, coverageOf({ ...payload, ...counts }, source.facts.files));
  // Stored as text, because the articles in other languages are not needed yet.
  const offline = JSON.stringify({ words, articles } satisfies OfflineWritten);
  return { files, parts, outlines, article: articles[language], offline };
}

export const readFactsOfDiff = async (payload: PullRequestPayload, source: DiffSource): Promise<Facts> =>
  (await readForWriting(payload, source)).facts;
