import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import addFormats from 'ajv-formats';

interface Described {
  properties: Record<string, object>;
}

/** Gitea's own description of its responses, by version: types and names. */
export const descriptions: Record<string, { definitions: Record<string, Described> }> = JSON.parse(
  readFileSync(join(import.meta.dirname, 'description.json'), 'utf8'),
);

/** The newest version, which has every field. */
const newest = descriptions['1.27.0'];

function createDescribe(): (name: string, value: unknown) => unknown {
  const ajv = new Ajv({ strict: false, allErrors: true });
  addFormats.default(ajv);
  ajv.addSchema({ ...newest, $id: 'gitea' });
  const checkOf = (name: string): ValidateFunction => {
    const check = ajv.getSchema(`gitea#/definitions/${name}`);
    if (!check) throw new Error(`Gitea describes no ${name}.`);
    return check;
  };
  return (name, value) => {
    const check = checkOf(name);
    if (check(value)) return value;
    const complaints = check.errors
      ?.slice(0, 5)
      .map(({ instancePath, message }) => `${instancePath} ${message}`);
    throw new Error(`The stand-in would answer a ${name} as Gitea does not: ${complaints?.join('; ')}`);
  };
}

/** Checks a response against Gitea's own description, because a wrong stand-in proves nothing. */
export const describe = createDescribe();
