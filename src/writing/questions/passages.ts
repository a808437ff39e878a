import type { Passage } from '../../domain/search/rank-passages.ts';
import { commentSignsIn } from '../../reading/comment-signs.ts';
import type { Evidence, Facts, FileFacts } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, type Hunk, linesOf } from '../../reading/file-diff.ts';
import { innermostRange } from '../../reading/name-ranges.ts';
import type { ModelSource } from '../ai/prepare-writing.ts';
import { spokenSentences, spokenWords, unspokenLines } from '../ai/spoken.ts';
import type { ArticleSource } from '../articles.ts';
import type { SpokenWords } from '../draft.ts';
import { Ground } from '../verify/ground.ts';

export interface LinePassage extends Passage {
  kind: 'line';
  side: DiffLine['side'];
  evidence: Evidence;
  /** The hunk of the line and the index in it; null for a definition that did not change. */
  hunk: Hunk | null;
  at: number;
}

export interface WordsPassage extends Passage {
  kind: 'words';
  words: SpokenWords;
}

export type ChangePassage = LinePassage | WordsPassage;

const ofSide: Record<DiffLine['side'], number> = { added: 1, removed: 0.85, context: 0.6 };
const ofDefinition = 0.55;
/** Lines of code rank above what people say about them. */
const ofWords = 0.8;
const ofComment = 0.65;

const ofKind: Partial<Record<FileFacts['kind'], number>> = {
  test: 0.7,
  lock: 0.3,
  generated: 0.3,
  vendored: 0.3,
};

/** Neighbouring lines whose words count for a line. */
const near = 2;

/** A single line is hard to understand, so this many lines before and after it are cited too. */
export const shownAround = 3;

/** All lines, definitions and sentences that may answer a question about a change. */
export function passagesOf(
  { facts, diff }: Pick<ArticleSource, 'facts' | 'diff'>,
  sentences: SpokenWords[],
): ChangePassage[] {
  const diffs = new Map(diff.map((file) => [file.path, file]));
  const lines = facts.files.flatMap((file) => {
    const own = diffs.get(file.path);
    if (!own || file.skipped !== null) return [];
    const sign = commentSignsIn(own).line;
    return [...linePassagesIn(file, own, sign), ...linesOfDefinitions(file, sign)];
  });
  const words = sentences.map((said, at): WordsPassage => {
    const beside = [sentences[at - 1], sentences[at + 1]].filter((one) => one?.where === said.where);
    return {
      kind: 'words',
      words: said,
      own: said.text,
      near: beside.flatMap((one) => one?.text ?? []),
      around: [],
      weight: said.where === 'comment' ? ofComment : ofWords,
    };
  });
  return [...lines, ...words];
}

function linePassagesIn(file: FileFacts, { hunks }: FileDiff, comment: RegExp): LinePassage[] {
  const { path, ranges, kind } = file;
  return hunks.flatMap((hunk) => {
    const lines = linesOf(hunk);
    const texts = lines.map(({ text }) => text);
    return lines.flatMap((line, at): LinePassage[] => {
      if (!saysSomething(texts, at, comment)) return [];
      const evidence = placeOfLine(path, lines, at);
      const within = innermostRange(ranges, placeOfLine(path, [line], 0))?.name ?? hunk.heading;
      return [
        {
          kind: 'line',
          side: line.side,
          hunk,
          at,
          evidence,
          own: line.text,
          near: [...texts.slice(Math.max(0, at - near), at), ...texts.slice(at + 1, at + 1 + near)],
          around: [within, path],
          weight: ofSide[line.side] * (ofKind[kind] ?? 1),
        },
      ];
    });
  });
}

/** A line within a longer comment is a fragment. The words of a comment also count for the code beside it. */
function saysSomething(lines: string[], at: number, comment: RegExp): boolean {
  const [above = '', line = '', below = ''] = [lines[at - 1], lines[at], lines[at + 1]];
  const isFragment = comment.test(line) && (comment.test(above) || comment.test(below));
  return /\p{L}{2}/u.test(line) && !isFragment;
}

const numberOn = ({ oldLine, newLine }: DiffLine, side: Evidence['side']): number | null =>
  side === 'old' ? oldLine : newLine;

function placeOfLine(fileName: string, lines: readonly DiffLine[], at: number): Evidence {
  const side = lines[at]?.side === 'removed' ? 'old' : 'new';
  const numbers = lines
    .slice(Math.max(0, at - shownAround), at + shownAround + 1)
    .flatMap((line) => numberOn(line, side) ?? []);
  return { fileName, startLine: Math.min(...numbers), endLine: Math.max(...numbers), side };
}

const linesOfDefinitions = ({ path, definitions }: FileFacts, comment: RegExp): LinePassage[] =>
  definitions.flatMap(({ name, startLine, lines }) =>
    lines.flatMap((text, at): LinePassage[] => {
      if (!saysSomething(lines, at, comment)) return [];
      const evidence = {
        fileName: path,
        startLine: startLine + Math.max(0, at - shownAround),
        endLine: startLine + Math.min(lines.length - 1, at + shownAround),
        side: 'new' as const,
        unchanged: true as const,
      };
      return [
        {
          kind: 'line',
          side: 'context',
          hunk: null,
          at,
          evidence,
          own: text,
          near: [...lines.slice(Math.max(0, at - near), at), ...lines.slice(at + 1, at + 1 + near)],
          around: [name, path],
          weight: ofDefinition,
        },
      ];
    }),
  );

export interface ReadPullRequest {
  number: number;
  read: ModelSource;
}

/** One pull request, or several of one repository, as the source of an answer. */
export interface AnswerSource {
  facts: Facts;
  diff: FileDiff[];
  sentences: SpokenWords[];
  words: SpokenWords[];
  passages: ChangePassage[];
  ground: Ground;
  lookedAt: { files: string[]; changedLines: number; sentences: number };
  /** The pull request of a sentence, and that of a file; null if the answer is about a single one. */
  numberOf: (words: SpokenWords) => number | null;
  placeOf: (fileName: string) => { path: string; prNumber: number | null };
}

export function sourceOfQuestion(pullRequests: ReadPullRequest[], isAboutRepository: boolean): AnswerSource {
  const parts = pullRequests.map(({ number, read }) => {
    const { facts, diff } = isAboutRepository ? underNumber(read, number) : read;
    const spoken = spokenSentences(read, facts.description);
    // In a clone, the description is the body of a commit.
    const sentences = [...spoken, ...unspokenLines(read, spoken)].map((one) =>
      read.isClone && one.where === 'description' ? { ...one, where: 'commit' as const } : one,
    );
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
    ...(pullRequests[0] && { repository: pullRequests[0].read.repository }),
    definitions: new Map(files.map(({ path, definitions }) => [path, definitions])),
    ranges: new Map(files.map(({ path, ranges }) => [path, ranges])),
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

// File names of several pull requests are prefixed with their number, as in `#7/src/app.ts`, until they are published.

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

/** Facts are plain data; these keys hold names of files. */
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
