import type { Static, TProperties, TSchema } from 'typebox';
import { errorCodes } from '../domain/errors.ts';
import {
  ownerMaxLength,
  ownerPattern,
  repositoryNameMaxLength,
  repositoryNamePattern,
} from '../domain/repositories.ts';
import { Type } from './type.ts';

export const Text = (description: string) => Type.String({ description });
export const Url = (description: string) => Type.String({ format: 'uri', description });
export const NonEmpty = (description: string) => Type.String({ minLength: 1, description });
export const Flag = (description: string) => Type.Boolean({ description });
export const Count = (description: string) => Type.Integer({ minimum: 0, description });
export const Positive = (description: string) => Type.Integer({ minimum: 1, description });
export const List = <T extends TSchema>(items: T, description: string) => Type.Array(items, { description });

export const OneOf = <const Values extends readonly string[]>(
  values: Values,
  description: string,
  options: { default?: Values[number] } = {},
) => Type.Unsafe<Values[number]>({ type: 'string', enum: values, description, ...options });

export const record = <P extends TProperties>(
  properties: P,
  { example, ...options }: { example?: object; description?: string; $id?: string } = {},
) =>
  Type.Object(properties, {
    additionalProperties: false,
    ...(example && { examples: [example] }),
    ...options,
  });

/** A time in JSON: ISO 8601 with milliseconds and Z. */
export const Timestamp = (description?: string) =>
  Type.String({
    format: 'date-time',
    examples: ['2026-03-01T09:30:00.000Z'],
    ...(description && { description }),
  });

/** The pattern is stricter than the format, which allows other spellings of an id that the database does not know. */
export const Uuid = (description?: string) =>
  Type.String({
    format: 'uuid',
    pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
    ...(description && { description }),
  });

export const nullable = <T extends TSchema & { type: string }>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] });

export const oneOfOrNull = <const Values extends readonly string[]>(values: Values, description: string) =>
  Type.Unsafe<Values[number] | null>({ type: ['string', 'null'], enum: [...values, null], description });

export const repositoryFields = {
  host: Text('The code host.'),
  owner: Text('Repository owner.'),
  repo: Text('Repository name.'),
};

export const pullRequestFields = { ...repositoryFields, prNumber: Positive('Number of the pull request.') };

export const stateField = OneOf(['open', 'closed', 'merged'], 'Current state.');

/** A body as raw bytes, for a handler that checks their signature before using them. */
export const Bytes = Type.Unsafe<Buffer>({ description: 'Accepted as sent' });

/** A numeric id of a host: any integer that JSON represents exactly. */
export const HostId = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

export const BaseSha = Type.String({
  description:
    'The commit where the diff begins. Empty for pull requests stored by earlier versions, until they are read again.',
});

export const LanguageCode = () =>
  Type.String({
    format: 'iso-639-1',
    minLength: 2,
    maxLength: 2,
    description: 'A two-letter ISO 639-1 language code in lower case',
    examples: ['ja', 'en'],
  });

const authorMaxLength = 200;

export const AuthorLogin = () =>
  Type.String({
    minLength: 1,
    maxLength: authorMaxLength,
    description:
      'Login name of the author of the pull requests, in any case, on the code host in `host`, or else on the first one',
  });

export const RepositoryName = () =>
  Type.String({
    minLength: 1,
    maxLength: repositoryNameMaxLength,
    pattern: repositoryNamePattern,
    description: 'Repository name: letters, digits, dots, hyphens and underscores',
  });

export const Owner = () =>
  Type.String({
    minLength: 1,
    maxLength: ownerMaxLength,
    pattern: ownerPattern,
    description:
      'Repository owner: letters, digits, dots, hyphens and underscores; for nested groups, the full path, such as ' +
      '`group/sub`. In a URL path, write it as one part: `group%2Fsub`',
  });

type Component<T extends TSchema> = T & { $id: string };

export const components: Component<TSchema>[] = [];

export function component<T extends TSchema>(name: string, schema: T): Component<T> {
  const named = { ...schema, $id: name };
  components.push(named);
  return named;
}

export const resource = <P extends TProperties>(
  name: string,
  properties: P,
  options?: Parameters<typeof record>[1],
) => component(name, record(properties, options));

/** Refers to a named schema and keeps its type, which a plain reference would lose. */
export function ref<T extends TSchema>(schema: Component<T>) {
  return Type.Unsafe<Static<T>>({ $ref: `${schema.$id}#` });
}

export const refOrNull = <T extends TSchema>(schema: Component<T>, description: string) =>
  Type.Union([ref(schema), Type.Null()], { description });

export const envelope = <T extends TSchema>(data: T) =>
  Type.Object(
    {
      success: Type.Literal(true),
      data,
      message: Type.String({ description: 'Human-readable text.', examples: ['Done.'] }),
    },
    { additionalProperties: false },
  );

export const Nothing = Type.Object({}, { additionalProperties: false, examples: [{}] });

const Pagination = component(
  'Pagination',
  Type.Object(
    {
      totalItems: nullable(
        Type.Integer({
          minimum: 0,
          description: 'Total number; null if the code host returns no total.',
        }),
      ),
      limit: Type.Integer({ description: 'The requested maximum.' }),
      offset: Type.Integer({ description: 'Number of items skipped.' }),
    },
    { additionalProperties: false, examples: [{ totalItems: 1, limit: 20, offset: 0 }] },
  ),
);

export const defaultLimit = 20;

export const pageQuery = {
  limit: Type.Optional(
    Type.Integer({
      minimum: 1,
      maximum: 100,
      default: defaultLimit,
      description: 'Maximum number of items to return',
    }),
  ),
  offset: Type.Optional(
    Type.Integer({ minimum: 0, maximum: 2_147_483_647, default: 0, description: 'Number of items to skip' }),
  ),
};

export const listOf = <T extends TSchema>(item: T) =>
  Type.Object({ items: Type.Array(item), pagination: ref(Pagination) }, { additionalProperties: false });

const ErrorCode = component(
  'ErrorCode',
  Type.Enum(errorCodes, { type: 'string', description: 'Stable error code for programs.' }),
);

export const ErrorObject = component(
  'ErrorObject',
  Type.Object(
    {
      code: ref(ErrorCode),
      message: Type.String({ description: 'Explains what happened and what to do.' }),
      details: Type.Optional(
        Type.Array(
          Type.Object(
            {
              field: Type.String({ description: 'The field, parameter or check.' }),
              problem: Type.String({ description: 'The problem.' }),
            },
            { additionalProperties: false },
          ),
        ),
      ),
      requestId: Type.String({ description: 'Request id, as in the X-Request-Id header and the log.' }),
    },
    { additionalProperties: false },
  ),
);

export const ErrorResponse = component(
  'ErrorResponse',
  Type.Object(
    { success: Type.Literal(false), error: ref(ErrorObject) },
    {
      additionalProperties: false,
      examples: [
        {
          success: false,
          error: {
            code: 'INVALID_REQUEST',
            message: 'The request body is not valid: owner is missing.',
            details: [{ field: 'owner', problem: 'is missing' }],
            requestId: '6a0b1c52-3f6e-4d0c-8a55-0f3f0e6f2b77',
          },
        },
      ],
    },
  ),
);
