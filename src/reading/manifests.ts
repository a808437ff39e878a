import { wordSet } from '../domain/text.ts';
import type { PathParts } from './file-places.ts';
import type { SideLine } from './hunk-lines.ts';

export interface Mention {
  name: string;
  version: string | null;
  line: SideLine;
  isForDevelopment?: boolean;
  isIndirect?: boolean;
  /** Whether lines outside the diff may name it too. */
  isUncertain?: boolean;
}

type Reader = (lines: SideLine[]) => Mention[];

const table = /^(?:workspace\.|target\..{1,150}\.)?(?:dev-|build-)?dependencies(?:\.([\w-]{1,100}))?$/;
const cargoKeys = wordSet(`
  version edition rust-version resolver name opt-level path package min-version
`);

const readCargo: Reader = (lines) =>
  readToml(lines).flatMap(({ section, key, value, isItem, line }): Mention[] => {
    if (isItem || key === null) return [];
    const [name = '', property] = key.split('.', 2);
    if (section === null) {
      const isLikely = property === undefined && !cargoKeys.has(name) && looksLikeDependency(value);
      return isLikely ? [{ name, version: quotedVersion(value), line }] : [];
    }
    const [found, dependency] = table.exec(section) ?? [];
    if (found === undefined) return [];
    if (dependency !== undefined)
      return key === 'version' ? [{ name: dependency, version: quotedVersion(value), line }] : [];
    if (property !== undefined && property !== 'version' && property !== 'workspace') return [];
    return [
      { name, version: quotedVersion(value), line, isForDevelopment: /(?:dev|build)-dep/.test(section) },
    ];
  });

const requirement = /^(?:\t| {1,8}|require\s+)([\w.~-]+(?:\/[\w.~-]+)*)\s+(v\d[\w.+-]*)\s*(\/\/ indirect)?/;

function readGoMod(lines: SideLine[]): Mention[] {
  const mentions: Mention[] = [];
  let block: string | null = null;
  for (const line of lines) {
    const [, opened] = /^(require|replace|exclude|retract|tool)\s*\(/.exec(line.text) ?? [];
    if (opened) block = opened;
    else if (line.text.startsWith(')')) block = 'none';
    const [, language] = /^go (\d[\w.]*)/.exec(line.text) ?? [];
    if (language) mentions.push({ name: 'go', version: language, line });
    // A line with an arrow replaces one module by another and requires none.
    if (
      line.text.includes('=>') ||
      (block !== null && block !== 'require' && !line.text.startsWith('require'))
    ) {
      continue;
    }
    const [, name, version, indirect] = requirement.exec(line.text) ?? [];
    if (name && version) {
      mentions.push({ name, version, line, isIndirect: indirect !== undefined });
    }
  }
  return mentions;
}

const element = /<(groupId|artifactId|version)>\s{0,20}([^<\s]{1,150})\s{0,20}<\//g;
const property = /^\s*<(?:([\w.-]{1,80})[.-]version|version[.-]([\w.-]{1,80}))>([^<\s]{1,80})<\//;
const ownProperties: ReadonlySet<string> = new Set(['project', 'revision', 'model', 'parent']);

const readPom: Reader = (lines) => {
  const mentions: Mention[] = [];
  const nothing = { group: '', artifact: '', version: '', line: null as SideLine | null };
  let current = { ...nothing };
  // The coordinates of the project itself look like a dependency; only the enclosing element tells.
  let isInside = false;
  const finish = (): void => {
    const { group, artifact, version, line } = current;
    if (isInside && artifact && line)
      mentions.push({ name: group ? `${group}:${artifact}` : artifact, version, line });
    current = { ...nothing };
    isInside = false;
  };
  for (const line of lines) {
    if (/<(?:dependency|plugin|extension)>/.test(line.text)) {
      current = { ...nothing };
      isInside = true;
    }
    for (const [, tag, text = ''] of line.text.matchAll(element)) {
      if (tag === 'groupId') current.group = text;
      else if (tag === 'artifactId') current.artifact = text;
      else Object.assign(current, { version: text, line });
    }
    // A dependency may begin above the hunk.
    if (/<\/(?:dependency|plugin|extension)>/.test(line.text)) {
      isInside = true;
      finish();
    }
    const [, before, behind, own = ''] = property.exec(line.text) ?? [];
    const name = before ?? behind;
    if (name && !ownProperties.has(name)) mentions.push({ name, version: own, line });
  }
  finish();
  return mentions;
};

const configuration =
  /^\s*(api|implementation|compileOnly|compileOnlyApi|runtimeOnly|compile|runtime|provided|annotationProcessor|kapt|ksp|classpath|(?:test|androidTest|integrationTest|debug|release)[A-Z]\w{0,30})\b[\s(]\s{0,8}(.*)$/;
const coordinates = /["']([\w.-]{1,120}):([\w.-]{1,120}):([^"':@]{1,80})(?:[:@][^"']{1,40})?["']/;
const named =
  /group\s?[:=]\s?["']([\w.-]{1,120})["'],\s?name\s?[:=]\s?["']([\w.-]{1,120})["'],\s?version\s?[:=]\s?["']([^"']{1,80})["']/;
const plugin =
  /^\s*(?:id[\s(]\s{0,4}["']([\w.-]{1,120})["']|kotlin\(["']([\w.-]{1,60})["'])\)?\s+version\s+["']([^"']{1,80})["']/;

function readGradle(lines: SideLine[]): Mention[] {
  return lines.flatMap((line) => {
    const [, pluginId, kotlin, pluginVersion] = plugin.exec(line.text) ?? [];
    if (pluginVersion !== undefined) {
      const name = pluginId ?? `kotlin-${kotlin}`;
      return [{ name, version: pluginVersion, line }];
    }
    const [, kind, rest = ''] = configuration.exec(line.text) ?? [];
    const [, group, artifact, version] = kind ? (coordinates.exec(rest) ?? named.exec(rest) ?? []) : [];
    if (!kind || !group || !artifact || !version) return [];
    // A variable is defined elsewhere, where its change is read.
    const isVariable = version.startsWith('$');
    return [{ name: `${group}:${artifact}`, version: isVariable ? null : version, line }];
  });
}

function readVersionCatalog(lines: SideLine[]): Mention[] {
  return readToml(lines).flatMap(({ section, key, value, isItem, line }) => {
    if (isItem || key === null) return [];
    if (section === 'versions') return [{ name: key, version: quotedVersion(value), line }];
    if (section !== 'libraries' && section !== 'plugins') return [];
    const [, group, artifact, version] = coordinates.exec(value) ?? [];
    if (version) return [{ name: `${group}:${artifact}`, version, line }];
    const name = /\b(?:module|id)\s?=\s?"([\w.:-]{1,200})"/.exec(value)?.[1];
    return name ? [{ name, version: value.startsWith('{') ? quotedVersion(value) : null, line }] : [];
  });
}

/** `section` is null if the diff does not show the table of the line. */
interface TomlEntry {
  section: string | null;
  key: string | null;
  value: string;
  isItem: boolean;
  line: SideLine;
}

const header = /^\s*\[\[?([^[\]]{1,200})\]/;
const assignment = /^\s*("[^"]{1,200}"|'[^']{1,200}'|[\w.-]{1,200})\s*=\s*(\S.*)?$/;
const item = /^\s*(?:"([^"]{1,300})"|'([^']{1,300})')\s*,?\s*(?:#.*)?$/;
const quoted = /"([^"]{1,300})"|'([^']{1,300})'/g;

function readToml(lines: SideLine[]): TomlEntry[] {
  const entries: TomlEntry[] = [];
  let section: string | null = null;
  let list: string | null = null;
  for (const line of lines) {
    const { text } = line;
    const [, table] = header.exec(text) ?? [];
    const [, key, value = ''] = assignment.exec(text) ?? [];
    if (table !== undefined) {
      section = table.trim();
      list = null;
    } else if (key !== undefined) {
      const name = key.replace(/^["']|["']$/g, '');
      const isOpen = value.startsWith('[') && !/\]\s*(?:#.*)?$/.test(value);
      list = isOpen ? name : null;
      if (value.startsWith('[')) entries.push(...tomlItems(value, { section, key: name, line }));
      else entries.push({ section, key: name, value, isItem: false, line });
    } else if (/^\s*\]/.test(text)) list = null;
    else {
      const match = item.exec(text);
      const content = match?.[1] ?? match?.[2];
      if (content !== undefined) entries.push({ section, key: list, value: content, isItem: true, line });
    }
  }
  return entries;
}

function tomlItems(value: string, place: Pick<TomlEntry, 'section' | 'key' | 'line'>): TomlEntry[] {
  return [...value.matchAll(quoted)].map(([, double, single]) => ({
    ...place,
    value: double ?? single ?? '',
    isItem: true,
  }));
}

function quotedVersion(value: string): string | null {
  const plain = /^["']([^"']{0,150})["']/.exec(value)?.[1];
  if (plain !== undefined) return plain;
  const inTable = /\bversion\s*=\s*["']([^"']{1,150})["']/.exec(value)?.[1];
  return inTable ?? /\b(?:rev|tag|branch)\s*=\s*["']([^"']{1,150})["']/.exec(value)?.[1] ?? null;
}

function looksLikeDependency(value: string): boolean {
  if (/^["'][\^~<>=]{0,2}\s?\d{1,9}(?:\.[\w*+-]{1,40}){0,5}(?:,\s?[<>=]{1,2}\s?[\w.]{1,40})?["']/.test(value))
    return true;
  return /^\{.*\b(?:version|git|workspace)\s*=/.test(value);
}

function parseRequirement(text: string): { name: string; version: string | null } | null {
  const match = /^\s*([A-Za-z0-9][\w.-]{0,100})(?:\s?\[[^\]]{0,200}\])?\s{0,4}(\S.*)?$/.exec(text);
  if (!match?.[1]) return null;
  const rest = (match[2] ?? '').split(/;|\s#|\s--|\\$/, 1)[0]?.trim() ?? '';
  if (rest === '') return { name: match[1], version: null };
  if (rest.startsWith('@')) return { name: match[1], version: null };
  const version = /^\(?([<>=!~]=?=?\s?[^()]{1,120})\)?$/.exec(rest)?.[1];
  return version ? { name: match[1], version: version.trim() } : null;
}

function mentionOf(text: string, line: SideLine, isSure = true): Mention[] {
  const requirement = parseRequirement(text);
  return !requirement || (!isSure && requirement.version === null) ? [] : [{ ...requirement, line }];
}

const readRequirements: Reader = (lines) =>
  lines.flatMap((line) =>
    /^\s*(?:[#-]|$)/.test(line.text) ? [] : mentionOf(line.text.replace(/(?<!\s)\s*\\$/, ''), line),
  );

const ownKeys = wordSet('version name fail_under line-length target-version');

function readPyproject(lines: SideLine[]): Mention[] {
  return readToml(lines).flatMap((entry) => (entry.isItem ? readItem(entry) : readKey(entry)));
}

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
  const version = quotedVersion(value);
  if (key === 'requires-python' && (section === 'project' || section === null))
    return [{ name: 'python', version, line }];
  if (section !== null)
    return tables.test(section)
      ? [{ name: key, version, line, isForDevelopment: /dev-|group/.test(section) }]
      : [];
  const isOwn = ownKeys.has(key) || /version|_|^\w$/.test(key);
  return isOwn || !looksLikeDependency(value) ? [] : [{ name: key, version, line }];
}

const gem = /^\s*gem[\s(]\s*["']([\w.-]{1,100})["'](.*)$/;
const specification =
  /^\s*\w{1,20}\.add_(?:runtime_|development_)?dependency[\s(]\s*["']([\w.-]{1,100})["'](.*)$/;
const constraint = /^\s*,\s*["']([^"']{1,80})["'](?:\s*,\s*["']([^"']{1,80})["'])?/;

function versionIn(rest: string): string | null {
  const [, first, second] = constraint.exec(rest) ?? [];
  if (first === undefined || !/\d/.test(first)) return null;
  return second === undefined ? first : `${first}, ${second}`;
}

const readGemfile: Reader = (lines) =>
  lines.flatMap((line) => {
    const [, name, rest = ''] = gem.exec(line.text) ?? specification.exec(line.text) ?? [];
    return name === undefined ? [] : [{ name, version: versionIn(rest), line }];
  });

interface JsonEntry {
  section: string | null;
  key: string;
  value: string;
  line: SideLine;
}

const keyed = /^\s*"([^"\\]{1,214})"\s*:\s*(.*)$/;
const pair = /"([^"\\]{1,214})"\s{0,9}:\s{0,9}"([^"\\]{0,200})"/g;
const topLevel = '';

/** Walks through the lines of a formatted JSON object, with one key per line. */
function readEntries(lines: SideLine[]): JsonEntry[] {
  const entries: JsonEntry[] = [];
  const open: string[] = [];
  let outermost: string | null = null;
  for (const line of lines) {
    const section = open.at(-1) ?? outermost;
    const [, key, rest] = keyed.exec(line.text) ?? [];
    if (key !== undefined && rest !== undefined) {
      const value = /^"([^"\\]{0,200})"/.exec(rest)?.[1];
      if (value !== undefined) entries.push({ section, key, value, line });
      else if (/^\{\s*$/.test(rest)) open.push(key);
      else if (rest.startsWith('{')) {
        for (const [, inner = '', text = ''] of rest.matchAll(pair)) {
          entries.push({ section: key, key: inner, value: text, line });
        }
      }
    } else if (/^\s*\{\s*$/.test(line.text)) open.push(topLevel);
    else if (/^\s*\}/.test(line.text)) {
      if (open.pop() === undefined) outermost = topLevel;
    }
  }
  return entries;
}

const npmSections = /^(?:(?:dev|peer|optional)?[dD]ependencies|engines)$/;
const npmName = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~_-][\w.~-]*$/;
const versionLike =
  /^(?:[\^~<>=v]{0,3}\s{0,2}\d{1,9}(?:\.(?:\d{1,9}|[x*])){0,3}(?:[-+][\w.+-]{1,80})?(?:[\s|]|$)|workspace:|npm:|catalog:)/;
function readPackageJson(lines: SideLine[]): Mention[] {
  return readEntries(lines).flatMap(({ section, key, value, line }): Mention[] => {
    const isNamed =
      section === null ? key !== 'version' && versionLike.test(value) : npmSections.test(section);
    const isForDevelopment = section === 'devDependencies';
    return isNamed && npmName.test(key) ? [{ name: key, version: value, line, isForDevelopment }] : [];
  });
}

const composerName = /^(?:[a-z0-9][\w.-]*\/[\w.-]+|php|ext-\w+)$/i;

function readComposerJson(lines: SideLine[]): Mention[] {
  return readEntries(lines).flatMap(({ section, key, value, line }) => {
    const isNamed =
      section === null ? /^[\^~<>=v]{0,2}\d|^\*$|^dev-/.test(value) : /^require(?:-dev)?$/.test(section);
    return isNamed && composerName.test(key) ? [{ name: key, version: value, line }] : [];
  });
}

const step =
  /^\s*(?:-\s+)?uses:\s*["']?([\w.-]+\/[\w./-]{1,150})@([\w./+-]{1,100})["']?(?:\s+#\s*(.{0,60}))?/;
const hash = /^[0-9a-f]{40}$/;

function readWorkflow(lines: SideLine[]): Mention[] {
  return lines.flatMap((line) => {
    const [, name, reference, comment] = step.exec(line.text) ?? [];
    if (!name || !reference) return [];
    const said = hash.test(reference) ? /^\D{0,20}?(v?\d[\w.-]{0,40})/.exec(comment ?? '')?.[1] : undefined;
    // Several jobs may use the same action, so other lines may name it.
    return [{ name, version: said ?? reference, line, isForDevelopment: true, isUncertain: true }];
  });
}

const readers: Record<string, Reader> = {
  'package.json': readPackageJson,
  'composer.json': readComposerJson,
  'cargo.toml': readCargo,
  'pyproject.toml': readPyproject,
  pipfile: readPyproject,
  'go.mod': readGoMod,
  gemfile: readGemfile,
  'gems.rb': readGemfile,
  'pom.xml': readPom,
  'build.gradle': readGradle,
  'build.gradle.kts': readGradle,
  'libs.versions.toml': readVersionCatalog,
};

export function readerFor({ name, ending, directories }: PathParts): Reader | null {
  if (Object.hasOwn(readers, name)) return readers[name] ?? null;
  if (ending === 'gemspec') return readGemfile;
  if (ending === 'txt' || ending === 'in') {
    const isRequirements = /^(?:requirements|constraints)|requirements\.(?:txt|in)$/.test(name);
    return isRequirements || directories.at(-1) === 'requirements' ? readRequirements : null;
  }
  if ((ending !== 'yml' && ending !== 'yaml') || directories[0] !== '.github') return null;
  return directories[1] === 'workflows' || name.startsWith('action.') ? readWorkflow : null;
}
