import type { Static, TSchema } from 'typebox';
import {
  ownerMaxLength,
  ownerPattern,
  repositoryNameMaxLength,
  repositoryNamePattern,
} from '../domain/repository-name.ts';
import { Type } from './type.ts';

/** A point in time as it crosses the wire: ISO 8601 with milliseconds and Z. */
export const Timestamp = (description?: string) =>
  Type.String({
    format: 'date-time',
    examples: ['2026-03-01T09:30:00.000Z'],
    ...(description && { description }),
  });

/** The format alone would let other spellings of the same id through, which the database does not know. */
export const Uuid = (description?: string) =>
  Type.String({
    format: 'uuid',
    pattern: '^[0-9a-fA-F]{8}(-[0-9a-fA-F]{4}){3}-[0-9a-fA-F]{12}$',
    ...(description && { description }),
  });

/** A value that may be missing, said in one type instead of a choice of two. */
export const nullable = <T extends TSchema & { type: string }>(schema: T) =>
  Type.Unsafe<Static<T> | null>({ ...schema, type: [schema.type, 'null'] });

/** A body as it came, of whatever type: for a handler that checks a signature of its bytes before believing any of it. */
export const Bytes = Type.Unsafe<Buffer>({ description: 'Taken as it is sent' });

/** Numeric ids of a host: any integer that JSON carries without loss. */
export const HostId = (description: string) =>
  Type.Integer({ minimum: 0, maximum: Number.MAX_SAFE_INTEGER, description });

/** Said of pull requests and of articles alike. */
export const BaseSha = Type.String({
  description:
    'The commit where the diff begins. Empty for what was stored before this was kept, until it is read again.',
});

export const LanguageCode = () =>
  Type.String({
    format: 'iso-639-1',
    minLength: 2,
    maxLength: 2,
    description: 'A two-letter ISO 639-1 language code in lower case',
    examples: ['ja', 'en'],
  });

/** As much of a name as lists are told apart by. */
export const authorMaxLength = 200;

export const AuthorLogin = () =>
  Type.String({
    minLength: 1,
    maxLength: authorMaxLength,
    description:
      'Login name of the author of pull requests, whatever its case, on the host named by `host`, or else on the first one',
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
      'Repository owner: letters, digits, dots, hyphens and underscores; for a group within others the names of all, such as ' +
      '`group/sub`, which is one part of a path: `group%2Fsub`',
  });

export const Count = (description: string) => Type.Integer({ minimum: 0, description });
