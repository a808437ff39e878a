import type { SideLine } from '../hunk-sides.ts';
import type { Mention, Scope } from './mention.ts';
import { readToml, versionOf } from './toml-lines.ts';

const element = /<(groupId|artifactId|version|scope)>\s{0,20}([^<\s]{1,150})\s{0,20}<\//g;
const property = /^\s*<(?:([\w.-]{1,80})[.-]version|version[.-]([\w.-]{1,80}))>([^<\s]{1,80})<\//;
const ownProperties: ReadonlySet<string> = new Set(['project', 'revision', 'model', 'parent']);

interface Coordinates {
  group: string | null;
  artifact: string | null;
  version: { text: string; line: SideLine } | null;
  scope: Scope;
}

const nowhere = (): Coordinates => ({ group: null, artifact: null, version: null, scope: 'runtime' });

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
      mentions.push({ name, version: text, scope: current.scope, line });
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
      else if (tag === 'scope') current.scope = text === 'test' ? 'development' : 'runtime';
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
    if (name && version && !ownProperties.has(name)) mentions.push({ name, version, scope: null, line });
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
      return [{ name, version: pluginVersion, scope: 'development', line } satisfies Mention];
    }
    const [, kind, rest = ''] = configuration.exec(line.text) ?? [];
    const [, group, artifact, version] = kind ? (coordinates.exec(rest) ?? named.exec(rest) ?? []) : [];
    if (!kind || !group || !artifact || !version) return [];
    const isForDevelopment =
      /^(?:test|androidTest|integrationTest|classpath|kapt|ksp|annotationProcessor)/.test(kind);
    const scope: Scope = isForDevelopment ? 'development' : 'runtime';
    // A name in place of the number is kept elsewhere, and changes there.
    const isVariable = version.startsWith('$');
    return [{ name: `${group}:${artifact}`, version: isVariable ? null : version, scope, line }];
  });
}

export function readVersionCatalog(lines: SideLine[]): Mention[] {
  return readToml(lines).flatMap(({ section, key, value, isItem, line }) => {
    if (isItem || key === null) return [];
    if (section === 'versions') return [{ name: key, version: versionOf(value), scope: null, line }];
    if (section !== 'libraries' && section !== 'plugins') return [];
    const [, group, artifact, version] = coordinates.exec(value) ?? [];
    if (version) return [{ name: `${group}:${artifact}`, version, scope: null, line }];
    const name = /\b(?:module|id)\s?=\s?"([\w.:-]{1,200})"/.exec(value)?.[1];
    return name
      ? [{ name, version: value.startsWith('{') ? versionOf(value) : null, scope: null, line }]
      : [];
  });
}
