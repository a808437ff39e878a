import type { FileFacts } from '../../../reading/facts.ts';
import { outlineFile } from '../../../reading/symbols/outline-file.ts';
import { declares } from '../../verify/find-name.ts';
import { oneLine } from '../material.ts';
import { isUsed } from './callers.ts';
import { kindOf, type TreeSource } from './looker.ts';

const mostNames = 16;
const mostFiles = 12;
const longestText = 300_000;

/**
 * Says which of the changed and removed names the releases before the change have, because nobody depends on what was
 * never released.
 */
export async function printReleases(
  tree: Pick<TreeSource, 'read' | 'readReleased'>,
  files: FileFacts[],
): Promise<string[]> {
  const named = files.flatMap(changedIn);
  const paths = [...new Set(named.map(({ path }) => path))].slice(0, mostFiles);
  if (paths.length === 0) return [];
  const [old, releases] = await Promise.all([tree.read('old', paths), tree.readReleased(paths)]);
  const before = outlinesOf(old);
  const wanted = named
    .filter(({ path, name }) => before.get(path)?.(name) === true)
    .sort((one, other) => Number(other.isLost) - Number(one.isLost))
    .slice(0, mostNames);
  return releases.flatMap(({ name: release, date, texts }) => {
    const all = outlinesOf(texts);
    const has = wanted.filter(({ path, name, isLost }) => isLost && all.get(path)?.(name) === true);
    const lacks = wanted.filter(({ path, name }) => all.get(path)?.(name) === false);
    const missing = [...new Set(wanted.flatMap(({ path }) => (all.has(path) ? [] : [path])))];
    const said = [
      ...(has.length > 0 ? [`has ${has.map(({ name }) => name).join(', ')}`] : []),
      ...(lacks.length > 0 ? [`has no ${lacks.map(({ name }) => name).join(', ')}`] : []),
      ...(missing.length > 0 ? [`has no file ${missing.join(', ')}`] : []),
    ];
    return said.length > 0 ? [`release ${oneLine(`${release} of ${date} ${said.join('; ')}`)}`] : [];
  });
}

interface Changed {
  path: string;
  name: string;
  /** Removed, renamed or declared differently, so that users may have to change their code. */
  isLost: boolean;
}

function changedIn({ path, previousPath, kind, status, skipped, symbols, ranges }: FileFacts): Changed[] {
  if (kind !== 'source' || status === 'added' || skipped !== null) return [];
  const names = new Map<string, boolean>();
  for (const { isFunction, name } of ranges) if (isFunction) names.set(name, false);
  for (const { kind: of, change, name, previousName, container, mayBePublic } of symbols) {
    const own = previousName ?? name;
    const qualified = container ? `${container}.${own}` : own;
    if (!mayBePublic) names.delete(qualified);
    else if (isUsed(of, change)) names.set(qualified, change !== 'bodyChanged');
  }
  return [...names].map(([name, isLost]) => ({ path: previousPath ?? path, name, isLost }));
}

const outlinesOf = (texts: { path: string; text: string }[]) =>
  new Map(texts.map(({ path, text }) => [path, declaredIn(path, text)]));

/** Whether a file declares a name; null if that is uncertain. */
function declaredIn(path: string, text: string): (name: string) => boolean | null {
  if (text.length > longestText) return () => null;
  const lines = text.split('\n');
  const changed = lines.map((_, at) => at + 1);
  const { ranges, names } = outlineFile({ path, ...kindOf(path), side: 'old', changed }, text);
  const known = new Set([
    ...ranges.map(({ name }) => name),
    ...(names?.public ?? []),
    ...(names?.hidden ?? []),
  ]);
  return (name) => {
    if (known.has(name)) return true;
    const own = name.slice(name.lastIndexOf('.') + 1);
    if (!lines.some((line) => declares(line, own))) return false;
    const container = name.slice(0, Math.max(0, name.lastIndexOf('.')));
    return known.has(container) ? false : null;
  };
}
