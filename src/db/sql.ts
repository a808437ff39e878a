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
    const write = ({ strings, values }: Sql): string =>
      strings.reduce((text, string, index) => {
        const value = values[index - 1];
        return text + (value instanceof Sql ? write(value) : `$${parameters.push(value)}`) + string;
      });
    return { text: write(this), parameters };
  }
}

/** Writes SQL: values become parameters, and other pieces of SQL become part of the text. */
export function sql(strings: TemplateStringsArray, ...values: unknown[]): Sql {
  return new Sql(strings, values);
}

/** A JSON value. Both drivers take it as text when it is cast, and only then in the same way. */
export const json = (value: unknown): Sql => sql`${JSON.stringify(value)}::text::jsonb`;

/** A JSON value that is kept as it is written. */
export const jsonText = (value: unknown): Sql => sql`${JSON.stringify(value)}::text::json`;
