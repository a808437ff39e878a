interface Schema {
  $ref?: string;
  type?: string | string[];
  enum?: unknown[];
  const?: unknown;
  format?: string;
  properties?: Record<string, Schema>;
  required?: string[];
  items?: Schema;
  anyOf?: Schema[];
  oneOf?: Schema[];
  allOf?: Schema[];
  minItems?: number;
  minLength?: number;
}

type Definitions = Record<string, Schema>;

const strings: Record<string, string> = {
  uri: 'https://github.example/x',
  'date-time': '2024-01-01T00:00:00Z',
  date: '2024-01-01',
  email: 'nobody@github.example',
};

/** A value with the required fields of a schema added, so that a test need only give the fields it is about. */
export function fillSchema(schema: Schema, definitions: Definitions, value?: unknown): unknown {
  if (value === null) return null;
  if (schema.$ref !== undefined) {
    const name = schema.$ref.split('/').at(-1) ?? '';
    return fillSchema(definitions[name] ?? {}, definitions, value);
  }
  const choices = schema.anyOf ?? schema.oneOf;
  if (choices && !schema.properties) {
    if (value === undefined && choices.some(({ type }) => type === 'null')) return null;
    const choice = choices.find(({ type }) => type !== 'null');
    return choice ? fillSchema(choice, definitions, value) : value;
  }
  if (schema.allOf)
    return Object.assign({}, ...schema.allOf.map((part) => fillSchema(part, definitions, value)));
  if (Array.isArray(value)) return value.map((item) => fillSchema(schema.items ?? {}, definitions, item));
  if (isObject(value)) return fillProperties(schema, definitions, value);
  return value === undefined ? smallest(schema, definitions) : value;
}

function smallest(schema: Schema, definitions: Definitions): unknown {
  if (schema.const !== undefined) return schema.const;
  if (schema.enum) return schema.enum[0];
  switch (Array.isArray(schema.type) ? schema.type[0] : schema.type) {
    case 'string':
      return strings[schema.format ?? ''] ?? 'x'.repeat(Math.max(1, schema.minLength ?? 1));
    case 'integer':
    case 'number':
      return 1;
    case 'boolean':
      return false;
    case 'null':
      return null;
    case 'array':
      return Array.from({ length: schema.minItems ?? 0 }, () => fillSchema(schema.items ?? {}, definitions));
    default:
      return fillProperties(schema, definitions, {});
  }
}

function fillProperties(
  { properties = {}, required = [] }: Schema,
  definitions: Definitions,
  value: Record<string, unknown>,
): object {
  const names = new Set([...required, ...Object.keys(value)]);
  return Object.fromEntries(
    [...names].map((name) => [name, fillSchema(properties[name] ?? {}, definitions, value[name])]),
  );
}

const isObject = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);
