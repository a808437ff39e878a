import type { Facts, FileOutline, PullRequestOfRepository } from '../src/reading/facts.ts';
import type { FileDiff } from '../src/reading/file-diff.ts';
import { readFactsInSteps } from '../src/reading/read-facts.ts';

/** Reads the facts of a diff in one call; a service runs the steps separately. */
export function readFacts(
  text: PullRequestOfRepository,
  diff: FileDiff[],
  outlines: ReadonlyMap<string, FileOutline> = new Map(),
): Facts {
  const steps = readFactsInSteps(text, diff, outlines);
  for (;;) {
    const step = steps.next();
    if (step.done) return step.value;
  }
}
