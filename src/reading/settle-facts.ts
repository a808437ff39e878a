import { settleDependencies } from './dependencies/settle-dependencies.ts';
import { settleEdits } from './edits/settle-edits.ts';
import type { ReadFile } from './read-file.ts';
import { settleTests } from './settle-tests.ts';
import { settleSymbols } from './symbols/settle-symbols.ts';
import type { WholeDiff } from './whole-diff.ts';

/** Compares what single files show over the whole pull request: what left one and came to another has moved. */
export function* settleFacts(read: ReadFile[], whole: WholeDiff): Generator<void> {
  const files = read.map(({ facts }) => facts);
  settleSymbols(
    read.map(({ symbols }) => symbols),
    whole,
  );
  for (const { facts, symbols } of read) facts.symbols = symbols.changes;
  yield;
  settleDependencies(read);
  settleTests(read);
  yield;
  settleEdits(files);
  yield;
}
