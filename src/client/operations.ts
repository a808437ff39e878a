import type {
  ClientPathsWithMethod,
  Client as FetchClient,
  FetchResponse,
  MaybeOptionalInit,
} from 'openapi-fetch';
import type { components, paths } from './api-types.ts';

export type Schemas = components['schemas'];

export type Method = 'get' | 'post' | 'put' | 'patch' | 'delete';

export type PathWith<M extends Method> = ClientPathsWithMethod<FetchClient<paths>, M>;

type Init<P extends keyof paths, M extends Method> = MaybeOptionalInit<paths[P], M & keyof paths[P]>;

type Taken<P extends keyof paths, M extends Method> = Pick<NonNullable<Init<P, M>>, 'params' | 'body'>;

export interface CallOptions {
  signal?: AbortSignal | undefined;
  headers?: Record<string, string>;
}

/** The parameters and body of an operation; optional if it requires none. */
export type Options<P extends keyof paths, M extends Method> =
  undefined extends Init<P, M> ? [options?: Taken<P, M> & CallOptions] : [options: Taken<P, M> & CallOptions];

type Answer<P extends keyof paths, M extends Method> = FetchResponse<
  paths[P][M & keyof paths[P]] & Record<string, unknown>,
  unknown,
  'application/json'
>['data'];

export type DataOf<P extends keyof paths, M extends Method> = Opened<NonNullable<Answer<P, M>>>;

type Opened<A> = A extends { success: true; data: infer D } ? D : A;

export interface Page<Item> {
  items: Item[];
  pagination: Schemas['Pagination'];
}

export type ListPath = {
  [P in PathWith<'get'>]: DataOf<P, 'get'> extends Page<unknown> ? P : never;
}[PathWith<'get'>];

export type ItemOf<P extends ListPath> = DataOf<P, 'get'> extends Page<infer Item> ? Item : never;

type ContentType<P extends PathWith<'get'>> = paths[P]['get'] extends {
  responses: { 200: { content: infer Content } };
}
  ? keyof Content
  : never;

/** Paths whose responses can be Markdown, a diff or a feed. */
export type TextPath = {
  [P in PathWith<'get'>]: Exclude<ContentType<P>, 'application/json'> extends never ? never : P;
}[PathWith<'get'>];
