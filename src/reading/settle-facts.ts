import { findMoves } from './compare/find-moves.ts';
import { settleDependencies } from './dependencies/settle-dependencies.ts';
import type { ReadFile } from './read-file.ts';
import { settleTests } from './settle-tests.ts';
import { settleSymbols } from './symbols/settle-symbols.ts';
import type { WholeDiff } from './whole-diff.ts';

/** Compares what single files show over the whole pull request: what left one and came to another has moved. */
export function* settleFacts(read: ReadFile[], whole: WholeDiff): Generator<void> {
  settleSymbols(
    read.map(({ symbols }) => symbols),
    whole,
  );
  for (const { facts, symbols } of read) facts.symbols = symbols.changes;
  yield;
  settleDependencies(read);
  settleTests(read);
  yield;
  findMoves(read.flatMap(({ movable }) => movable));
  yield;
}
