import { attentionInFacts, attentionInLines, mergeAttention } from './attention.ts';
import { fileChangeType } from './change-type/file-change-type.ts';
import { readChangeType } from './change-type/read-change-type.ts';
import { classifyFile } from './classify-file.ts';
import { cleanDescription } from './description/clean-description.ts';
import { compareWithDiff } from './description/compare-with-diff.ts';
import { linkedIssues } from './description/linked-issues.ts';
import { readEdits } from './edits/read-edits.ts';
import { explainSymbols } from './edits/read-explanations.ts';
import type { AttentionPoint, Evidence, Facts, FileFacts, FileKind, PullRequestText } from './facts.ts';
import type { FileDiff, Hunk } from './file-diff.ts';
import { parseGitAttributes } from './git-attributes.ts';
import { importanceOf } from './importance.ts';
import { readDependencies } from './read-dependencies.ts';
import { readSurfaces } from './read-surfaces.ts';
import { readTests } from './read-tests.ts';
import type { Grammars } from './symbols/grammar.ts';
import { readSymbols } from './symbols/read-symbols.ts';

/** What is inside these was written by a program, or by somebody else. */
const unreadKinds: Partial<Record<FileKind, string>> = {
  lock: 'lock file',
  generated: 'generated file',
  vendored: 'vendored file',
  binary: 'binary file',
};

/** A file this large was not written in one go by a person, and reading on would not tell more. */
const largestFile = 2 * 1024 * 1024;

interface ReadFile {
  facts: FileFacts;
  attention: AttentionPoint[];
}

/** Reads a pull request into facts: everything that may be said of it, with where it can be seen. */
export function readFacts(text: PullRequestText, diff: FileDiff[], grammars: Grammars): Facts {
  const steps = readFactsInSteps(text, diff, grammars);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}

/** The same with a pause after each file, for whoever has other things to do as well. */
export function* readFactsInSteps(
  text: PullRequestText,
  diff: FileDiff[],
  grammars: Grammars,
): Generator<void, Facts> {
  const attributes = parseGitAttributes(diff);
  const kinded = diff.map((file) => ({ file, ...classifyFile(file, attributes) }));
  const changeType = readChangeType(text, kinded);
  const read: ReadFile[] = [];
  for (const { file, kind, language } of kinded) {
    const facts = readFile(file, kind, language, grammars);
    facts.changeType = fileChangeType(file, kind, changeType);
    facts.importance = importanceOf(facts, text.title);
    read.push({ facts, attention: attentionInLines(file, facts) });
    yield;
  }
  const files = read.map(({ facts }) => facts).sort((one, other) => other.importance - one.importance);
  const description = cleanDescription(text.body);
  return {
    changeType,
    files,
    attention: mergeAttention([...attentionInFacts(files), ...read.flatMap(({ attention }) => attention)]),
    description: {
      text: description,
      ...compareWithDiff(description, files, (word) => stands(word, diff), text.title),
      linkedIssues: linkedIssues(text.title, text.body, text.commitMessages),
    },
  };
}

function readFile(file: FileDiff, kind: FileKind, language: string | null, grammars: Grammars): FileFacts {
  const { path, previousPath, status, additions, deletions } = file;
  const skipped = unreadKinds[kind] ?? (file.bytes.length > largestFile ? 'too large to read' : null);
  const facts: FileFacts = {
    path,
    previousPath,
    status,
    kind,
    language,
    additions,
    deletions,
    skipped,
    changeType: 'CHORE',
    importance: 0,
    symbols: [],
    dependencies: [],
    surfaces: [],
    tests: [],
    edits: [],
    isSubmodule: file.isSubmodule,
    becameExecutable: becameExecutable(file),
    place: placeOf(file),
  };
  if (skipped !== null) return facts;
  const symbols = kind === 'source' || kind === 'test' ? readSymbols(file, language, grammars) : [];
  explainSymbols(file, symbols);
  return {
    ...facts,
    symbols,
    edits: readEdits(file, { kind, symbols }),
    dependencies: kind === 'manifest' || kind === 'build' ? readDependencies(file) : [],
    surfaces: readSurfaces(file, kind, language),
    tests: readTests(file, kind),
  };
}

const isExecutable = (mode: string): boolean => mode.endsWith('755');

function becameExecutable({ oldMode, newMode }: FileDiff): boolean | null {
  if (oldMode === null || newMode === null || isExecutable(oldMode) === isExecutable(newMode)) return null;
  return isExecutable(newMode);
}

function placeOf({ path, hunks }: FileDiff): Evidence | null {
  const [first, ...rest] = hunks;
  if (!first) return null;
  const size = ({ oldLines, newLines }: Hunk) => oldLines + newLines;
  const { oldStart, oldLines, newStart, newLines } = rest.reduce(
    (best, hunk) => (size(hunk) > size(best) ? hunk : best),
    first,
  );
  return newLines > 0
    ? { fileName: path, startLine: newStart, endLine: newStart + newLines - 1, side: 'new' }
    : { fileName: path, startLine: oldStart, endLine: oldStart + oldLines - 1, side: 'old' };
}

/** Whether a word stands anywhere in the diff, in a path or in a line. */
function stands(word: string, diff: FileDiff[]): boolean {
  return diff.some(({ bytes }) => bytes.includes(word));
}
