import { detachText } from './detach-text.ts';
import type { FileDiff } from './file-diff.ts';
import { sidesOf } from './hunk-sides.ts';
import { type Budget, matchGlob, matchSegment } from './match-glob.ts';

/** What the repository says about a file. A missing entry means that it says nothing. */
export interface FileAttributes {
  isGenerated?: boolean;
  isVendored?: boolean;
  isDocumentation?: boolean;
  isBinary?: boolean;
  language?: string;
}

interface Rule {
  /** The names of the directories above the .gitattributes. */
  base: string[];
  /** Names between slashes for a pattern that is tied to its place; one name for any place below. */
  segments: string[];
  isAnchored: boolean;
  attributes: FileAttributes;
}

// Real files have dozens. Each rule is held against each file of the diff, so that their number must be bounded.
const mostRules = 500;
/** As much as that many rules take. */
const largestFile = 128 * 1024;
/** For all rules together: what real ones need for a path, many times over. */
const mostSteps = 10_000;

const names: Record<string, 'isGenerated' | 'isVendored' | 'isDocumentation'> = {
  'linguist-generated': 'isGenerated',
  'linguist-vendored': 'isVendored',
  'linguist-documentation': 'isDocumentation',
};

/** What the .gitattributes of a diff say together, as they stand after the change. Each of them is read once. */
export class GitAttributes {
  /** In the order in which later ones win. */
  readonly #rules: Rule[] = [];
  /** Those that say too much to be followed. */
  readonly unfollowed = new Set<string>();

  /** Reads a file if it is a .gitattributes. */
  note(file: FileDiff): void {
    if (file.path !== '.gitattributes' && !file.path.endsWith('/.gitattributes')) return;
    if (file.status === 'removed') return;
    const rules = file.bytes.length > largestFile ? null : rulesIn(file);
    if (!rules || this.#rules.length + rules.length > mostRules) this.unfollowed.add(file.path);
    else if (rules.length > 0) {
      this.#rules.push(...rules);
      this.#rules.sort((one, other) => one.base.length - other.base.length);
    }
  }

  /** What the rules say together about one path. */
  of(path: string): FileAttributes {
    const found: FileAttributes = {};
    if (this.#rules.length === 0) return found;
    const segments = path.split('/');
    const budget = { steps: mostSteps };
    for (const rule of this.#rules)
      if (applies(rule, segments, budget)) Object.assign(found, rule.attributes);
    return found;
  }
}

export function parseGitAttributes(files: FileDiff[]): GitAttributes {
  const attributes = new GitAttributes();
  for (const file of files) attributes.note(file);
  return attributes;
}

function rulesIn({ path, hunks }: FileDiff): Rule[] {
  const base = path.split('/').slice(0, -1);
  // The same line again decides nothing anew, but decides last.
  const lines = new Set<string>();
  for (const { text } of hunks.flatMap((hunk) => sidesOf(hunk).new)) {
    lines.delete(text);
    lines.add(text);
  }
  return Array.from(lines).flatMap((line) => parseRule(line, base) ?? []);
}

function applies(rule: Rule, path: string[], budget: Budget): boolean {
  if (path.length <= rule.base.length) return false;
  if (!rule.base.every((name, index) => path[index] === name)) return false;
  if (rule.isAnchored) return matchGlob(rule.segments, path.slice(rule.base.length), budget);
  return matchSegment(rule.segments[0] ?? '', path.at(-1) ?? '', budget);
}

function parseRule(line: string, base: string[]): Rule | null {
  const text = detachText(line.trim());
  if (text === '' || text.startsWith('#') || text.startsWith('[attr]') || text.startsWith('!')) return null;
  const quoted = /^"((?:[^"\\]|\\.)*)"/.exec(text);
  const pattern = quoted ? (quoted[1] ?? '') : (text.split(/[ \t]/, 1)[0] ?? '');
  const attributes = parseAttributes(text.slice(quoted ? quoted[0].length : pattern.length));
  // With a slash at its end a pattern would mean directories, which have no attributes.
  if (pattern.endsWith('/') || Object.keys(attributes).length === 0) return null;
  const isAnchored = pattern.includes('/');
  const segments = pattern.split('/').filter((name, index) => index > 0 || name !== '');
  return { base, segments, isAnchored, attributes };
}

function parseAttributes(text: string): FileAttributes {
  const attributes: FileAttributes = {};
  for (const word of text.split(/[ \t]+/)) {
    const isOff = word.startsWith('-') || word.startsWith('!');
    const [name = '', value] = (isOff ? word.slice(1) : word).split('=', 2);
    const isSet = !isOff && value !== 'false';
    const known = names[name];
    if (known) attributes[known] = isSet;
    else if (name === 'binary' && value === undefined) attributes.isBinary = isSet;
    else if (name === 'diff' || name === 'text') readTextual(attributes, name, isOff, word.startsWith('!'));
    else if (name === 'linguist-language' && value) attributes.language = value;
  }
  return attributes;
}

/** `-diff` means that nobody should read it; `diff` and `text` that it is not binary after all. */
function readTextual(attributes: FileAttributes, name: string, isOff: boolean, isUnset: boolean): void {
  if (isUnset) return;
  if (!isOff) attributes.isBinary = false;
  else if (name === 'diff') attributes.isBinary = true;
}
