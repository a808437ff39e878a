import type { SideLine } from '../hunk-sides.ts';
import { wordSet } from '../word-set.ts';
import type { Mention } from './pair-mentions.ts';

const table = /^(?:workspace\.|target\..{1,150}\.)?(?:dev-|build-)?dependencies(?:\.([\w-]{1,100}))?$/;
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
    return isLikely ? { name, version: versionOf(value), line } : null;
  }
  const [found, dependency] = table.exec(section) ?? [];
  if (found === undefined) return null;
  if (dependency !== undefined) {
    return key === 'version' ? { name: dependency, version: versionOf(value), line } : null;
  }
  if (property !== undefined && property !== 'version' && property !== 'workspace') return null;
  return { name, version: versionOf(value), line, isForDevelopment: /(?:dev|build)-dep/.test(section) };
}

const requirement = /^(?:\t| {1,8}|require\s+)([\w.~-]+(?:\/[\w.~-]+)*)\s+(v\d[\w.+-]*)\s*(\/\/ indirect)?/;

export function readGoMod(lines: SideLine[]): Mention[] {
  const mentions: Mention[] = [];
  let block: string | null = null;
  for (const line of lines) {
    const [, opened] = /^(require|replace|exclude|retract|tool)\s*\(/.exec(line.text) ?? [];
    if (opened) block = opened;
    else if (line.text.startsWith(')')) block = 'none';
    const [, language] = /^go (\d[\w.]*)/.exec(line.text) ?? [];
    if (language) mentions.push({ name: 'go', version: language, line });
    // An arrow puts one module in the place of another and requires nothing.
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

interface Coordinates {
  group: string | null;
  artifact: string | null;
  version: { text: string; line: SideLine } | null;
}

const nowhere = (): Coordinates => ({ group: null, artifact: null, version: null });

export function readPom(lines: SideLine[]): Mention[] {
  const mentions: Mention[] = [];
  let current: Coordinates = nowhere();
  // The project's own coordinates look like those of a dependency: only the element around them tells.
  let isInside = false;
  const finish = (): void => {
    const name =
      current.group && current.artifact ? `${current.group}:${current.artifact}` : current.artifact;
    if (isInside && name && current.version) {
      const { text, line } = current.version;
      mentions.push({ name, version: text, line });
    }
    current = nowhere();
  };
  for (const line of lines) {
    if (/<(?:dependency|plugin|extension)>/.test(line.text)) {
      current = nowhere();
      isInside = true;
    }
    for (const [, tag, text = ''] of line.text.matchAll(element)) {
      if (tag === 'groupId') current.group = text;
      else if (tag === 'artifactId') current.artifact = text;
      else current.version = { text, line };
    }
    if (/<\/(?:dependency|plugin|extension)>/.test(line.text)) {
      // Its beginning may be above the hunk.
      isInside = true;
      finish();
      isInside = false;
    }
    const [, before, behind, version] = property.exec(line.text) ?? [];
    const name = before ?? behind;
    if (name && version && !ownProperties.has(name)) mentions.push({ name, version, line });
  }
  finish();
  return mentions;
}

const configuration =
  /^\s*(api|implementation|compileOnly|compileOnlyApi|runtimeOnly|compile|runtime|provided|annotationProcessor|kapt|ksp|classpath|(?:test|androidTest|integrationTest|debug|release)[A-Z]\w{0,30})\b[\s(]\s{0,8}(.*)$/;
const coordinates = /["']([\w.-]{1,120}):([\w.-]{1,120}):([^"':@]{1,80})(?:[:@][^"']{1,40})?["']/;
const named =
  /group\s?[:=]\s?["']([\w.-]{1,120})["'],\s?name\s?[:=]\s?["']([\w.-]{1,120})["'],\s?version\s?[:=]\s?["']([^"']{1,80})["']/;
const plugin =
  /^\s*(?:id[\s(]\s{0,4}["']([\w.-]{1,120})["']|kotlin\(["']([\w.-]{1,60})["'])\)?\s+version\s+["']([^"']{1,80})["']/;

export function readGradle(lines: SideLine[]): Mention[] {
  return lines.flatMap((line) => {
    const [, pluginId, kotlin, pluginVersion] = plugin.exec(line.text) ?? [];
    if (pluginVersion !== undefined) {
      const name = pluginId ?? `kotlin-${kotlin}`;
      return [{ name, version: pluginVersion, line }];
    }
    const [, kind, rest = ''] = configuration.exec(line.text) ?? [];
    const [, group, artifact, version] = kind ? (coordinates.exec(rest) ?? named.exec(rest) ?? []) : [];
    if (!kind || !group || !artifact || !version) return [];
    // A name in place of the number is kept elsewhere, and changes there.
    const isVariable = version.startsWith('$');
    return [{ name: `${group}:${artifact}`, version: isVariable ? null : version, line }];
  });
}

export function readVersionCatalog(lines: SideLine[]): Mention[] {
  return readToml(lines).flatMap(({ section, key, value, isItem, line }) => {
    if (isItem || key === null) return [];
    if (section === 'versions') return [{ name: key, version: versionOf(value), line }];
    if (section !== 'libraries' && section !== 'plugins') return [];
    const [, group, artifact, version] = coordinates.exec(value) ?? [];
    if (version) return [{ name: `${group}:${artifact}`, version, line }];
    const name = /\b(?:module|id)\s?=\s?"([\w.:-]{1,200})"/.exec(value)?.[1];
    return name ? [{ name, version: value.startsWith('{') ? versionOf(value) : null, line }] : [];
  });
}

/** A line of a TOML file with the table that it stands in; null where the diff does not show that. */
export interface TomlEntry {
  section: string | null;
  /** The key, or for an item of a list the key of the list; null where that is not visible. */
  key: string | null;
  /** What stands behind the equals sign, or the text of one item. */
  value: string;
  isItem: boolean;
  line: SideLine;
}

const header = /^\s*\[\[?([^[\]]{1,200})\]/;
const assignment = /^\s*("[^"]{1,200}"|'[^']{1,200}'|[\w.-]{1,200})\s*=\s*(\S.*)?$/;
const item = /^\s*(?:"([^"]{1,300})"|'([^']{1,300})')\s*,?\s*(?:#.*)?$/;
const quoted = /"([^"]{1,300})"|'([^']{1,300})'/g;

export function readToml(lines: SideLine[]): TomlEntry[] {
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
      if (value.startsWith('[')) entries.push(...itemsOf(value, { section, key: name, line }));
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

function itemsOf(value: string, place: Pick<TomlEntry, 'section' | 'key' | 'line'>): TomlEntry[] {
  return [...value.matchAll(quoted)].map(([, double, single]) => ({
    ...place,
    value: double ?? single ?? '',
    isItem: true,
  }));
}

/** The version in `"1.2"`, `{ version = "1.2" }` or `{ git = "…", tag = "v1" }`; null where there is none. */
export function versionOf(value: string): string | null {
  const plain = /^["']([^"']{0,150})["']/.exec(value)?.[1];
  if (plain !== undefined) return plain;
  const inTable = /\bversion\s*=\s*["']([^"']{1,150})["']/.exec(value)?.[1];
  return inTable ?? /\b(?:rev|tag|branch)\s*=\s*["']([^"']{1,150})["']/.exec(value)?.[1] ?? null;
}

/** Whether a value can be a dependency when nothing says that it is one. */
export function looksLikeDependency(value: string): boolean {
  if (/^["'][\^~<>=]{0,2}\s?\d{1,9}(?:\.[\w*+-]{1,40}){0,5}(?:,\s?[<>=]{1,2}\s?[\w.]{1,40})?["']/.test(value))
    return true;
  return /^\{.*\b(?:version|git|workspace)\s*=/.test(value);
}
