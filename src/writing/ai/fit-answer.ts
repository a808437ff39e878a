import type { Static, TSchema } from 'typebox';
import { Value } from 'typebox/value';

type Fitted<Schema extends TSchema> =
  | { fits: true; answer: Static<Schema> }
  | { fits: false; complaint: string };

/** More would not help a model more. */
const mostComplaints = 5;

/** Holds an answer against the form that was asked for. Lists that were left out are empty; what was not asked for goes. */
export function fitAnswer<Schema extends TSchema>(schema: Schema, value: unknown): Fitted<Schema> {
  if (value === undefined) return { fits: false, complaint: 'it is not a JSON object.' };
  const answer = withLists(schema, value);
  if (isAnswerTo(schema, value) && Value.Check(schema, answer)) return { fits: true, answer };
  const complaints = Value.Errors(schema, answer)
    .slice(0, mostComplaints)
    .map(({ instancePath, message }) => `${instancePath || 'the object'} ${message}`);
  return {
    fits: false,
    complaint: `${complaints.join('; ') || 'it has none of the fields that were asked for'}.`,
  };
}

const isRecord = (value: unknown): value is Record<string, unknown> =>
  typeof value === 'object' && value !== null && !Array.isArray(value);

/** Some object or other, all of whose lists are missing, is no answer. */
function isAnswerTo(schema: TSchema, value: unknown): boolean {
  const properties = Reflect.get(schema, 'properties');
  return isRecord(value) && isRecord(properties) && Object.keys(properties).some((name) => name in value);
}

function withLists(schema: unknown, value: unknown): unknown {
  if (!isRecord(schema)) return value;
  if (schema.type === 'array')
    return Array.isArray(value) ? value.map((item) => withLists(schema.items, item)) : (value ?? []);
  if (schema.type !== 'object' || !isRecord(schema.properties) || !isRecord(value)) return value;
  const kept = Object.entries(schema.properties).map(([name, property]) => [
    name,
    withLists(property, value[name]),
  ]);
  return Object.fromEntries(kept.filter(([, item]) => item !== undefined));
}
