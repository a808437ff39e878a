import { createHash } from 'node:crypto';
import { readdirSync, readFileSync, writeFileSync } from 'node:fs';
import { fileURLToPath } from 'node:url';
import {
  type OfflineWritten,
  type PullRequestPayload,
  readAndWrite,
} from '../src/actions/articles/read-for-writing.ts';
import { contentOf } from '../src/actions/articles/write-article.ts';
import { searchForAnswer } from '../src/actions/questions/answer-question.ts';
import type { WantedText } from '../src/code-hosts/code-host.ts';
import { linesOf } from '../src/reading/file-diff.ts';
import { parseDiff } from '../src/reading/parse-diff.ts';
import { offlineLanguages } from '../src/writing/articles.ts';

// Raises the version of the offline writer if its output for the samples has changed. Each sample is an invented pull
// request: title, description and diff.

const samples = new URL('../test/writer-samples/', import.meta.url);
const record = new URL('../src/writing/writer-version.json', import.meta.url);

export const readRecord = (): { version: number; output: string } => JSON.parse(readFileSync(record, 'utf8'));

async function recordWriter(): Promise<void> {
  const output = await hashOfOutput();
  const before = readRecord();
  const version = output === before.output ? before.version : before.version + 1;
  writeFileSync(record, `${JSON.stringify({ version, output }, null, 2)}\n`);
  console.log(`The version of the writer is ${version}.`);
}

/** A hash of all articles and answers about the samples, in all languages. */
export async function hashOfOutput(): Promise<string> {
  const hash = createHash('sha256');
  for await (const written of writeAboutSamples()) hash.update(JSON.stringify(written));
  return hash.digest('base64url');
}

export async function* writeAboutSamples() {
  for (const name of readdirSync(samples).sort())
    yield await writeAbout(readFileSync(new URL(name, samples), 'utf8'));
}

function payloadOf(text: string): PullRequestPayload {
  const [title = '', ...body] = text.trim().split('\n');
  return {
    repository: 'harborline/sample',
    title,
    body: body.join('\n').trim(),
    author: 'ada',
    labels: [],
    isClone: false,
    commits: [{ author: 'ada', message: title }],
    linkedIssues: [{ number: 41, title: 'It stops without a word', body: 'It stops, and nothing says why.' }],
    changedFiles: 0,
    additions: 0,
    deletions: 0,
    unread: [],
    unreadTotal: 0,
    outlines: [],
  };
}

async function writeAbout(sample: string) {
  const [text = '', ...files] = sample.split(/^(?=diff --git )/m);
  const payload = payloadOf(text);
  const diff = Buffer.from(files.join(''));
  const [written] = await readAndWrite(
    { all: [{ payload, diff, words: '' }], language: 'en' },
    { fileTexts: async (_, wanted) => wanted.map((one, place) => ({ place, text: textOf(diff, one) })) },
  );
  if (!written) throw new Error(`The writer failed at "${payload.title}".`);
  const { articles }: OfflineWritten = JSON.parse(written.offline);
  const about = { hostUrl: '', host: 'git', baseSha: 'base', headSha: 'head' };
  const pullRequests = [{ number: 1, payload: { ...payload, outlines: written.outlines } }];
  const task = { question: 'Is there a default limit or a window?', isAboutRepository: false, pullRequests };
  return Promise.all(
    offlineLanguages.map(async (languageCode) => {
      const parts = written.parts.values();
      const nextPart = async () => parts.next().value?.compressed ?? null;
      const publication = { codeHosts: [], pullRequest: about, languageCode, now: new Date(0) };
      return {
        article: contentOf(articles[languageCode], publication),
        answer: await searchForAnswer(
          { ...task, language: languageCode },
          { nextPart, onProgress: async () => {} },
        ),
      };
    }),
  );
}

/** The part of a file that is in the diff, with empty lines between. */
function textOf(diff: Buffer, { path, side }: WantedText): string {
  const isWanted = (file: { path: string; previousPath: string | null }): boolean =>
    path === (side === 'old' ? (file.previousPath ?? file.path) : file.path);
  const lines: string[] = [];
  const hunks = parseDiff(diff)
    .filter(isWanted)
    .flatMap((file) => file.hunks);
  for (const { text, oldLine, newLine } of hunks.flatMap(linesOf)) {
    const line = side === 'old' ? oldLine : newLine;
    if (line !== null) lines[line - 1] = text;
  }
  return Array.from(lines, (line) => line ?? '').join('\n');
}

if (process.argv[1] === fileURLToPath(import.meta.url)) void recordWriter();
