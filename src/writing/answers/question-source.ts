import type { Facts, FileFacts } from '../../reading/facts.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import type { ModelSource } from '../ai/prepare-writing.ts';
import { spokenSentences, spokenWords, unspokenLines } from '../ai/spoken.ts';
import type { SpokenWords } from '../draft.ts';
import { Ground } from '../verify/ground.ts';
import { type ChangePassage, passagesOf } from './passages.ts';

export interface ReadPullRequest {
  number: number;
  read: ModelSource;
}

/** What a question is answered from: one pull request, or several of one repository. */
export interface AnswerSource {
  facts: Facts;
  diff: FileDiff[];
  sentences: SpokenWords[];
  words: SpokenWords[];
  passages: ChangePassage[];
  ground: Ground;
  lookedAt: { files: string[]; changedLines: number; sentences: number };
  /** Which pull request a sentence of people is about, and which file lies in which; null where there is but one. */
  numberOf: (words: SpokenWords) => number | null;
  placeOf: (fileName: string) => { path: string; prNumber: number | null };
}

export function sourceOfQuestion(pullRequests: ReadPullRequest[], isAboutRepository: boolean): AnswerSource {
  const parts = pullRequests.map(({ number, read }) => {
    const { facts, diff } = isAboutRepository ? underNumber(read, number) : read;
    const spoken = spokenSentences(read, facts.description);
    const sentences = [...spoken, ...unspokenLines(read, spoken)];
    const description = {
      speaker: read.author,
      where: 'description' as const,
      text: facts.description.text,
    };
    return { number, facts, diff, sentences, words: [...spokenWords(read), description, ...sentences] };
  });
  const files = parts.flatMap(({ facts }) => facts.files);
  const diff = parts.flatMap((part) => part.diff);
  const sentences = parts.flatMap((part) => part.sentences);
  const words = parts.flatMap((part) => part.words);
  const facts: Facts = {
    changeType: null,
    files,
    attention: [],
    description: { text: '', linkedIssues: [] },
  };
  const numbers = new Map(parts.flatMap((part) => part.words.map((one) => [one, part.number])));
  const ground = new Ground({
    diff,
    words,
    definitions: new Map(files.map(({ path, definitions }) => [path, definitions])),
    ranges: new Map(files.map(({ path, ranges }) => [path, ranges])),
    citesUnchanged: true,
  });
  return {
    facts,
    diff,
    sentences,
    words,
    passages: passagesOf({ facts, diff }, sentences),
    ground,
    lookedAt: {
      files: files.filter(({ skipped }) => skipped === null).map(({ path }) => path),
      changedLines: files.reduce((sum, file) => sum + file.additions + file.deletions, 0),
      sentences: sentences.length,
    },
    numberOf: (one) => (isAboutRepository ? (numbers.get(one) ?? null) : null),
    placeOf: (fileName) =>
      isAboutRepository ? placeUnderNumber(fileName) : { path: fileName, prNumber: null },
  };
}

// Files of several pull requests have the number of theirs before their paths, as in `#7/src/app.ts`, until they are published.

function underNumber({ facts, diff }: ModelSource, number: number): Pick<ModelSource, 'facts' | 'diff'> {
  const moved = (path: string): string => `#${number}/${path}`;
  return {
    facts: { ...facts, files: facts.files.map((file) => renameFiles(file, moved)) },
    diff: diff.map((file) => ({
      ...file,
      path: moved(file.path),
      previousPath: file.previousPath === null ? null : moved(file.previousPath),
    })),
  };
}

/** Facts are plain data that name files under these keys. */
const keysOfFiles = new Set(['path', 'previousPath', 'fileName']);

function renameFiles(file: FileFacts, moved: (path: string) => string): FileFacts {
  const rename = (key: string, value: unknown) =>
    keysOfFiles.has(key) && typeof value === 'string' ? moved(value) : value;
  return JSON.parse(JSON.stringify(file, rename));
}

function placeUnderNumber(fileName: string): { path: string; prNumber: number | null } {
  const [, number, path] = /^#(\d+)\/(.+)$/s.exec(fileName) ?? [];
  return number && path ? { path, prNumber: Number(number) } : { path: fileName, prNumber: null };
}
