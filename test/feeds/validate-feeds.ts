import assert from 'node:assert/strict';
import { readFileSync } from 'node:fs';
import { Ajv2020 } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import { memoryPages, validateXML } from 'xmllint-wasm';

const read = (file: string) => readFileSync(new URL(file, import.meta.url), 'utf8');

/** Returns the documents that break a rule of Atom, with the rule. */
export async function findAtomProblems(documents: Record<string, string>): Promise<Map<string, string>> {
  const { errors, valid, rawOutput } = await validateXML({
    xml: Object.entries(documents).map(([fileName, contents]) => ({ fileName, contents })),
    schema: { fileName: 'atom.rng', contents: read('atom.rng') },
    extension: 'relaxng',
    maxMemoryPages: memoryPages.GiB,
  });
  const problems = Object.keys(documents).flatMap((name) => {
    const found = errors.find(({ loc }) => loc?.fileName === name);
    return found ? [[name, found.message] as const] : [];
  });
  // Errors without a document are errors of the rules themselves.
  assert.ok(valid || problems.length > 0, rawOutput);
  assert.doesNotMatch(rawOutput, /^atom\.rng:/m);
  return new Map(problems);
}

const ajv = new Ajv2020({ allErrors: true });
formats.default(ajv);
const validate = ajv.compile(JSON.parse(read('json-feed.schema.json')));

/** Checks a JSON Feed; returns its problems. */
export const findJsonFeedProblems = (text: string): string[] =>
  validate(JSON.parse(text))
    ? []
    : (validate.errors ?? []).map((one) => `${one.instancePath} ${one.message}`);
