import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type as TypeBox } from 'typebox';
import { Type } from './type.ts';

const schemasWith = (type: typeof Type) => [
  type.Array(type.Integer({ minimum: 1 }), { maxItems: 3 }),
  type.Boolean(),
  type.Enum(['one', 'other'], { description: 'Which.' }),
  type.Literal('a'),
  type.Literal(1),
  type.Literal(true, { title: 'Yes' }),
  type.Null(),
  type.Number({ maximum: 1 }),
  type.Object({}),
  type.Object({ all: type.Optional(type.String()) }, { additionalProperties: false }),
  type.Object({
    one: type.String({ format: 'uuid' }),
    some: type.Optional(type.Object({ of: type.Null() })),
  }),
  type.Union([type.String(), type.Null()], { description: 'Either.' }),
  type.Optional(type.Unsafe<string>({ $ref: 'Other#' })),
];

/** With what JSON does not show, and in the order of its keys. */
const whole = (schema: unknown): unknown => {
  if (typeof schema !== 'object' || schema === null) return schema;
  if (Array.isArray(schema)) return schema.map(whole);
  return Object.entries(Object.getOwnPropertyDescriptors(schema)).map(([name, { value, ...flags }]) => ({
    name,
    value: whole(value),
    ...flags,
  }));
};

test('schemas are those that TypeBox makes, marks that JSON does not show included', () => {
  assert.deepEqual(schemasWith(Type).map(whole), schemasWith(TypeBox).map(whole));
});
