/** A statement, or a part of one, with its values kept apart from its text. */
export class Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }

  /** The text with numbered places, and what belongs into them. Parts inside parts are flattened. */
  render(): { text: string; parameters: unknown[] } {
    const parameters: unknown[] = [];
    const shape = shapeOf(this, firstShape, parameters);
    shape.text ??= textOf(this, { places: 0 });
    return { text: shape.text, parameters };
  }
}

/**
 * What is the same each time that a statement is made: its parts, in their order, by the text that stands for them in the
 * program, and the places between them. Its text is written once: that, and hashing it wherever it is looked up, takes tens of
 * microseconds.
 */
class Shape {
  readonly #next = new WeakMap<object, Shape>();
  text: string | undefined;

  /** With another part, or another place. */
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

/** Writes SQL: values become parameters, and other pieces of SQL become part of the text. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  return new Sql(strings, values);
}

/**
 * PostgreSQL holds neither NUL nor halves of surrogate pairs. They are replaced in whatever becomes a parameter, so that no
 * query has to do it itself.
 */
function storable(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.isWellFormed() && !value.includes('\0')
      ? value
      : value.toWellFormed().replaceAll('\0', '\ufffd');
  }
  return Array.isArray(value) ? value.map(storable) : value;
}

/** JSON has its own way of writing both: what follows a backslash is looked at, and `\\u0000` is text like any other. */
function storableJson(value: unknown): string {
  const text = JSON.stringify(value);
  if (!text.includes('\\u0000') && !text.includes('\\ud')) return text;
  return text.replace(/\\(?:u0000|ud[89a-f][0-9a-f]{2}|.)/g, (found) =>
    found.length > 2 ? '\ufffd' : found,
  );
}

/** A JSON value. Both drivers take it as text when it is cast, and only then in the same way. */
export const json = (value: unknown): Sql => sql`${storableJson(value)}::text::jsonb`;

/** A JSON value that is kept as it is written. */
export const jsonText = (value: unknown): Sql => sql`${storableJson(value)}::text::json`;

/**
 * Values that the planner does not look at. If it did, it would find that a plan for just these is cheaper than one for
 * any, and plan every page anew, which takes longer than reading it.
 */
export const hiddenFromPlanner = (value: number | string) =>
  typeof value === 'number' ? sql`(SELECT ${value}::bigint)` : sql`(SELECT ${value}::text)`;

/**
 * Returned by a statement outside of a transaction, so that it does not wait for the disk. A power cut may undo it: only for
 * changes that can be made again.
 */
export const withoutSync = sql`set_config('synchronous_commit', 'off', true) AS unsynced`;

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

const listItem = /"((?:[^"\\]|\\.)*)"|([^{},]+)/gs;

/** A list of one dimension, such as `{one,"two, three",NULL}`. */
function readList(text: string, read: Read): unknown[] {
  return Array.from(text.matchAll(listItem), ([, quoted, plain]) => {
    if (quoted !== undefined) return read(quoted.replace(/\\(.)/gs, '$1'));
    return plain === undefined || plain === 'NULL' ? null : read(plain);
  });
}

/** How a value is written follows from what it is; PostgreSQL knows from the statement what it is to be. */
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
