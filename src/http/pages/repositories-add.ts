import { mayOperate } from '../../actions/accounts/operators.ts';
import {
  addRepository,
  findAdding,
  refreshAddedRepository,
  removeAddedRepository,
} from '../../actions/repositories/add-repository.ts';
import { Uuid } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { listAddedRepositories } from '../../db/repositories-added.ts';
import { repositoryLink, signUpLink, withQuery } from '../../pages/links.ts';
import { addRepositoryPage } from '../../pages/repositories-add.ts';
import type { Deps } from '../deps.ts';
import { jobFinders } from '../jobs.ts';
import { additionFields, presentAddition } from '../repositories.ts';
import { asUser, ownForm, page } from './page.ts';

const mostShown = 100;

/** Also shown to users who may not add repositories, to tell them who may. */
export const addPage = (deps: Deps) => {
  const { findJob, present } = jobFinders(deps);
  return page({
    query: { job: Type.Optional(Uuid()) },
    async show({ query, viewer, request, reply, contextIn }) {
      const { database, codeHosts, clock } = deps;
      const { host = '', adding = null } = findAdding(codeHosts) ?? {};
      const user = mayOperate(deps, viewer) ? asUser(viewer) : null;
      reply.header('cache-control', 'no-store');
      const accepted = adding && { roots: adding.roots, hosts: adding.hosts };
      if (viewer && !viewer.user) return { redirectTo: signUpLink(contextIn(undefined).address) };
      if (!user)
        return {
          page: addRepositoryPage(contextIn(undefined), {
            accepted,
            mayAdd: false,
            added: [],
            found: [],
            job: null,
            now: clock(),
          }),
        };
      const userId = user.user.id;
      const { rows } = await listAddedRepositories(database, { userId, limit: mostShown, offset: 0 });
      const look = { viewer: user, now: clock() };
      const asked = query.job === undefined ? null : await findJob(query.job.toLowerCase(), look);
      const found = asked?.found;
      if (found?.work === 'mirror' && found.state === 'done')
        return {
          redirectTo: repositoryLink({ host, owner: found.owner, repo: found.name }, codeHosts[0]?.id ?? ''),
        };
      const job = asked && (await present(asked, request.id));
      const problems = await adding?.findProblems();
      const added = rows.map((row) => ({
        ...presentAddition(host, row),
        problem: problems?.get(row.id) ?? null,
      }));
      const clones = (await adding?.findClones()) ?? [];
      const shown = { accepted, mayAdd: true, added, found: clones, job, now: clock() };
      return { page: addRepositoryPage(contextIn(undefined), shown) };
    },
  });
};

export const postAddedRepositoryForm = (deps: Deps) =>
  ownForm({
    body: { ...additionFields, visibility: Type.Enum(['everybody', 'me'], { type: 'string' }) },
    async submit({ body: { location, name, visibility }, viewer }) {
      const wanted = {
        location: location.trim(),
        fullName: name?.trim() || null,
        isPrivate: visibility === 'me',
      };
      const { host, repository } = await addRepository(deps, wanted, viewer);
      if (!repository.isReady) return withQuery('/add', { job: repository.id });
      const place = { host, owner: repository.owner, repo: repository.name };
      return repositoryLink(place, deps.codeHosts[0]?.id ?? '');
    },
  });

export const cancelAddForm = (deps: Deps) => {
  const { cancel } = jobFinders(deps);
  return ownForm({
    body: { job: Uuid('The job.') },
    async submit({ body: { job }, viewer }) {
      await cancel(job.toLowerCase(), { viewer, now: deps.clock() });
      return withQuery('/add', { job });
    },
  });
};

export const removeAddedForm = (deps: Deps) =>
  ownForm({
    body: { id: Uuid('The entry in the list.') },
    async submit({ body: { id }, viewer }) {
      await removeAddedRepository(deps, id.toLowerCase(), viewer);
      return '/add';
    },
  });

export const refreshAddedForm = (deps: Deps) =>
  ownForm({
    body: { id: Uuid('The entry in the list.') },
    async submit({ body: { id }, viewer }) {
      await refreshAddedRepository(deps, id.toLowerCase(), viewer);
      return '/add';
    },
  });
