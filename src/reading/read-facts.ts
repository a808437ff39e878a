import { fileChangeType, readChangeType } from './change-type.ts';
import { classifyFile, type KindedFile, skippedFor } from './classify-file.ts';
import { findMoves } from './compare/compare-file.ts';
import { cleanDescription } from './description/clean-description.ts';
import { linkedIssues } from './description/linked-issues.ts';
import type { Facts, FileOutline, PullRequestOfRepository } from './facts.ts';
import { type FileDiff, WholeDiff } from './file-diff.ts';
import { importanceOf, titleWords } from './importance.ts';
import { settleDependencies } from './read-dependencies.ts';
import { mergeAttention, type ReadFile, readChangedFile } from './read-file.ts';
import { settleTests } from './read-tests.ts';
import { settleSymbols } from './symbols/read-symbols.ts';

type Outlines = ReadonlyMap<string, FileOutline>;

export const byFile = (outlines: FileOutline[]): Outlines =>
  new Map(outlines.map((outline) => [outline.fileName, outline]));

export function* readFactsInSteps(
  text: PullRequestOfRepository,
  diff: FileDiff[],
  outlines: Outlines,
): Generator<void, Facts> {
  const whole = new WholeDiff();
  const kinded: KindedFile[] = [];
  for (const file of diff) {
    const one = { file, ...classifyFile(file) };
    kinded.push(one);
    if (skippedFor(one) === null) whole.note(file);
    yield;
  }
  const changeType = readChangeType(text, kinded);
  const words = titleWords(text.title);
  const read: ReadFile[] = [];
  for (const one of kinded) {
    read.push(readChangedFile(one, whole, words, outlines.get(one.file.path)));
    yield;
  }
  yield* settleFacts(read, whole);
  for (const [index, { file, kind }] of kinded.entries()) {
    const { facts, substance } = read[index] as ReadFile;
    facts.changeType = fileChangeType(file, kind, changeType);
    facts.importance = importanceOf(facts, substance);
  }
  const files = read.map(({ facts }) => facts).sort((one, other) => other.importance - one.importance);
  return {
    changeType,
    files,
    attention: mergeAttention(read.flatMap(({ attention }) => attention)),
    description: { text: cleanDescription(text.body), linkedIssues: linkedIssues(text) },
  };
}

function* settleFacts(read: ReadFile[], whole: WholeDiff): Generator<void> {
  settleSymbols(
    read.map(({ symbols }) => symbols),
    whole,
  );
  for (const { facts, symbols } of read) facts.symbols = symbols.changes;
  yield;
  settleDependencies(read);
  const files = read.map(({ facts }) => facts);
  settleTests(
    files.flatMap(({ tests }) => tests),
    files.flatMap(({ symbols }) => symbols),
  );
  yield;
  findMoves(read.flatMap(({ movable }) => movable));
  yield;
}
