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

const byType = new Map<number, Read>(
  readers.flatMap(({ read, types }) =>
    types.flatMap(([one, list]): [number, Read][] => [
      [one, read],
      [list, (text) => readList(text, read)],
    ]),
  ),
);

export const bytesType = 17;
export const jsonType = 114;

export interface Column {
  name: string;
  type: number;
  /** Whether it comes as bytes; otherwise as text. */
  isBinary: boolean;
}

/** The value of a column as our code has it. Bytes are a view of where they arrived, not a copy. */
export function readValue(bytes: Buffer, { type, isBinary }: Column, jsonAsBytes: boolean): unknown {
  if (isBinary || (jsonAsBytes && type === jsonType)) return bytes;
  const text = bytes.toString();
  if (type === bytesType) return Buffer.from(text.slice(2), 'hex');
  const read = byType.get(type);
  return read ? read(text) : text;
}

const listItem = /"((?:[^"\\]|\\.)*)"|([^{},]+)/gs;

/** A list of one dimension, such as `{one,"two, three",NULL}`. */
function readList(text: string, read: Read): unknown[] {
  return Array.from(text.matchAll(listItem), ([, quoted, plain]) => {
    if (quoted !== undefined) return read(quoted.replace(/\\(.)/gs, '$1'));
    return plain === undefined || plain === 'NULL' ? null : read(plain);
  });
}
