/** Turns the text of a value into the value. */
type Read = (text: string) => unknown;

/** The types that mean something else than their text, with the number of each and of lists of it. */
const readers: { read: Read; types: [one: number, list: number][] }[] = [
  { read: (text) => text === 't', types: [[16, 1000]] },
  {
    read: Number,
    types: [
      [20, 1016],
      [21, 1005],
      [23, 1007],
      [26, 1028],
      [700, 1021],
      [701, 1022],
    ],
  },
  {
    read: (text) => JSON.parse(text),
    types: [
      [114, 199],
      [3802, 3807],
    ],
  },
  {
    read: (text) => new Date(text),
    types: [
      [1082, 1182],
      [1114, 1115],
      [1184, 1185],
    ],
  },
  {
    read: (text) => text,
    types: [
      [25, 1009],
      [1043, 1015],
      [2950, 2951],
    ],
  },
];

/** How lists are read, by their type. */
export const listReaders = new Map<number, Read>(
  readers.flatMap(({ read, types }) =>
    types.map(([, list]): [number, Read] => [list, (text) => readList(text, read)]),
  ),
);

const readersOfOne = new Map<number, Read>(
  readers.flatMap(({ read, types }) => types.map(([one]): [number, Read] => [one, read])),
);

/** How values of a type are read; undefined where they are their text. */
export const readerOf = (type: number): Read | undefined => readersOfOne.get(type) ?? listReaders.get(type);

const listItem = /"((?:[^"\\]|\\.)*)"|([^{},]+)/gs;

/** A list of one dimension, such as `{one,"two, three",NULL}`. */
function readList(text: string, read: Read): unknown[] {
  return Array.from(text.matchAll(listItem), ([, quoted, plain]) => {
    if (quoted !== undefined) return read(quoted.replace(/\\(.)/gs, '$1'));
    return plain === undefined || plain === 'NULL' ? null : read(plain);
  });
}

/** How a value is written follows from what it is; PostgreSQL knows from the statement what it is to be. */
export function textOf(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return textOfList(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export function textOfList(values: readonly unknown[]): string {
  const written = values.map((value) => {
    const text = textOf(value);
    return text === null ? 'NULL' : `"${text.replace(/[\\"]/g, '\\$&')}"`;
  });
  return `{${written.join(',')}}`;
}
