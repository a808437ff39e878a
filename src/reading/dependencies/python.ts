import type { SideLine } from '../hunk-sides.ts';
import type { PathParts } from '../path-parts.ts';
import { wordSet } from '../word-set.ts';
import { looksLikeDependency, readToml, type TomlEntry, versionOf } from './compiled-manifests.ts';
import type { Mention, Scope } from './pair-mentions.ts';

const developmentWord = /dev|test|doc|lint|typing|mypy|build|bench|ci\b|style|format|check/;
const scopeOf = (group: string): Scope =>
  developmentWord.test(group.toLowerCase()) ? 'development' : 'runtime';

// Where no section is visible, the name tells for those that nobody needs to run a program.
const developmentTool =
  /^(?:pytest|mypy|ruff$|black$|flake8|tox$|nox$|coverage|sphinx|mkdocs|types-|pre-commit$|isort$|pylint|hypothesis$|pyright$)/i;
const guessScope = (name: string): Scope | null => (developmentTool.test(name) ? 'development' : null);

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

function mentionOf(text: string, scope: Scope | null, line: SideLine): Mention[] {
  const requirement = parseRequirement(text);
  // Without a section, a word in quotes is a dependency only when it has a version.
  if (!requirement || (scope === null && requirement.version === null)) return [];
  return [{ ...requirement, scope: scope ?? guessScope(requirement.name), line }];
}

export function readRequirements(lines: SideLine[], { name, directories }: PathParts): Mention[] {
  const folder = directories.at(-1) === 'requirements' ? `requirements/${name}` : name;
  const scope = scopeOf(folder);
  return lines.flatMap((line) =>
    /^\s*(?:[#-]|$)/.test(line.text) ? [] : mentionOf(line.text.replace(/(?<!\s)\s*\\$/, ''), scope, line),
  );
}

const ownKeys = wordSet('version name fail_under line-length target-version');

export function readPyproject(lines: SideLine[]): Mention[] {
  return readToml(lines).flatMap((entry) => (entry.isItem ? readItem(entry) : readKey(entry)));
}

function readItem({ section, key, value, line }: TomlEntry): Mention[] {
  if (section === null && key === null) return mentionOf(value, null, line);
  switch (section) {
    case 'project':
    case null:
      return key === 'dependencies' ? mentionOf(value, 'runtime', line) : [];
    case 'build-system':
      return key === 'requires' ? mentionOf(value, 'development', line) : [];
    case 'project.optional-dependencies':
      return mentionOf(value, scopeOf(key ?? ''), line);
    case 'dependency-groups':
    case 'tool.pdm.dev-dependencies':
      return mentionOf(value, 'development', line);
    case 'tool.uv':
      return key === 'dev-dependencies' ? mentionOf(value, 'development', line) : [];
    default:
      return [];
  }
}

function readKey({ section, key, value, line }: TomlEntry): Mention[] {
  if (key === null) return [];
  const version = versionOf(value);
  if (key === 'requires-python' && (section === 'project' || section === null)) {
    return [{ name: 'python', version, scope: 'runtime', line }];
  }
  if (section === null) {
    const isOwn = ownKeys.has(key) || /version|_|^\w$/.test(key);
    return isOwn || !looksLikeDependency(value) ? [] : [{ name: key, version, scope: guessScope(key), line }];
  }
  const scope = tableScope(section);
  return scope ? [{ name: key, version, scope, line }] : [];
}

function tableScope(section: string): Scope | null {
  if (section === 'tool.poetry.dependencies' || section === 'packages') return 'runtime';
  if (section === 'tool.poetry.dev-dependencies' || section === 'dev-packages') return 'development';
  const [, group] = /^tool\.poetry\.group\.([\w-]{1,60})\.dependencies$/.exec(section) ?? [];
  return group === undefined ? null : 'development';
}

const setupKeys: Record<string, Scope> = {
  install_requires: 'runtime',
  tests_require: 'development',
  setup_requires: 'development',
};

export function readSetupCfg(lines: SideLine[]): Mention[] {
  let section: string | null = null;
  let key: string | null = null;
  return lines.flatMap((line) => {
    const [, header] = /^\[([^\]]{1,100})\]/.exec(line.text) ?? [];
    const [, name, value = ''] = /^([\w.-]{1,60})\s*=\s*(\S.*)?$/.exec(line.text) ?? [];
    if (header !== undefined) {
      section = header;
      key = null;
      return [];
    }
    if (name !== undefined) key = name;
    const item = name === undefined ? (/^\s+(\S.*)$/.exec(line.text)?.[1] ?? '') : value;
    if (item === '' || item.startsWith('#')) return [];
    if (key === null && section === null) return mentionOf(item, null, line);
    if (section === 'options.extras_require') return mentionOf(item, scopeOf(key ?? ''), line);
    const scope = key !== null && Object.hasOwn(setupKeys, key) ? setupKeys[key] : undefined;
    return scope ? mentionOf(item, scope, line) : [];
  });
}

export function readSetupPy(lines: SideLine[]): Mention[] {
  let scope: Scope | null = null;
  return lines.flatMap((line) => {
    const [, key, rest = ''] =
      /\b(install_requires|tests_require|setup_requires|extras_require)\b(.*)$/.exec(line.text) ?? [];
    if (key !== undefined) {
      scope = setupKeys[key] ?? null;
      const found = [...rest.matchAll(/["']([^"']{1,200})["']/g)];
      const list = found.flatMap(([, text = '']) => mentionOf(text, scope, line));
      if (/\]/.test(rest)) scope = null;
      return list;
    }
    if (/^\s*\]/.test(line.text)) scope = null;
    const item = /^\s*["']([^"']{1,200})["'],?\s*(?:#.*)?$/.exec(line.text)?.[1];
    return item === undefined ? [] : mentionOf(item, scope, line);
  });
}
