import type { Static, TSchema } from 'typebox';
import { Type } from './type.ts';

type Component<T extends TSchema> = T & { $id: string };

/** All named schemas of the modules loaded so far. */
export const components: Component<TSchema>[] = [];

/** Names a schema, so that the OpenAPI document has it once under its name. */
export function component<T extends TSchema>(name: string, schema: T): Component<T> {
  const named = { ...schema, $id: name };
  components.push(named);
  return named;
}

/** Refers to a named schema and keeps its type, which a plain reference would lose. */
export function ref<T extends TSchema>(schema: Component<T>) {
  return Type.Unsafe<Static<T>>({ $ref: `${schema.$id}#` });
}
