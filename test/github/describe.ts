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

/**
 * Fills answers up from GitHub's own descriptions and holds them against each: a stand-in that lies proves nothing. Checks
 * are made when they are first needed, because each takes a while.
 */
export function createDescribe(): Describe {
  const checks = new Map<string, ValidateFunction>();
  const checkOf = (kind: string, operation: string): ValidateFunction => {
    const key = `${kind} ${operation}`;
    const known = checks.get(key);
    if (known) return known;
    const ajv = new Ajv({ strict: false, allErrors: true });
    addFormats.default(ajv);
    const { answers, definitions } = descriptions[kind] ?? { answers: {}, definitions: {} };
    const check = ajv.compile({ ...answers[operation], definitions });
    checks.set(key, check);
    return check;
  };
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
