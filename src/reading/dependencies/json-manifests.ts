import type { SideLine } from '../hunk-sides.ts';
import type { Mention, Scope } from './mention.ts';

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
