/** What a text may hold: no agent comes near it, and whoever does is told. */
export const boundsOfTexts = ['minLength', 'maxLength', 'pattern'];

/** What is seen in an answer itself, of which the names of what it has are told beforehand. */
export const readInAnswers = [
  'description',
  'required',
  'additionalProperties',
  'type',
  'enum',
  'minimum',
  'maximum',
];

/**
 * A schema as agents are shown it, without some keywords: it has all tools in mind for as long as it works, and goes by their names
 * and by what they take.
 */
export const publishedSchema = (schema: object, without: string[]): { type: 'object' } => ({
  ...pruned(schema, without),
  type: 'object',
});

const pruned = (schema: object, without: string[]): object =>
  Object.fromEntries(
    Object.entries(schema)
      .filter(([keyword]) => !without.includes(keyword))
      .map(([keyword, value]) => {
        if (keyword === 'items') return [keyword, pruned(value, without)];
        if (keyword !== 'properties') return [keyword, value];
        const named = Object.entries<object>(value).map(([name, one]) => [name, pruned(one, without)]);
        return [keyword, Object.fromEntries(named)];
      }),
  );
