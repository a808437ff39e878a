import { type KnownEdit, noTruth, type World } from './known-edit.ts';
import { pick, wordsOf } from './make-edits.ts';

/** A manifest as lines, and how to remove and add a dependency. */
interface Format {
  path: RegExp;
  /** The line after which dependencies begin. */
  section: RegExp;
  dependency: RegExp;
  /** The line that ends the section. */
  end: RegExp;
}

const formats: Format[] = [
  {
    path: /(?:^|\/)Cargo\.toml$/,
    section: /^\[dependencies\]$/,
    dependency: /^([\w-]+) = .*[^[{,]$/,
    end: /^\[/,
  },
  {
    path: /(?:^|\/)[\w-]*requirements[\w-]*\.txt$/,
    section: /^$/,
    dependency: /^([A-Za-z][\w.-]+)[=~<>]=?\S+$/,
    end: /^\0/,
  },
  {
    path: /(?:^|\/)pyproject\.toml$/,
    section: /^dependencies = \[$/,
    dependency: /^ +"([\w-]+)[^"]*",$/,
    end: /^\]/,
  },
  {
    path: /(?:^|\/)build\.gradle(?:\.kts)?$/,
    section: /^dependencies \{$/,
    dependency: /^ +(?:implementation|api)[ (]"[\w.-]+:([\w.-]+):[^"]+"\)?$/,
    end: /^\}/,
  },
  {
    path: /(?:^|\/)package\.json$/,
    section: /^ {2}"dependencies": \{$/,
    dependency: /^ {4}"([@\w/.-]+)": "[^"]+",$/,
    end: /^ {2}\}/,
  },
];

export const isManifest = (path: string): boolean => formats.some((format) => format.path.test(path));

interface Manifest {
  path: string;
  lines: string[];
  /** The line after which a dependency can be added; -1 without a section. */
  section: number;
  dependencies: { at: number; name: string }[];
}

function open(path: string, text: string, { section, dependency, end }: Format): Manifest {
  const lines = text.split('\n');
  const start = section.source === '^$' ? -1 : lines.findIndex((line) => section.test(line));
  const dependencies: Manifest['dependencies'] = [];
  for (let at = start + 1; at < lines.length && !end.test(lines[at] ?? ''); at++) {
    const name = dependency.exec(lines[at] ?? '')?.[1];
    if (name) dependencies.push({ at, name });
  }
  return { path, lines, section: start, dependencies };
}

/** Dependencies moved from one manifest of a repository to another. */
export function moveDependencies(files: World, count: number, random: () => number): KnownEdit[] {
  const edits: KnownEdit[] = [];
  for (const format of formats) {
    const manifests = [...files]
      .filter(([path]) => format.path.test(path))
      .map(([path, text]) => open(path, text, format))
      .filter(({ section }) => section >= 0 || format.section.source === '^$');
    const pairs = manifests.flatMap((one) =>
      manifests.filter((other) => other !== one).map((other) => [one, other] as const),
    );
    for (let tries = 0; tries < count * 4 && pairs.length > 0 && edits.length < count; tries++) {
      const pair = pick(pairs, random);
      const dependency = pair && pick(pair[0].dependencies, random);
      if (!pair || !dependency) continue;
      const edit = move(pair[0], pair[1], dependency);
      if (edit) edits.push(edit);
    }
  }
  return edits;
}

function move(one: Manifest, other: Manifest, { at, name }: { at: number; name: string }): KnownEdit | null {
  if (
    other.lines.some((line) => line.includes(name)) ||
    one.lines.filter((line) => line.includes(name)).length > 1
  )
    return null;
  const line = one.lines[at] ?? '';
  const behind = other.section < 0 ? 0 : other.section + 1;
  const after: World = new Map([
    [one.path, one.lines.toSpliced(at, 1).join('\n')],
    [other.path, other.lines.toSpliced(behind, 0, line).join('\n')],
  ]);
  const before: World = new Map([
    [one.path, one.lines.join('\n')],
    [other.path, other.lines.join('\n')],
  ]);
  return {
    kind: 'move a dependency',
    language: 'manifests',
    before,
    after,
    truth: {
      ...noTruth,
      moved: [name, /["']([^"']+):[^:]+["']/.exec(line)?.[1] ?? name, ...wordsOf(line)],
      fromFile: one.path,
      toFile: other.path,
    },
  };
}
