import type {
  FileText,
  HostFileSummary,
  HostPullRequest,
  ReleaseSlotWhile,
} from '../../code-hosts/code-host.ts';
import type { DiffPart } from '../../db/diffs.ts';
import type { HostTexts, ReadFiles, StoredFile } from '../../db/pull-requests.ts';
import { Failure } from '../../domain/errors.ts';
import type { JobProgress } from '../../domain/jobs.ts';
import { mostComments, mostCommits, mostFilesAnswered } from '../../domain/pull-requests.ts';
import type { FileOutline } from '../../reading/facts.ts';
import type { DiffSource, PullRequestPayload } from '../articles/read-for-writing.ts';
import { payloadOf, type RunInThread } from '../articles/thread-tasks.ts';
import type { TextFetcher } from './diff-tasks.ts';

/** Handing this many summaries to a thread takes no noticeable time. */
const summariesAtATime = 1_000;

export interface CollectedDiff {
  read: ReadFiles & { outlines: FileOutline[] };
  parts: DiffPart[];
  /** The size limit, if it left out files. */
  cutAtBytes: number | null;
}

/** Fetches a diff up to a limit, and reads it in a thread while it arrives. */
export async function collectDiff(
  runInThread: RunInThread,
  onHost: Pick<HostPullRequest, 'diff' | 'fileSummaries' | 'fileTexts'>,
  { maxBytes, releaseSlotWhile }: { maxBytes: number; releaseSlotWhile: ReleaseSlotWhile },
): Promise<CollectedDiff> {
  const files: StoredFile[] = [];
  const parts: DiffPart[] = [];
  let pathBytes = 0;
  let summaries: HostFileSummary[] | null = null;
  let letGo = async () => {};
  const atEnd = (last: typeof letGo) => {
    letGo = last;
  };
  const chunks = onHost.diff({ releaseSlotWhile, atEnd })[Symbol.asyncIterator]();
  try {
    let first: IteratorResult<Buffer> | null = await chunks.next();
    const fetcher = {
      async nextChunk() {
        const { done, value } = first ?? (await chunks.next());
        first = null;
        return done ? null : value;
      },
      async nextSummaries() {
        summaries ??= [...(await onHost.fileSummaries())];
        return summaries.splice(0, summariesAtATime);
      },
      async keep(some: StoredFile[], compressed: Uint8Array | null) {
        const firstFile = files.length;
        if (firstFile < mostFilesAnswered) pathBytes += bytesOfPaths(some);
        if (pathBytes > mostPathBytes) throw tooLongPaths();
        for (const file of some) files.push(file);
        if (compressed) parts.push({ firstFile, lastFile: files.length - 1, compressed });
      },
    };
    const isWhole = await runInThread('splitDiff', { maxBytes }, fetcher);
    const outlines = await outline(runInThread, onHost, parts);
    const read = { ...readOf(files, parts, maxBytes), outlines };
    return { read, parts, cutAtBytes: isWhole ? null : maxBytes };
  } finally {
    try {
      await chunks.return?.();
    } finally {
      await letGo();
    }
  }
}

/** The bytes of a text in a JSON response of the API, where an invisible character is escaped and takes six. */
const bytesInJson = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2;

/** 3,000 files at 350 bytes each. Every page about a pull request reads its list of files. */
const mostPathBytes = 1024 * 1024;

const bytesOfPaths = (files: StoredFile[]): number =>
  files.reduce(
    (sum, { fileName, previousFileName = '' }) => sum + bytesInJson(fileName) + bytesInJson(previousFileName),
    0,
  );

const tooLongPaths = () =>
  new Failure(
    'UNREADABLE',
    `The paths of the first files of this pull request have more than ${mostPathBytes.toLocaleString('en')} bytes together in JSON.`,
  );

/** Without whole files the diff yields fewer names but none that are wrong, so any failure here is ignored. */
async function outline(
  runInThread: RunInThread,
  { fileTexts }: Pick<HostPullRequest, 'fileTexts'>,
  parts: DiffPart[],
): Promise<FileOutline[]> {
  if (!fileTexts) return [];
  let next = 0;
  // A copy, because buffers sent to a thread are transferred.
  const nextPart = async () => parts[next++]?.compressed.slice() ?? null;
  const { close, ...fetcher } = fetchTexts(fileTexts);
  try {
    return await runInThread('outlineDiff', null, { nextPart, ...fetcher });
  } catch {
    return [];
  } finally {
    await close();
  }
}

export function readOf(files: StoredFile[], parts: DiffPart[], maxBytes: number): ReadFiles {
  const reason = `over the limit of ${Math.round(maxBytes / 1024 / 1024)} MiB per pull request`;
  const inDiff = (parts.at(-1)?.lastFile ?? -1) + 1;
  return {
    files,
    unread: files.slice(inDiff).map(({ fileName }) => ({ fileName, reason })),
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
  };
}

/** Passes texts from the host to a thread one at a time, and stops the host when it is closed. */
function fetchTexts(fileTexts: HostPullRequest['fileTexts']): TextFetcher & { close: () => Promise<void> } {
  let texts: AsyncIterator<FileText> | null = null;
  return {
    async wantTexts(wanted) {
      texts = fileTexts?.(wanted)[Symbol.asyncIterator]() ?? null;
    },
    async nextText() {
      const next = await texts?.next();
      return next && !next.done ? next.value : null;
    },
    async close() {
      await texts?.return?.();
    },
  };
}

/** The limit in bytes for commit messages, comments and linked issues each: a thousand comments of a long paragraph. */
const mostText = 512 * 1024;

function textCutter(): (text: string) => string {
  let left = mostText;
  return (text) => {
    let kept = text.slice(0, left).toWellFormed();
    for (let bytes = bytesInJson(kept); bytes > left; bytes = bytesInJson(kept))
      kept = kept.slice(0, Math.floor((kept.length * left) / bytes)).toWellFormed();
    left -= bytesInJson(kept);
    return kept;
  };
}

export function textsOf(onHost: HostPullRequest): HostTexts {
  const { number, title, authorLogin, state, baseSha, headSha, mergedAt } = onHost;
  const { body, labels, baseRef, headRef, linkedIssues, discussion = null, unavailable = [] } = onHost;
  const [cutMessage, cutComment, cutIssue] = [textCutter(), textCutter(), textCutter()];
  return {
    number,
    title,
    authorLogin,
    state,
    baseSha,
    headSha,
    mergedAt,
    body,
    labels,
    baseRef,
    headRef,
    linkedIssues: linkedIssues.map((issue) => ({ ...issue, body: issue.body && cutIssue(issue.body) })),
    discussion,
    unavailable,
    hostUrl: onHost.url,
    hostCreatedAt: onHost.createdAt,
    commits: onHost.commits
      .slice(0, mostCommits)
      .map((commit) => ({ ...commit, message: cutMessage(commit.message) })),
    comments: onHost.comments
      .slice(0, mostComments)
      .map(({ createdAt, ...comment }) => ({
        ...comment,
        body: cutComment(comment.body),
        createdAt: createdAt.toISOString(),
      }))
      .filter(({ body }) => body !== ''),
  };
}

export interface ReadChange {
  payload: PullRequestPayload;
  texts: HostTexts;
  outlines: FileOutline[];
  files: StoredFile[];
  parts: Uint8Array[];
  source: (onProgress?: (progress: JobProgress) => void) => DiffSource;
}

export async function readChange(
  run: RunInThread,
  onHost: HostPullRequest,
  { maxDiffBytes, ...place }: { host: string; owner: string; repo: string; maxDiffBytes: number },
): Promise<ReadChange> {
  const options = { maxBytes: maxDiffBytes, releaseSlotWhile: <Done>(work: () => Promise<Done>) => work() };
  const { read, parts } = await collectDiff(run, onHost, options);
  const texts = textsOf(onHost);
  const changedFiles = read.files.length;
  const filesInDiff = changedFiles - read.unread.length;
  return {
    payload: payloadOf({ ...texts, ...read, ...place, changedFiles, filesInDiff }),
    texts,
    outlines: read.outlines,
    files: read.files,
    parts: parts.map((part) => part.compressed),
    source(onProgress = () => {}) {
      const compressed = parts.map((part) => part.compressed.slice());
      return {
        nextPart: async () => compressed.shift() ?? null,
        onProgress: async (progress) => onProgress(progress),
      };
    },
  };
}
