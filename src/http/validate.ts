import { Ajv, type Options } from 'ajv';
import formats from 'ajv-formats';
import type { FastifyInstance, FastifySchemaValidationError } from 'fastify';
import type { ErrorDetail } from '../domain/errors.ts';
import { isLanguageCode } from '../domain/languages.ts';

function createValidator(options: Options): Ajv {
  const ajv = new Ajv({
    strict: true,
    allErrors: true,
    useDefaults: true,
    removeAdditional: false,
    ...options,
  });
  formats.default(ajv, ['uuid', 'date-time', 'email', 'uri']);
  ajv.addFormat('iso-639-1', isLanguageCode);
  return ajv;
}

/** What arrives as text in an address is read as the type it stands for; what arrives as JSON must be of its type. */
export function useStrictValidation(app: FastifyInstance): void {
  const forBodies = createValidator({ coerceTypes: false });
  const forAddresses = createValidator({ coerceTypes: true });
  app.setValidatorCompiler(({ schema, httpPart }) =>
    (httpPart === 'body' ? forBodies : forAddresses).compile(schema as object),
  );
}

/** Names each field that is wrong and says what it should be. */
export function explainValidation(errors: FastifySchemaValidationError[]): ErrorDetail[] {
  const details = errors.map(({ keyword, instancePath, params, message }) => {
    const path = instancePath.split('/').slice(1);
    if (keyword === 'required') {
      return { field: [...path, params.missingProperty].join('.'), problem: 'is missing' };
    }
    if (keyword === 'additionalProperties') {
      return { field: [...path, params.additionalProperty].join('.'), problem: 'is not known here' };
    }
    return { field: path.join('.') || 'body', problem: explain(keyword, params, message) };
  });
  // Several rules can refuse one field for one reason, such as an empty name.
  return [...new Map(details.map((detail) => [detail.field, detail])).values()];
}

function explain(keyword: string, params: Record<string, unknown>, message = 'is not valid'): string {
  if (keyword === 'enum' && Array.isArray(params.allowedValues)) {
    return `must be one of: ${params.allowedValues.join(', ')}`;
  }
  if (params.format === 'iso-639-1')
    return 'must be a two-letter ISO 639-1 language code in lower case, such as ja';
  if (keyword === 'pattern') return 'may hold only letters, digits, dots, hyphens and underscores, and no ..';
  return message;
}
