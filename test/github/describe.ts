import assert from 'node:assert/strict';
import { createHash } from 'node:crypto';
import { existsSync, mkdirSync, readFileSync, renameSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { join } from 'node:path';
import { Ajv, type ValidateFunction } from 'ajv';
import standaloneCode from 'ajv/dist/standalone/index.js';
import addFormats from 'ajv-formats';
import type { Describe } from './answers.ts';
import { fillSchema } from './fill-schema.ts';

interface Description {
  answers: Record<string, object>;
  definitions: Record<string, object>;
}

/** GitHub's own description of its responses: github.com and Enterprise Server 3.19. */
const text = readFileSync(join(import.meta.dirname, 'description.json'), 'utf8');
const descriptions: Record<string, Description> = JSON.parse(text);

/** Escaped as part of a JSON pointer. */
const escaped = (name: string): string =>
  encodeURIComponent(name.replaceAll('~', '~0').replaceAll('/', '~1'));

/** The name of a response's check in the compiled code. */
const checkName = (kind: string, operation: string): string =>
  `check_${createHash('sha256').update(`${kind} ${operation}`).digest('hex').slice(0, 16)}`;

/** Code that checks every response and shares what several have in common. */
function compileChecks(): string {
  const ajv = new Ajv({ strict: false, allErrors: true, inlineRefs: false, code: { source: true } });
  addFormats.default(ajv);
  const references: Record<string, string> = {};
  for (const [kind, description] of Object.entries(descriptions)) {
    ajv.addSchema(description, kind);
    for (const operation of Object.keys(description.answers))
      references[checkName(kind, operation)] = `${kind}#/answers/${escaped(operation)}`;
  }
  return standaloneCode.default(ajv, references);
}

/** Compiling takes longer than most tests, so the result is cached in node_modules, some of whose packages the code needs. */
function loadChecks(): Record<string, ValidateFunction> {
  const folder = join(import.meta.dirname, '../../node_modules/.cache/pullquote-tests');
  const require = createRequire(import.meta.url);
  const given = [text, compileChecks.toString(), require('ajv/package.json').version];
  const version = createHash('sha256').update(JSON.stringify(given)).digest('hex');
  const file = join(folder, `github-answers-${version.slice(0, 16)}.cjs`);
  if (!existsSync(file)) {
    mkdirSync(folder, { recursive: true });
    // Simultaneous tests write the same file, and must never read half of it.
    const own = `${file}.${process.pid}`;
    writeFileSync(own, compileChecks());
    renameSync(own, file);
  }
  return require(file);
}

function createDescribe(): Describe {
  const checks = loadChecks();
  const checkOf = (kind: string, operation: string): ValidateFunction =>
    checks[checkName(kind, operation)] ?? assert.fail(`There is no ${operation}.`);
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

/** Completes responses from GitHub's own descriptions and checks them against each, because a wrong stand-in proves nothing. */
export const describe = createDescribe();
