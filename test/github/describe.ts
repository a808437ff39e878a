import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';
import type { Describe } from './answers.ts';
import { fillSchema } from './fill-schema.ts';

interface Description {
  answers: Record<string, object>;
  definitions: Record<string, object>;
}

/** What GitHub says of its own answers: github.com and Enterprise Server 3.19. */
const descriptions: Record<string, Description> = JSON.parse(
  readFileSync(new URL('description.json', import.meta.url), 'utf8'),
);

/** As a part of an address within a document. */
const escaped = (name: string): string =>
  encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));

function createDescribe(): Describe {
  // Each document is compiled as one, so that what several answers have in common is compiled once.
  const ajv = new Ajv({ strict: false, allErrors: true, inlineRefs: false });
  addFormats.default(ajv);
  for (const [kind, description] of Object.entries(descriptions)) ajv.addSchema(description, kind);
  const checkOf = (kind: string, operation: string): ValidateFunction =>
    ajv.getSchema(`${kind}#/answers/${escaped(operation)}`) ?? assert.fail(`There is no ${operation}.`);
  // Compiled now: a caller does not wait for as long as it takes on a busy machine.
  for (const [kind, { answers }] of Object.entries(descriptions))
    for (const operation of Object.keys(answers)) checkOf(kind, operation);
  return (operation, values) => {
    const answer = Object.values(descriptions).reduceRight<unknown>((filled, description) => {
      const schema = description.answers[operation];
      if (!schema) throw new Error(`GitHub's description has no ${operation}.`);
      return fillSchema(schema, description.definitions, filled);
    }, values);
    for (const kind of Object.keys(descriptions)) {
      const check = checkOf(kind, operation);
      if (check(answer)) continue;
      const complaints = check.errors
        ?.slice(0, 5)
        .map(({ instancePath, message }) => `${instancePath} ${message}`);
      throw new Error(
        `The stand-in would answer ${operation} as ${kind} does not: ${complaints?.join('; ')}`,
      );
    }
    return answer;
  };
}

/**
 * Fills answers up from GitHub's own descriptions and holds them against each: a stand-in that lies proves nothing. Compiling
 * them takes longer than most tests, so that it is done once for all stand-ins of a process.
 */
export const describe = createDescribe();
