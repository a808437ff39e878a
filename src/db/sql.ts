export class Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }

  /** Nested parts are flattened. */
  render(): { text: string; parameters: unknown[] } {
    const parameters: unknown[] = [];
    const shape = shapeOf(this, firstShape, parameters);
    shape.text ??= textOf(this, { places: 0 });
    return { text: shape.text, parameters };
  }
}

/** Statements with the same parts share one text: writing and hashing it takes tens of microseconds. */
class Shape {
  readonly #next = new WeakMap<object, Shape>();
  text: string | undefined;

  with(part: object): Shape {
    const known = this.#next.get(part);
    if (known) return known;
    const longer = new Shape();
    this.#next.set(part, longer);
    return longer;
  }
}

const firstShape = new Shape();
const place = {};

function shapeOf({ strings, values }: Sql, before: Shape, parameters: unknown[]): Shape {
  let shape = before.with(strings);
  for (const value of values) {
    if (value instanceof Sql) shape = shapeOf(value, shape, parameters);
    else {
      parameters.push(storable(value));
      shape = shape.with(place);
    }
  }
  return shape;
}

function textOf({ strings, values }: Sql, counted: { places: number }): string {
  return strings.reduce((text, string, index) => {
    const value = values[index - 1];
    if (value instanceof Sql) return text + textOf(value, counted) + string;
    counted.places += 1;
    return `${text}$${counted.places}${string}`;
  });
}

/** Values become parameters, and nested SQL becomes part of the text. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  return new Sql(strings, values);
}

/** PostgreSQL stores neither NUL nor lone surrogates: all parameters have them replaced. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.isWellFormed() && !value.includes('\0')
      ? value
      : value.toWellFormed().replaceAll('\0', '\ufffd');
  }
  return Array.isArray(value) ? value.map(storable) : value;
}

/** The same in JSON, where `\\u0000` is ordinary text. */
function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!text.includes('\\u0000') && !text.includes('\\ud')) return text;
  return text.replace(/\\(?:u0000|ud[89a-f][0-9a-f]{2}|.)/g, (found) =>
    found.length > 2 ? '\ufffd' : found,
  );
}

/** The driver handles JSON as text. */
export const json = (value: unknown): Sql => sql`${storableJson(value)}::text::jsonb`;

/** Stored as it is written. */
export const jsonText = (value: unknown): Sql => sql`${storableJson(value)}::text::json`;

/** The planner does not see these values. Otherwise it would plan each page anew, which takes longer than reading it. */
export const hiddenFromPlanner = (value: number | string) =>
  typeof value === 'number' ? sql`(SELECT ${value}::bigint)` : sql`(SELECT ${value}::text)`;

/**
 * Returned by a statement outside of a transaction, so that it does not wait for the disk. A power cut may undo it: only for
 * changes that can be made again.
 */
export const withoutSync = sql`set_config('synchronous_commit', 'off', true) AS unsynced`;

type Read = (text: string) => unknown;

/** The types that are not read as text: the id of each, and of its list. */
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

export const listReaders = new Map<number, Read>(
  readers.flatMap(({ read, types }) =>
    types.map(([, list]): [number, Read] => [list, (text) => readList(text, read)]),
  ),
);

const listItem = /"((?:[^"\\]|\\.)*)"|([^{},]+)/gs;

/** One dimension, such as `{one,"two, three",NULL}`. */
function readList(text: string, read: Read): unknown[] {
  return Array.from(text.matchAll(listItem), ([, quoted, plain]) => {
    if (quoted !== undefined) return read(quoted.replace(/\\(.)/gs, '$1'));
    return plain === undefined || plain === 'NULL' ? null : read(plain);
  });
}

function textOfItem(value: unknown): string | null {
  if (value === null || value === undefined) return null;
  if (value instanceof Date) return value.toISOString();
  if (Array.isArray(value)) return textOfList(value);
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}

export function textOfList(values: readonly unknown[]): string {
  const written = values.map((value) => {
    const text = textOfItem(value);
    return text === null ? 'NULL' : `"${text.replace(/[\\"]/g, '\\$&')}"`;
  });
  return `{${written.join(',')}}`;
}
