import type { SideLine } from '../hunk-sides.ts';
import type { Mention, Scope } from './pair-mentions.ts';

const tuple = /^\s*(?:defp? deps,? ?do: )?(?:\[\s*)?\{:([a-z]\w{0,80}),\s*(.*)$/;

export function readMix(lines: SideLine[]): Mention[] {
  return lines.flatMap((line) => {
    const [, name, rest = ''] = tuple.exec(line.text) ?? [];
    if (name === undefined) return [];
    const version = /^"([^"]{1,80})"/.exec(rest)?.[1] ?? null;
    const isComputed = /^(?:@\w+|[a-z]\w*\(\))\s*[,}]/.test(rest);
    const isFound = isComputed || /\b(?:git|github|path|in_umbrella):/.test(rest);
    // Any other pair of this form is a setting.
    if (version === null ? !isFound : !/\d/.test(version)) return [];
    const only = /\bonly:\s*(\[[^\]]{0,80}\]|:\w+)/.exec(rest)?.[1];
    const scope = only !== undefined && !only.includes(':prod') ? 'development' : 'runtime';
    return [{ name, version, scope, line } satisfies Mention];
  });
}

const gem = /^\s*gem[\s(]\s*["']([\w.-]{1,100})["'](.*)$/;
const specification =
  /^\s*\w{1,20}\.add_(runtime_|development_)?dependency[\s(]\s*["']([\w.-]{1,100})["'](.*)$/;
const constraint = /^\s*,\s*["']([^"']{1,80})["'](?:\s*,\s*["']([^"']{1,80})["'])?/;

function versionIn(rest: string): string | null {
  const [, first, second] = constraint.exec(rest) ?? [];
  if (first === undefined || !/\d/.test(first)) return null;
  return second === undefined ? first : `${first}, ${second}`;
}

export function readGemfile(lines: SideLine[]): Mention[] {
  const mentions: Mention[] = [];
  let group: Scope | null = null;
  for (const line of lines) {
    const [, groups] = /^\s*group\s*\(?\s*(:[\w:,\s]{1,100}?)\)?\s+do\b/.exec(line.text) ?? [];
    if (groups !== undefined) group = /:(?:default|production)\b/.test(groups) ? 'runtime' : 'development';
    else if (/^end\b/.test(line.text)) group = 'runtime';
    const [, name, rest = ''] = gem.exec(line.text) ?? [];
    if (name === undefined) continue;
    const isForDevelopment =
      /\bgroups?:\s*\[?\s*:(?:development|test)|:group\s*=>\s*\[?\s*:(?:development|test)/.test(rest);
    mentions.push({ name, version: versionIn(rest), scope: isForDevelopment ? 'development' : group, line });
  }
  return mentions;
}

export function readGemspec(lines: SideLine[]): Mention[] {
  return lines.flatMap((line) => {
    const [, kind, name, rest = ''] = specification.exec(line.text) ?? [];
    if (name === undefined) return [];
    const scope = kind === 'development_' ? 'development' : 'runtime';
    return [{ name, version: versionIn(rest), scope, line } satisfies Mention];
  });
}

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

const npmSections: Record<string, Scope> = {
  dependencies: 'runtime',
  devDependencies: 'development',
  peerDependencies: 'runtime',
  optionalDependencies: 'runtime',
  engines: 'runtime',
};
const npmName = /^(?:@[a-z0-9~-][\w.~-]*\/)?[a-z0-9~_-][\w.~-]*$/;
const versionLike =
  /^(?:[\^~<>=v]{0,3}\s{0,2}\d{1,9}(?:\.(?:\d{1,9}|[x*])){0,3}(?:[-+][\w.+-]{1,80})?(?:[\s|]|$)|workspace:|npm:|catalog:)/;
const developmentTool =
  /^(?:@types\/|@?eslint|@typescript-eslint\/|prettier|typescript$|jest|@jest\/|vitest$|@vitest\/|mocha$|chai|tap$|tsd$|ts-node|ts-jest|tsx$|tsup$|rollup|webpack|@babel\/|husky$|lint-staged$|simple-git-hooks$|nyc$|c8$|sinon|standard$|snazzy$|rimraf$|cross-env$|nodemon$|@playwright\/|playwright|supertest$|@biomejs\/|nock$|proxyquire$)/;

export function readPackageJson(lines: SideLine[]): Mention[] {
  const entries = readEntries(lines);
  const hasTools = entries.some(({ section, key }) => section === null && developmentTool.test(key));
  const mentions: Mention[] = [];
  for (const { section, key, value, line } of entries) {
    if (key === 'packageManager') {
      const [, name, version] = /^([a-z]{1,20})@([^+]{1,60})/.exec(value) ?? [];
      if (name && version) mentions.push({ name, version, scope: 'development', line });
    } else if (section !== null) {
      const scope = Object.hasOwn(npmSections, section) ? npmSections[section] : undefined;
      if (scope && npmName.test(key)) mentions.push({ name: key, version: value, scope, line });
    } else if (key !== 'version' && npmName.test(key) && versionLike.test(value)) {
      mentions.push({ name: key, version: value, scope: hasTools ? 'development' : null, line });
    }
  }
  return mentions;
}

const composerSections: Record<string, Scope> = { require: 'runtime', 'require-dev': 'development' };
const composerName = /^(?:[a-z0-9][\w.-]*\/[\w.-]+|php|ext-\w+)$/i;

export function readComposerJson(lines: SideLine[]): Mention[] {
  return readEntries(lines).flatMap(({ section, key, value, line }) => {
    if (!composerName.test(key)) return [];
    if (section !== null && !Object.hasOwn(composerSections, section)) return [];
    if (section === null && !/^[\^~<>=v]{0,2}\d|^\*$|^dev-/.test(value)) return [];
    const scope = section === null ? null : (composerSections[section] ?? null);
    return [{ name: key, version: value, scope, line }];
  });
}

const entry = /^( {0,8})["']?([@\w./-]{1,200}?)["']?:(?:\s+(\S.*))?$/;

function withoutQuotes(text: string): string {
  return text
    .replace(/(?<!\s)\s+#.*$/, '')
    .trim()
    .replace(/^["']|["']$/g, '');
}

/** The keys right below each section, with their values. */
function readSections(
  lines: SideLine[],
): { section: string | null; key: string; value: string; line: SideLine }[] {
  const found: { section: string | null; key: string; value: string; line: SideLine }[] = [];
  let section: string | null = null;
  let depth: number | null = null;
  for (const line of lines) {
    const [, indent = '', key, value = ''] = entry.exec(line.text) ?? [];
    if (key === undefined) continue;
    if (indent === '') {
      section = key;
      depth = null;
    } else {
      depth ??= indent.length;
      if (indent.length === depth) found.push({ section, key, value: withoutQuotes(value), line });
    }
  }
  return found;
}

const pubspecSections: Record<string, Scope> = {
  dependencies: 'runtime',
  dev_dependencies: 'development',
  environment: 'runtime',
};

export function readPubspec(lines: SideLine[]): Mention[] {
  return readSections(lines).flatMap(({ section, key, value, line }) => {
    if (section !== null && !Object.hasOwn(pubspecSections, section)) return [];
    if (section === null && !/^(?:[\^<>=]{0,2}\d|any$)/.test(value)) return [];
    const scope = section === null ? null : (pubspecSections[section] ?? null);
    return [{ name: key, version: value === '' ? null : value, scope, line }];
  });
}

/** Catalogs are where a pnpm workspace keeps the versions of all its packages. */
export function readPnpmWorkspace(lines: SideLine[]): Mention[] {
  return readSections(lines).flatMap(({ section, key, value, line }) =>
    section === 'catalog' && value !== '' ? [{ name: key, version: value, scope: null, line }] : [],
  );
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
    return [{ name, version: said ?? reference, scope: 'development', line } satisfies Mention];
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
    return [{ name, version: said ?? version, scope: 'development', line } satisfies Mention];
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
    return [{ name, version: tag ?? digest ?? null, scope: 'runtime', line } satisfies Mention];
  });
}
