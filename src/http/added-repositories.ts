import {
  addRepository,
  findAdding,
  removeAddedRepository,
  requireOperator,
} from '../actions/repositories/add-repository.ts';
import { Nothing, record, ref, Uuid } from '../contract/formats.ts';
import { Job } from '../contract/job.ts';
import { AddedRepository } from '../contract/repositories.ts';
import { Type } from '../contract/type.ts';
import { type AddedRepository as Added, findMirrorJob, listAdditions } from '../db/added-repositories.ts';
import { longestAddress } from '../domain/repositories.ts';
import { accepted, created, ok } from './answers/answer.ts';
import type { Deps } from './deps.ts';
import { endpoint, listEndpoint } from './endpoint.ts';
import { jobFinders } from './jobs.ts';

const tag = 'Repositories';

export const additionFields = {
  location: Type.String({
    minLength: 1,
    maxLength: longestAddress,
    description: 'The path of a clone on the disk of the server, or an https address',
  }),
  name: Type.Optional(
    Type.String({
      maxLength: 201,
      description: 'As owner/repo, where its folder or address does not say it',
    }),
  ),
};

export const presentAddition = (
  host: string,
  { name, createdAt, state, ...added }: Added,
): AddedRepository => ({
  id: added.id,
  kind: 'repository',
  host,
  owner: added.owner,
  repo: name,
  isPrivate: added.isPrivate,
  folder: added.folder,
  address: added.address,
  isReady: state === 'done',
  addedAt: createdAt.toISOString(),
  refreshedAt: added.refreshedAt?.toISOString() ?? null,
  refreshError: added.refreshError?.message ?? null,
  isRefreshing: added.isRefreshing,
});

export const postAddedRepository = (deps: Deps) => {
  const { present } = jobFinders(deps);
  return endpoint({
    operationId: 'addRepository',
    summary: 'Add a repository',
    description:
      'For operators: the user who signed in with the one-time link in the terminal, and those in `OPERATORS`. A path is that of a ' +
      'clone below a folder of `GIT_ROOTS`; it is read as it is, and nothing in it is executed. An address is mirrored where `GIT_CLONE` ' +
      'allows it: follow or cancel the job. Adding the same again answers what there is.',
    tag,
    access: 'user',
    body: record(
      {
        ...additionFields,
        private: Type.Optional(
          Type.Boolean({ default: false, description: 'Whether only the caller may see it' }),
        ),
      },
      { example: { location: '/home/ann/code/rocket' } },
    ),
    data: ref(AddedRepository),
    later: ref(Job),
    success: {
      200: 'It was added before.',
      201: 'It is added, and can be read.',
      202: 'Its mirror is being made.',
    },
    failures: ['FORBIDDEN'],
    async handle({ body, viewer, request, reply }) {
      const { location, name, private: isPrivate = false } = body;
      const wanted = { location: location.trim(), fullName: name?.trim() || null, isPrivate };
      const { host, repository, isNew } = await addRepository(deps, wanted, viewer);
      if (repository.state === 'done') return (isNew ? created : ok)(presentAddition(host, repository));
      const job = await findMirrorJob(deps.database, { jobId: repository.id, userId: viewer.user.id });
      if (!job) return ok(presentAddition(host, repository));
      reply.header('location', `/jobs/${job.id}`);
      return accepted(await present(job, { viewer, now: deps.clock() }, request.id));
    },
  });
};

export const getAddedRepositories = (deps: Deps) =>
  listEndpoint({
    operationId: 'listAddedRepositories',
    summary: 'List the added repositories',
    description: 'For operators: those that everybody may see, and the own private ones, newest first.',
    tag,
    access: 'user',
    item: ref(AddedRepository),
    success: { 200: 'The repositories that were added.' },
    failures: ['FORBIDDEN'],
    async list({ viewer }, page) {
      requireOperator(deps, viewer);
      const { rows, total } = await listAdditions(deps.database, { userId: viewer.user.id, ...page });
      const { host = '' } = findAdding(deps.codeHosts) ?? {};
      return { items: rows.map((row) => presentAddition(host, row)), total };
    },
  });

export const deleteAddedRepository = (deps: Deps) =>
  endpoint({
    operationId: 'removeAddedRepository',
    summary: 'Remove an added repository',
    description:
      'For operators. It shows to nobody from then on. A mirror is deleted; a clone stays on the disk as it is.',
    tag,
    access: 'user',
    params: { id: Uuid('The entry in the list.') },
    data: Nothing,
    success: { 200: 'It is removed.' },
    failures: ['FORBIDDEN', 'NOT_FOUND'],
    async handle({ params, viewer }) {
      await removeAddedRepository(deps, params.id.toLowerCase(), viewer);
      return ok({});
    },
  });
