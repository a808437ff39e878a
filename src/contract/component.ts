import type { Static, TSchema } from 'typebox';
import { Type } from './type.ts';

type Component<T extends TSchema> = T & { $id: string };

/** Names a schema, so that it stands once under its name in the OpenAPI document. */
export function component<T extends TSchema>(name: string, schema: T): Component<T> {
  return { ...schema, $id: name };
}

/** Refers to a named schema and keeps its type, which a plain reference would lose. */
export function ref<T extends TSchema>(schema: Component<T>) {
  return Type.Unsafe<Static<T>>({ $ref: `${schema.$id}#` });
}
