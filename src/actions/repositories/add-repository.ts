import type { AddingRepositories, CodeHost, InspectedRepository } from '../../code-hosts/code-host.ts';
import { notifyPublicChange } from '../../db/articles.ts';
import { listRepositoriesNamed } from '../../db/repositories.ts';
import {
  type AddedRepository,
  findSameAddedRepository,
  insertAddedRepository,
  listClonesWithoutRoot,
  removeAddedRepositoryRow,
  requestMirrorRefresh,
  saveRootCommit,
} from '../../db/repositories-added.ts';
import { Failure } from '../../domain/errors.ts';
import { mayOperate, type OperatorDeps } from '../accounts/operators.ts';
import { requireRoom } from '../articles/request-article.ts';
import type { Deps, SignedUpViewer } from '../deps.ts';
import { refreshLocal } from './renew-listed-repositories.ts';

interface AddDeps extends Pick<Deps, 'database' | 'codeHosts' | 'clock'>, OperatorDeps {}

interface WantedAddition {
  location: string;
  /** As owner/repo; null to take the name from the clone or the address. */
  fullName: string | null;
  isPrivate: boolean;
}

export function requireOperator(deps: OperatorDeps, viewer: SignedUpViewer): void {
  if (mayOperate(deps, viewer)) return;
  throw new Failure(
    'FORBIDDEN',
    'Only operators can add repositories. Started the server yourself? Use the one-time link in its terminal. Otherwise ask your administrator to list you in OPERATORS.',
  );
}

export function findAdding(codeHosts: CodeHost[]): { host: string; adding: AddingRepositories } | null {
  const local = codeHosts.find(({ adding }) => adding);
  return local?.adding ? { host: local.id, adding: local.adding } : null;
}

function requireAdding(codeHosts: CodeHost[]) {
  const found = findAdding(codeHosts);
  if (found) return found;
  throw new Failure(
    'INVALID_REQUEST',
    'This service does not read clones. To add some, list git in CODE_HOST.',
  );
}

/** Clones added by a version that did not store roots get the root in GIT_ROOTS at this start. */
export async function keepRoots({
  database,
  codeHosts,
}: Pick<AddDeps, 'database' | 'codeHosts'>): Promise<void> {
  const adding = findAdding(codeHosts)?.adding;
  for (const { id, folder } of adding ? await listClonesWithoutRoot(database) : []) {
    const root = await adding?.rootOf(folder);
    if (root) await saveRootCommit(database, { id, root });
  }
}

/** Adds a clone at once; a mirror is made by a job with the id of the entry. */
export async function addRepository(
  deps: AddDeps,
  { isPrivate, ...wanted }: WantedAddition,
  viewer: SignedUpViewer,
): Promise<{ host: string; repository: AddedRepository; isNew: boolean }> {
  requireOperator(deps, viewer);
  const { database, codeHosts, clock } = deps;
  const { host, adding } = requireAdding(codeHosts);
  const userId = viewer.user.id;
  const addition = { ...(await adding.inspect(wanted, viewer.identity)), isPrivate };
  const same = await findSameAddedRepository(database, addition, userId);
  if (same) return { host, repository: same, isNew: false };
  await requireFreeName(codeHosts, addition, viewer);
  const isNew = await database.transaction(async (tx) => {
    const id = await insertAddedRepository(tx, addition, { userId, now: clock() });
    if (id && 'address' in addition.clone) await requireRoom(tx, userId);
    return id !== null;
  });
  if (isNew) await notifyPublicChange(database, 'ranking');
  // The same repository may have been added at the same time, by this user or another.
  const repository = await findSameAddedRepository(database, addition, userId);
  if (!repository) throw nameTaken(addition);
  return { host, repository, isNew };
}

async function requireFreeName(
  codeHosts: CodeHost[],
  { owner, name }: InspectedRepository,
  { identity }: SignedUpViewer,
): Promise<void> {
  const local = codeHosts.find(({ adding }) => adding);
  const caller = { identity, token: null, signal: new AbortController().signal };
  if (await local?.findRepository(owner, name, caller)) throw nameTaken({ owner, name });
}

function nameTaken({ owner, name }: Pick<InspectedRepository, 'owner' | 'name'>): Failure {
  const message = `A repository ${owner}/${name} already exists. Add this one under another name.`;
  return new Failure('INVALID_REQUEST', message, { details: [{ field: 'name', problem: message }] });
}

const noSuchEntry = () =>
  new Failure('NOT_FOUND', 'There is no added repository with this id. GET /added-repositories lists them.');

/** Fetches a mirror again in the background, unless GIT_CLONE is off. */
export async function refreshAddedRepository(
  deps: AddDeps,
  id: string,
  viewer: SignedUpViewer,
): Promise<void> {
  requireOperator(deps, viewer);
  const isOn = requireAdding(deps.codeHosts).adding.hosts.length > 0;
  if (!isOn || !(await requestMirrorRefresh(deps.database, { id, userId: viewer.user.id })))
    throw noSuchEntry();
}

/** Removes an added repository with its mirror. None of its data is visible from then on. */
export async function removeAddedRepository(
  deps: AddDeps,
  id: string,
  viewer: SignedUpViewer,
): Promise<void> {
  requireOperator(deps, viewer);
  const { database, codeHosts, clock } = deps;
  const { host, adding } = requireAdding(codeHosts);
  const wanted = { id, userId: viewer.user.id, now: clock() };
  const removed = await database.transaction((tx) => removeAddedRepositoryRow(tx, wanted));
  if (!removed) throw noSuchEntry();
  await refreshLocal(deps, () => listRepositoriesNamed(database, { host, ...removed }));
  await notifyPublicChange(database, 'ranking');
  if (removed.address !== null) await adding.removeMirror(id);
}
