export type Files = ReadonlyMap<string, string>;

export interface Revision {
  /** The order of creation: parents have smaller numbers. */
  order: number;
  sha: string;
  parents: Revision[];
  files: Files;
  message: string;
  author: string;
}

/** The ref that fast-import writes to, before refs are moved. */
export const scratch = 'refs/scratch/commits';

/** A commit in fast-import's format, with a request for its id. */
export function asStream({ order, parents, files, message, author }: Revision): string {
  const person = `${author} Example <${author.toLowerCase()}@users.noreply.example.org> ${1.7e9 + order * 600} +0000`;
  const name = (parent: Revision) => parent.sha || `:${parent.order}`;
  const [first, ...others] = parents;
  return [
    first ? '' : `reset ${scratch}\n`,
    `commit ${scratch}\nmark :${order}\nauthor ${person}\ncommitter ${person}\n${data(message)}`,
    first ? `from ${name(first)}\n` : '',
    ...others.map((other) => `merge ${name(other)}\n`),
    'deleteall\n',
    ...[...files].map(([path, text]) => `M 100644 inline ${path}\n${data(text)}`),
    `\nget-mark :${order}\n`,
  ].join('');
}

const data = (text: string): string => `data ${Buffer.byteLength(text)}\n${text}\n`;

/** First parents, newest first, up to one outside the branch. */
export function line(from: Revision, end: Revision | null): Revision[] {
  const found: Revision[] = [];
  for (let at: Revision | undefined = from; at && at !== end; at = at.parents[0]) found.push(at);
  return found;
}

export function nearestCommon(one: Revision, other: Revision): Revision | null {
  const ofOther = ancestors(other);
  const common = [...ancestors(one)].filter((revision) => ofOther.has(revision));
  return common.reduce<Revision | null>(
    (best, next) => (best && best.order > next.order ? best : next),
    null,
  );
}

function ancestors(revision: Revision): Set<Revision> {
  const found = new Set([revision]);
  for (const { parents } of found) for (const parent of parents) found.add(parent);
  return found;
}

/** Merges file by file: changes of the other side win. */
export function mergedFiles(base: Files | undefined, ours: Files, theirs: Files): Files {
  const merged = new Map(ours);
  for (const path of new Set([...(base?.keys() ?? []), ...theirs.keys()])) {
    const text = theirs.get(path);
    if (text === base?.get(path)) continue;
    if (text === undefined) merged.delete(path);
    else merged.set(path, text);
  }
  return merged;
}
