import type { FileFacts, SurfaceChange } from '../../reading/facts.ts';
import { type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { keyOfFirst, wordsOnlyIn } from './prose-lines.ts';

/** How a file gives a key its value. What looks otherwise stands inside of a longer text. */
const assignments: [RegExp, (name: string) => RegExp][] = [
  [/\.(?:toml|ini|cfg|conf|properties|env)$|(?:^|\/)\.env/, (name) => new RegExp(`^["']?${name}["']?\\s*=`)],
  [/\.ya?ml$/, (name) => new RegExp(`^(?:-\\s+)?["']?${name}["']?\\s*:`)],
  [/\.json[c5]?$/, (name) => new RegExp(`^["']?${name}["']?\\s*:`)],
];

const literally = (text: string): string => text.replace(/[\\^$.*+?()[\]{}|/-]/g, '\\$&');

/** What people outside the code set and call, as far as a file shows that it is what it looks like. */
export function settingsIn(
  { path, kind, status, surfaces }: FileFacts,
  diff: FileDiff | undefined,
): SurfaceChange[] {
  const isEdited = kind === 'configuration' && status === 'modified';
  const assigns = assignments.find(([pattern]) => pattern.test(path))?.[1];
  const lines =
    diff && surfaces.some((surface) => surface.kind === 'configurationKey')
      ? diff.hunks.flatMap(linesOf)
      : [];
  const words = diff && surfaces.length > 0 ? wordsOnlyIn(diff) : new Set<number>();
  return surfaces.filter(({ kind: what, name, evidence }) => {
    // What an example in a comment sets or serves nobody does.
    if (words.has(keyOfFirst(evidence))) return false;
    if (what !== 'configurationKey') return true;
    if (!isEdited || !assigns) return false;
    const key = assigns(literally(name.split('.').at(-1) ?? name));
    const number = evidence.side === 'new' ? 'newLine' : 'oldLine';
    return lines.some((line) => line[number] === evidence.startLine && key.test(line.text.trim()));
  });
}

const lastOf = (name: string): string => name.split('.').at(-1) ?? name;

/** Keys that go and come under other ones are part of those: by themselves they did neither. */
export function withoutMovedParts(settings: SurfaceChange[]): SurfaceChange[] {
  const names = (change: SurfaceChange['change']): string[] =>
    settings.flatMap((one) => (one.kind === 'configurationKey' && one.change === change ? one.name : []));
  const [gone, come] = [names('removed'), names('added')];
  const last = new Set(gone.map(lastOf));
  if (!come.some((name) => last.has(lastOf(name)))) return settings;
  const all = new Set([...gone, ...come]);
  return settings.filter(({ name }) => !all.has(name.slice(0, Math.max(0, name.lastIndexOf('.')))));
}
