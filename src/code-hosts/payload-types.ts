import type { TSchema } from 'typebox';
import { Type } from '../contract/type.ts';
import { repositoryNamePattern } from '../domain/repositories.ts';
import type { HostPullRequest } from './code-host.ts';

export const orNull = <Schema extends TSchema>(schema: Schema) => Type.Union([schema, Type.Null()]);
export const maybe = <Schema extends TSchema>(schema: Schema) => Type.Optional(orNull(schema));

export const Text = Type.String();

/** Owners and names become part of URLs. */
export const Name = Type.String({ pattern: repositoryNamePattern });

export const Sha = Type.String({ pattern: '^[0-9a-f]{40}(?:[0-9a-f]{24})?$' });

export const Id = Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER });

export const largestCount = 2 ** 31 - 1;
export const Count = Type.Integer({ minimum: 0, maximum: largestCount });

/** Hosts report absurd times, such as the year 0 for imported comments, and not every database can store them. */
export const earliestTime = 0;
export const latestTime = Date.UTC(9999, 11, 31, 23, 59, 59, 999);

const clock = '(?:[01]\\d|2[0-3]):[0-5]\\d';

export const Time = Type.String({
  pattern: `^\\d{4}-(?:0[1-9]|1[0-2])-(?:0[1-9]|[12]\\d|3[01])T${clock}:[0-5]\\d(?:\\.\\d+)?(?:Z|[+-]${clock})$`,
});

/** A time reported by a host, moved into the range that can be stored. */
export const timeOf = (text: string): Date =>
  new Date(Math.min(Math.max(Date.parse(text), earliestTime), latestTime));

/** The author's name that hosts show after an account was deleted. */
export const ghost = 'ghost';

/** GitHub's limit for one comment. Commit messages may have any length. */
const mostOfOne = 65_536;

export const cutText = (text: string): string =>
  text.length > mostOfOne ? text.slice(0, mostOfOne).toWellFormed() : text;

export type HostComment = HostPullRequest['comments'][number];

export const commentOf = (
  kind: HostComment['kind'],
  author: string | null | undefined,
  body: string | null | undefined,
  at: string,
): HostComment => ({ kind, author: author || ghost, body: cutText(body ?? ''), createdAt: timeOf(at) });

export const commentsByTime = (comments: HostComment[]): HostComment[] =>
  comments
    .filter(({ body }) => body !== '')
    .sort((one, other) => one.createdAt.getTime() - other.createdAt.getTime());
