import {
  addRepository,
  findAdding,
  removeAddedRepository,
  requireOperator,
} from '../actions/repositories/add-repository.ts';
import { Nothing, record, ref, Uuid } from '../contract/formats.ts';
import { Job } from '../contract/jobs.ts';
import { AddedRepository } from '../contract/repositories.ts';
import { Type } from '../contract/type.ts';
import { type AddedRepository as Added, listAddedRepositories } from '../db/repositories-added.ts';
import { longestAddress } from '../domain/repositories.ts';
import type { Deps } from './deps.ts';
import { endpoint, listEndpoint } from './endpoint.ts';
import { jobFinders } from './jobs.ts';
import { accepted, created, ok } from './responses/response.ts';

const tag = 'Repositories';

export const additionFields = {
  location: Type.String({
    minLength: 1,
    maxLength: longestAddress,
    description: 'Path of a clone on the server, or an https URL',
  }),
  name: Type.Optional(
    Type.String({
      maxLength: 201,
      description: 'Name as owner/repo, if the folder or URL does not contain it',
    }),
  ),
};

export const presentAddition = (host: string, { name, createdAt, ...added }: Added): AddedRepository => ({
  id: added.id,
  kind: 'repository',
  host,
  owner: added.owner,
  repo: name,
  isPrivate: added.isPrivate,
  folder: added.folder,
  address: added.address,
  isReady: added.isReady,
  addedAt: createdAt.toISOString(),
  refreshedAt: added.refreshedAt?.toISOString() ?? null,
  refreshError: added.refreshError?.message ?? null,
  isRefreshing: added.isRefreshing,
});

export const postAddedRepository = (deps: Deps) => {
  const { findJob, present } = jobFinders(deps);
  return endpoint({
    operationId: 'addRepository',
    summary: 'Add a repository',
    description:
      'For operators: the user who signed in with the one-time link in the terminal, and those in `OPERATORS`. A path must point to a ' +
      'clone inside a folder of `GIT_ROOTS`; the clone is read in place, and nothing in it is executed. A URL is mirrored if `GIT_CLONE` ' +
      'allows it; the response is a job to poll or cancel. Adding the same repository again returns the existing entry.',
    tag,
    access: 'user',
    body: record(
      {
        ...additionFields,
        private: Type.Optional(
          Type.Boolean({ default: false, description: 'Whether only the caller can see it' }),
        ),
      },
      { example: { location: '/home/ann/code/rocket' } },
    ),
    data: ref(AddedRepository),
    later: ref(Job),
    success: {
      200: 'The repository was already added.',
      201: 'The repository was added and can be read.',
      202: 'The repository is being mirrored.',
    },
    failures: ['FORBIDDEN'],
    async handle({ body, viewer, request, reply }) {
      const { location, name, private: isPrivate = false } = body;
      const wanted = { location: location.trim(), fullName: name?.trim() || null, isPrivate };
      const { host, repository, isNew } = await addRepository(deps, wanted, viewer);
      const look = { viewer, now: deps.clock() };
      const job = repository.isReady ? null : await findJob(repository.id, look);
      if (!job) return (isNew ? created : ok)(presentAddition(host, repository));
      reply.header('location', `/jobs/${job.found.id}`);
      return accepted(await present(job, request.id));
    },
  });
};

export const getAddedRepositories = (deps: Deps) =>
  listEndpoint({
    operationId: 'listAddedRepositories',
    summary: 'List the added repositories',
    description:
      "For operators. Repositories that everyone can see, and the caller's private ones, newest first.",
    tag,
    access: 'user',
    item: ref(AddedRepository),
    success: { 200: 'The added repositories.' },
    failures: ['FORBIDDEN'],
    async list({ viewer }, page) {
      requireOperator(deps, viewer);
      const { rows, total } = await listAddedRepositories(deps.database, { userId: viewer.user.id, ...page });
      const { host = '' } = findAdding(deps.codeHosts) ?? {};
      return { items: rows.map((row) => presentAddition(host, row)), total };
    },
  });

export const deleteAddedRepository = (deps: Deps) =>
  endpoint({
    operationId: 'removeAddedRepository',
    summary: 'Remove an added repository',
    description:
      'For operators. From then on, nobody can see the repository. A mirror is deleted; a clone stays on disk unchanged.',
    tag,
    access: 'user',
    params: { id: Uuid('Id of the list entry.') },
    data: Nothing,
    success: { 200: 'The repository was removed.' },
    failures: ['FORBIDDEN', 'NOT_FOUND'],
    async handle({ params, viewer }) {
      await removeAddedRepository(deps, params.id.toLowerCase(), viewer);
      return ok({});
    },
  });
