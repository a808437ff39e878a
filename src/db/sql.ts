/** A statement, or a part of one, with its values kept apart from its text. */
export class Sql {
  readonly strings: readonly string[];
  readonly values: readonly unknown[];
  /** Whether it is run also when the disk is all but full. */
  readonly mayUseReserve: boolean;

  constructor(strings: readonly string[], values: readonly unknown[], mayUseReserve = false) {
    this.strings = strings;
    this.values = values;
    this.mayUseReserve = mayUseReserve;
  }

  /** The text with numbered places, and what belongs into them. Parts inside parts are flattened. */
  render(): { text: string; parameters: unknown[] } {
    const parameters: unknown[] = [];
    const write = ({ strings, values }: Sql): string =>
      strings.reduce((text, string, index) => {
        const value = values[index - 1];
        return text + (value instanceof Sql ? write(value) : `$${parameters.push(storable(value))}`) + string;
      });
    return { text: write(this), parameters };
  }
}

/** Writes SQL: values become parameters, and other pieces of SQL become part of the text. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  return new Sql(strings, values);
}

/** For statements that withdraw access or free room: they must not fail on a full disk. */
export function fromReserve({ strings, values }: Sql): Sql {
  return new Sql(strings, values, true);
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
