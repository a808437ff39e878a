import { zstdCompressSync } from 'node:zlib';
import type { HostPullRequest } from '../../code-hosts/code-host.ts';
import { parseDiff } from '../../reading/parse-diff.ts';
import { type PreparedWriting, prepareWriting } from '../../writing/ai/prepare-writing.ts';
import { readForWriting } from '../articles/read-for-writing.ts';
import { fetchTexts } from '../pull-requests/fetch-texts.ts';
import { outlineDiff } from '../pull-requests/outline-diff.ts';
import { type KnownSentence, makeKnownSentences } from './known-sentences.ts';

/** A pull request that a model is tried on, and sentences about it of which it is known whether they are true. */
export interface Sample {
  project: string;
  number: number;
  writing: PreparedWriting;
  known: KnownSentence[];
}

/** Reads a pull request as the service does before it asks a model. */
export async function prepareSample(project: string, found: HostPullRequest): Promise<Sample> {
  const bytes = Buffer.concat(await Array.fromAsync(found.diff()));
  const diff = parseDiff(bytes);
  const { close, ...texts } = fetchTexts(found.fileTexts);
  const outlines = await outlineDiff(diff, texts).finally(close);
  const { number, title, body, authorLogin: author, labels, commits, comments, linkedIssues } = found;
  const words = { repository: project, title, body, author, labels, commits, comments, linkedIssues };
  const sizes = {
    changedFiles: diff.length,
    additions: diff.reduce((sum, file) => sum + file.additions, 0),
    deletions: diff.reduce((sum, file) => sum + file.deletions, 0),
  };
  const parts = [zstdCompressSync(bytes)];
  const feed = { nextPart: async () => parts.shift() ?? null, onProgress: async () => {} };
  const payload = { ...words, ...sizes, isClone: true, unread: [], unreadTotal: 0, outlines };
  const source = await readForWriting(payload, feed);
  return { project, number, writing: prepareWriting(source, 'en'), known: makeKnownSentences(source.diff) };
}
