import { readWorkflow } from './dependencies/automation.ts';
import type { Mention } from './dependencies/mention.ts';
import { pairMentions } from './dependencies/pair-mentions.ts';
import { findReader } from './dependencies/readers.ts';
import type { DependencyChange } from './facts.ts';
import type { FileDiff } from './file-diff.ts';
import { isFixturePlace, isTestDirectory, isVendoredPlace } from './file-places.ts';
import { sidesOf } from './hunk-sides.ts';
import { partsOf } from './path-parts.ts';

/**
 * What happened to the dependencies that a manifest names. What a manifest among fixtures or vendored files names is
 * nobody's dependency here, and what one among the tests names is needed to develop only.
 */
export function readDependencies(file: FileDiff): DependencyChange[] {
  const parts = partsOf(file.path);
  const reader = findReader(parts);
  if (!reader || isFixturePlace(parts) || isVendoredPlace(parts)) return [];
  const old: Mention[] = [];
  const current: Mention[] = [];
  for (const hunk of file.hunks) {
    const sides = sidesOf(hunk);
    for (const mention of reader(sides.old, parts)) old.push(mention);
    for (const mention of reader(sides.new, parts)) current.push(mention);
  }
  const changes = pairMentions(file.path, old, current);
  const isWhole = file.status === 'added' || file.status === 'removed';
  if (reader === readWorkflow && !isWhole) return changes.filter(isCertain);
  if (!isTestDirectory(parts)) return changes;
  return changes.map((change) => ({ ...change, scope: 'development' }));
}

/** Several jobs of a workflow use the same actions: one that came or went here may well be in the unseen rest. */
function isCertain({ change }: DependencyChange): boolean {
  return change !== 'added' && change !== 'removed';
}
