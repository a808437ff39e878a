import type { SideLine } from '../hunk-sides.ts';
import type { Mention } from './pair-mentions.ts';

const gem = /^\s*gem[\s(]\s*["']([\w.-]{1,100})["'](.*)$/;
const specification =
  /^\s*\w{1,20}\.add_(?:runtime_|development_)?dependency[\s(]\s*["']([\w.-]{1,100})["'](.*)$/;
const constraint = /^\s*,\s*["']([^"']{1,80})["'](?:\s*,\s*["']([^"']{1,80})["'])?/;

function versionIn(rest: string): string | null {
  const [, first, second] = constraint.exec(rest) ?? [];
  if (first === undefined || !/\d/.test(first)) return null;
  return second === undefined ? first : `${first}, ${second}`;
}

export const readGemfile = (lines: SideLine[]): Mention[] =>
  lines.flatMap((line) => {
    const [, name, rest = ''] = gem.exec(line.text) ?? specification.exec(line.text) ?? [];
    return name === undefined ? [] : [{ name, version: versionIn(rest), line }];
  });

/** A `"key": "value"` with the object that it stands in; null where the diff does not show that. */
interface JsonEntry {
  section: string | null;
  key: string;
  value: string;
  line: SideLine;
}

const keyed = /^\s*"([^"\\]{1,214})"\s*:\s*(.*)$/;
const pair = /"([^"\\]{1,214})"\s{0,9}:\s{0,9}"([^"\\]{0,200})"/g;
const topLevel = '';

/** Walks through the lines of an object as people and tools print it: a key on each line. */
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
      // What closes here was opened above the hunk; behind it nothing but the top can be told.
      if (open.pop() === undefined) outermost = topLevel;
    }
  }
  return entries;
}

const npmSections = /^(?:(?:dev|peer|optional)?[dD]ependencies|engines)$/;
const npmName = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~_-][\w.~-]*$/;
const versionLike =
  /^(?:[\^~<>=v]{0,3}\s{0,2}\d{1,9}(?:\.(?:\d{1,9}|[x*])){0,3}(?:[-+][\w.+-]{1,80})?(?:[\s|]|$)|workspace:|npm:|catalog:)/;
export function readPackageJson(lines: SideLine[]): Mention[] {
  return readEntries(lines).flatMap(({ section, key, value, line }): Mention[] => {
    const [, manager, version = null] =
      key === 'packageManager' ? (/^([a-z]{1,20})@([^+]{1,60})/.exec(value) ?? []) : [];
    if (manager) return [{ name: manager, version, line }];
    const isNamed =
      section === null ? key !== 'version' && versionLike.test(value) : npmSections.test(section);
    const isForDevelopment = section === 'devDependencies';
    return isNamed && npmName.test(key) ? [{ name: key, version: value, line, isForDevelopment }] : [];
  });
}

const composerName = /^(?:[a-z0-9][\w.-]*\/[\w.-]+|php|ext-\w+)$/i;

export function readComposerJson(lines: SideLine[]): Mention[] {
  return readEntries(lines).flatMap(({ section, key, value, line }) => {
    const isNamed =
      section === null ? /^[\^~<>=v]{0,2}\d|^\*$|^dev-/.test(value) : /^require(?:-dev)?$/.test(section);
    return isNamed && composerName.test(key) ? [{ name: key, version: value, line }] : [];
  });
}

const step =
  /^\s*(?:-\s+)?uses:\s*["']?([\w.-]+\/[\w./-]{1,150})@([\w./+-]{1,100})["']?(?:\s+#\s*(.{0,60}))?/;
const hash = /^[0-9a-f]{40}$/;

/** Reads the actions that a workflow uses. A commit is named by the version in the comment behind it. */
export function readWorkflow(lines: SideLine[]): Mention[] {
  return lines.flatMap((line) => {
    const [, name, reference, comment] = step.exec(line.text) ?? [];
    if (!name || !reference) return [];
    const said = hash.test(reference) ? /^\D{0,20}?(v?\d[\w.-]{0,40})/.exec(comment ?? '')?.[1] : undefined;
    return [{ name, version: said ?? reference, line, isForDevelopment: true }];
  });
}

export function readPreCommit(lines: SideLine[]): Mention[] {
  let name: string | null = null;
  return lines.flatMap((line) => {
    const [, url] = /^\s*(?:-\s*)?repo:\s*["']?(\S{1,200}?)["']?\s*$/.exec(line.text) ?? [];
    if (url !== undefined) name = /^https?:\/\/[^/]+\/(.+?)(?:\.git)?\/?$/.exec(url)?.[1] ?? null;
    const [, version, comment] =
      /^\s*(?:-\s*)?rev:\s*["']?([\w./+-]{1,100})["']?(?:\s+#\s*(?:frozen:\s*)?(\S{1,60}))?/.exec(
        line.text,
      ) ?? [];
    if (version === undefined || name === null) return [];
    const said = hash.test(version) ? comment : undefined;
    return [{ name, version: said ?? version, line, isForDevelopment: true }];
  });
}

const from = /^\s*FROM\s+(?:--platform=\S{1,80}\s+)?(\S{1,200})(?:\s+AS\s+(\S{1,100}))?\s*$/i;

/** Reads the images that an image is built on. */
export function readDockerfile(lines: SideLine[]): Mention[] {
  const stages = new Set<string>();
  return lines.flatMap((line) => {
    const [, image, stage] = from.exec(line.text) ?? [];
    if (stage !== undefined) stages.add(stage.toLowerCase());
    if (image === undefined || image.includes('$') || image === 'scratch') return [];
    if (stages.has(image.toLowerCase())) return [];
    const [, name, tag, digest] =
      /^((?:[\w.-]+(?::\d{1,5})?\/)?[\w./-]+?)(?::([\w.-]{1,128}))?(?:@(sha256:[0-9a-f]{64}))?$/.exec(
        image,
      ) ?? [];
    // A bare word may be a stage that begins above the hunk.
    if (name === undefined || (tag === undefined && digest === undefined && !name.includes('/'))) return [];
    return [{ name, version: tag ?? digest ?? null, line }];
  });
}
