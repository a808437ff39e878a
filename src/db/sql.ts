export class Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
  /** Whether the statement takes rights away, so that an older copy of the database shows too much. */
  hides = false;

  constructor(strings: readonly string[], values: readonly unknown[]) {
    this.strings = strings;
    this.values = values;
  }

  render(): { text: string; parameters: unknown[] } {
    const parameters: unknown[] = [];
    const shape = sqlShape(this, firstShape, parameters);
    shape.text ??= sqlText(this, { places: 0 });
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

function sqlShape({ strings, values }: Sql, before: Shape, parameters: unknown[]): Shape {
  let shape = before.with(strings);
  for (const value of values) {
    if (value instanceof Sql) shape = sqlShape(value, shape, parameters);
    else {
      parameters.push(storable(value));
      shape = shape.with(place);
    }
  }
  return shape;
}

function sqlText({ strings, values }: Sql, counted: { places: number }): string {
  return strings.reduce((text, string, index) => {
    const value = values[index - 1];
    if (value instanceof Sql) return text + sqlText(value, counted) + string;
    counted.places += 1;
    return `${text}$${counted.places}${string}`;
  });
}

/** Makes a statement in which values become parameters and nested SQL becomes part of the text. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  return new Sql(strings, values);
}

export const hiding = (statement: Sql): Sql => Object.assign(statement, { hides: true });

export const separated = (parts: readonly Sql[]): Sql =>
  parts.reduce((before, part) => sql`${before}, ${part}`);

/** Replaces NUL and lone surrogates in parameters, because PostgreSQL cannot store them. */
function storable(value: unknown): unknown {
  if (typeof value === 'string') {
    return value.isWellFormed() && !value.includes('\0')
      ? value
      : value.toWellFormed().replaceAll('\0', '\ufffd');
  }
  return Array.isArray(value) ? value.map(storable) : value;
}

/** Whether PostgreSQL stores a value unchanged. */
export const isStorable = (value: unknown): boolean => !/\\u(?:0000|d)/.test(JSON.stringify(value));

/** Replaces the same characters in JSON, where `\\u0000` is ordinary text. */
function storableJson(text: string): string {
  if (!text.includes('\\u0000') && !text.includes('\\ud')) return text;
  return text.replace(/\\(?:u0000|ud[89a-f][0-9a-f]{2}|.)/g, (found) =>
    found.length > 2 ? '\ufffd' : found,
  );
}

/** The driver handles JSON as text. */
export const json = (value: unknown): Sql => parsedJson(JSON.stringify(value));

export const parsedJson = (text: string): Sql => sql`${storableJson(text)}::text::jsonb`;

/** JSON stored as text, so that it stays exactly as written. */
export const jsonText = (value: unknown): Sql => sql`${storableJson(JSON.stringify(value))}::text::json`;

/** Hides values from the planner, which would otherwise plan each page again; that takes longer than reading it. */
export const opaqueToPlanner = (value: number | string) =>
  typeof value === 'number' ? sql`(SELECT ${value}::bigint)` : sql`(SELECT ${value}::text)`;

/**
 * Returned by a statement outside of a transaction, so that it does not wait for the disk. A power cut may undo it: only for
 * changes that can be made again.
 */
export const withoutSync = sql`set_config('synchronous_commit', 'off', true) AS unsynced`;

type Read = (text: string) => unknown;

const itemReaders: [read: Read, ...types: number[]][] = [
  [(text) => text === 't', 1000],
  [Number, 1016, 1005, 1007, 1028, 1021, 1022],
  [(text) => JSON.parse(text), 199, 3807],
  [(text) => new Date(text), 1182, 1115, 1185],
  [(text) => text, 1009, 1015, 2951],
];

export const listReaders = new Map(
  itemReaders.flatMap(([read, ...types]) =>
    types.map((type): [number, Read] => [type, (text) => readList(text, read)]),
  ),
);

const listItem = /"((?:[^"\\]|\\.)*)"|([^{},]+)/gs;

/** Parses a list of one dimension, such as `{one,"two, three",NULL}`. */
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
