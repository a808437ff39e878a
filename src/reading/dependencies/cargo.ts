import type { SideLine } from '../hunk-sides.ts';
import { wordSet } from '../word-set.ts';
import type { Mention, Scope } from './mention.ts';
import { looksLikeDependency, readToml, type TomlEntry, versionOf } from './toml-lines.ts';

const table =
  /^(?:workspace\.|target\..{1,150}\.)?(dependencies|dev-dependencies|build-dependencies)(?:\.([\w-]{1,100}))?$/;
const scopes: Record<string, Scope> = {
  dependencies: 'runtime',
  'dev-dependencies': 'development',
  'build-dependencies': 'development',
};
const ownKeys = wordSet(`
  version edition rust-version resolver name opt-level path package min-version
`);

export function readCargo(lines: SideLine[]): Mention[] {
  return readToml(lines).flatMap((entry) => {
    const mention = entry.isItem ? null : readEntry(entry);
    return mention ? [mention] : [];
  });
}

function readEntry({ section, key, value, line }: TomlEntry): Mention | null {
  if (key === null) return null;
  const [name = '', property] = key.split('.', 2);
  if (section === null) {
    const isLikely = property === undefined && !ownKeys.has(name) && looksLikeDependency(value);
    return isLikely ? { name, version: versionOf(value), scope: null, line } : null;
  }
  const [, group, dependency] = table.exec(section) ?? [];
  if (group === undefined) return null;
  const scope = scopes[group] ?? null;
  if (dependency !== undefined) {
    return key === 'version' ? { name: dependency, version: versionOf(value), scope, line } : null;
  }
  if (property !== undefined && property !== 'version' && property !== 'workspace') return null;
  return { name, version: versionOf(value), scope, line };
}
