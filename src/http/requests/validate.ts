import { Ajv, type ValidateFunction } from 'ajv';
import formats from 'ajv-formats';
import type { FastifyInstance, FastifySchemaValidationError } from 'fastify';
import type { ErrorDetail } from '../../domain/errors.ts';
import { isLanguageCode } from '../../domain/languages.ts';
import { repositoryNamePattern } from '../../domain/repository-name.ts';

function createValidator(): Ajv {
  const ajv = new Ajv({ strict: true, allErrors: true, useDefaults: true, removeAdditional: false });
  formats.default(ajv, ['uuid', 'date-time', 'email', 'uri']);
  ajv.addFormat('iso-639-1', isLanguageCode);
  return ajv;
}

/**
 * JSON must be of its type. What stands in an address is text: whole numbers are read as such, in their plain form. Each
 * schema is compiled with the first request that is held against it: most are not needed at the start.
 */
export function useStrictValidation(app: FastifyInstance): void {
  const ajv = createValidator();
  app.setValidatorCompiler(({ schema, httpPart }) => {
    let validate: ValidateFunction | null = null;
    const integers = httpPart === 'body' ? [] : integerFields(schema as ObjectSchema);
    return (data: Record<string, unknown>) => {
      for (const field of integers) {
        const given = data[field];
        if (typeof given === 'string' && /^-?\d{1,20}$/.test(given)) data[field] = Number(given);
      }
      validate ??= ajv.compile(schema as object);
      return (
        validate(data) || { error: Object.assign(new Error('invalid'), { validation: validate.errors }) }
      );
    };
  });
}

interface ObjectSchema {
  properties?: Record<string, { type?: string }>;
}

function integerFields({ properties = {} }: ObjectSchema): string[] {
  return Object.keys(properties).filter((field) => properties[field]?.type === 'integer');
}

/** Enough for every field that there is; a body of made-up ones need not be repeated in full. */
export const detailsShown = 20;

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
  return [...new Map(details.map((detail) => [detail.field, detail])).values()].slice(0, detailsShown);
}

function explain(keyword: string, params: Record<string, unknown>, message = 'is not valid'): string {
  if (keyword === 'enum' && Array.isArray(params.allowedValues)) {
    return `must be one of: ${params.allowedValues.join(', ')}`;
  }
  if (params.format === 'iso-639-1')
    return 'must be a two-letter ISO 639-1 language code in lower case, such as ja';
  if (params.pattern === repositoryNamePattern)
    return 'may hold only letters, digits, dots, hyphens and underscores, and no ..';
  return message;
}
