import type { TSchema, Type as TypeBox } from 'typebox';

// The constructors of TypeBox that we use, with its types. They make JSON Schema with marks that JSON does not show.
// TypeBox itself has hundreds of files, which every start would wait for.

type Constructors = Pick<
  typeof TypeBox,
  | 'Array'
  | 'Boolean'
  | 'Enum'
  | 'Integer'
  | 'Literal'
  | 'Null'
  | 'Number'
  | 'Object'
  | 'Optional'
  | 'String'
  | 'Union'
  | 'Unsafe'
>;

const mark = (schema: object, name: string, value: unknown): object =>
  Object.defineProperty(schema, name, { value, configurable: true, writable: true, enumerable: false });

const marked = (schema: object, name: string, value: unknown): object =>
  mark(Object.defineProperties({}, Object.getOwnPropertyDescriptors(schema)), name, value);

const ofKind = (kind: string, schema: object, options: object = {}): object =>
  mark({ ...schema, ...options }, '~kind', kind);

const simple = (kind: string) => (options?: object) => ofKind(kind, { type: kind.toLowerCase() }, options);

function objectOf(properties: Record<string, TSchema>, options?: object): object {
  const required = Object.keys(properties).filter(
    (name) => !Object.hasOwn(Object(properties[name]), '~optional'),
  );
  return ofKind('Object', { type: 'object', ...(required.length > 0 && { required }), properties }, options);
}

const constructors: object = {
  Array: (items: TSchema, options?: object) => ofKind('Array', { type: 'array', items }, options),
  Boolean: simple('Boolean'),
  Enum: (values: readonly unknown[], options?: object) => ofKind('Enum', { enum: values }, options),
  Integer: simple('Integer'),
  Literal: (value: unknown, options?: object) =>
    ofKind('Literal', { type: typeof value, const: value }, options),
  Null: simple('Null'),
  Number: simple('Number'),
  Object: objectOf,
  Optional: (schema: TSchema) => marked(schema, '~optional', true),
  String: simple('String'),
  Union: (anyOf: TSchema[], options?: object) => ofKind('Union', { anyOf }, options),
  Unsafe: (schema: TSchema) => marked(schema, '~unsafe', null),
} satisfies Record<keyof Constructors, (...parameters: never[]) => object>;

/**
 * A cast, because TypeBox computes the types of schemas from their parts, and no implementation can be checked against
 * that.
 */
export const Type = constructors as Constructors;
