import type { SideLine } from '../hunk-sides.ts';
import { wordSet } from '../word-set.ts';
import { looksLikeDependency, readToml, type TomlEntry, versionOf } from './compiled-manifests.ts';
import type { Mention } from './pair-mentions.ts';

/** Reads `name[extra]>=1.2; marker`. Null for anything else. */
function parseRequirement(text: string): { name: string; version: string | null } | null {
  const match = /^\s*([A-Za-z0-9][\w.-]{0,100})(?:\s?\[[^\]]{0,200}\])?\s{0,4}(\S.*)?$/.exec(text);
  if (!match?.[1]) return null;
  const rest = (match[2] ?? '').split(/;|\s#|\s--|\\$/, 1)[0]?.trim() ?? '';
  if (rest === '') return { name: match[1], version: null };
  if (rest.startsWith('@')) return { name: match[1], version: null };
  const version = /^\(?([<>=!~]=?=?\s?[^()]{1,120})\)?$/.exec(rest)?.[1];
  return version ? { name: match[1], version: version.trim() } : null;
}

/** Where no section is visible, a word in quotes is a dependency only when it has a version. */
function mentionOf(text: string, line: SideLine, isSure = true): Mention[] {
  const requirement = parseRequirement(text);
  return !requirement || (!isSure && requirement.version === null) ? [] : [{ ...requirement, line }];
}

export const readRequirements = (lines: SideLine[]): Mention[] =>
  lines.flatMap((line) =>
    /^\s*(?:[#-]|$)/.test(line.text) ? [] : mentionOf(line.text.replace(/(?<!\s)\s*\\$/, ''), line),
  );

const ownKeys = wordSet('version name fail_under line-length target-version');

export function readPyproject(lines: SideLine[]): Mention[] {
  return readToml(lines).flatMap((entry) => (entry.isItem ? readItem(entry) : readKey(entry)));
}

/** Lists of dependencies; the tables have any number of them, or one. */
const lists =
  /^(?:project dependencies|null dependencies|build-system requires|tool\.uv dev-dependencies|(?:project\.optional-dependencies|dependency-groups|tool\.pdm\.dev-dependencies) .*)$/;

function readItem({ section, key, value, line }: TomlEntry): Mention[] {
  if (section === null && key === null) return mentionOf(value, line, false);
  if (!lists.test(`${section} ${key}`)) return [];
  const isForDevelopment = !/^(?:project|null) |\.optional-dep/.test(`${section} ${key}`);
  return mentionOf(value, line).map((mention) => ({ ...mention, isForDevelopment }));
}

const tables = /^(?:tool\.poetry\.(?:dev-|group\.[\w-]{1,60}\.)?dependencies|(?:dev-)?packages)$/;

function readKey({ section, key, value, line }: TomlEntry): Mention[] {
  if (key === null) return [];
  const version = versionOf(value);
  if (key === 'requires-python' && (section === 'project' || section === null))
    return [{ name: 'python', version, line }];
  if (section !== null)
    return tables.test(section)
      ? [{ name: key, version, line, isForDevelopment: /dev-|group/.test(section) }]
      : [];
  const isOwn = ownKeys.has(key) || /version|_|^\w$/.test(key);
  return isOwn || !looksLikeDependency(value) ? [] : [{ name: key, version, line }];
}
