import assert from 'node:assert/strict';
import { Ajv2020, type ValidateFunction } from 'ajv/dist/2020.js';
import formats from 'ajv-formats';
import type { FastifyInstance } from 'fastify';

interface Operation {
  responses: Record<string, { content?: Record<string, { schema: object }> }>;
}

interface Contract {
  paths: Record<string, Record<string, Operation>>;
  components: { schemas: Record<string, object> };
}

interface Checker {
  contract: Contract;
  ajv: Ajv2020;
  /** By operation and status; making one takes longer than most requests. */
  validators: Map<string, ValidateFunction>;
}

const checkers = new WeakMap<FastifyInstance, Checker>();

/** Holds every JSON answer that a test sees against the published OpenAPI document. */
export function checkAgainstContract(
  server: FastifyInstance,
  method: string,
  path: string,
  reply: { status: number; headers: Headers; body?: unknown },
): void {
  assert.match(reply.headers.get('x-request-id') ?? '', /^[0-9a-f-]{36}$/, 'every answer names its request');
  if (reply.body === undefined) return;
  const checker = checkerOf(server);
  const { pathname } = new URL(path, 'http://any');
  const template = findTemplate(checker.contract, pathname);
  const operation = checker.contract.paths[template ?? '']?.[method.toLowerCase()];
  if (reply.status < 400 && !operation) return;
  const documented = operation?.responses[reply.status]?.content?.['application/json']?.schema;
  assert.ok(
    documented || !operation,
    `${method} ${pathname} answered ${reply.status}, which is not documented`,
  );
  const name = operation ? `${method} ${template} ${reply.status}` : 'unknown operation';
  const validate = validatorOf(checker, name, documented ?? { $ref: '#/components/schemas/ErrorResponse' });
  assert.ok(
    validate(reply.body),
    `${method} ${pathname} ${reply.status}: ${checker.ajv.errorsText(validate.errors)}`,
  );
}

function validatorOf({ contract, ajv, validators }: Checker, name: string, schema: object): ValidateFunction {
  const known = validators.get(name);
  if (known) return known;
  const validate = ajv.compile({ ...schema, components: contract.components });
  validators.set(name, validate);
  return validate;
}

function checkerOf(server: FastifyInstance): Checker {
  const known = checkers.get(server);
  if (known) return known;
  const ajv = new Ajv2020({ strict: false, allErrors: true });
  formats.default(ajv);
  ajv.addFormat('iso-639-1', /^[a-z]{2}$/);
  const checker = { contract: server.swagger() as unknown as Contract, ajv, validators: new Map() };
  checkers.set(server, checker);
  return checker;
}

function findTemplate(contract: Contract, pathname: string): string | undefined {
  const wanted = pathname.split('/');
  const matches = Object.keys(contract.paths).filter((template) => {
    const parts = template.split('/');
    return (
      parts.length === wanted.length &&
      parts.every((part, index) => part.startsWith('{') || part === wanted[index])
    );
  });
  const [best] = matches.sort((one, other) => one.split('{').length - other.split('{').length);
  return best;
}
