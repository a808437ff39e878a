import type { HostRepository } from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import { asNobody } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import { createSignInCheck } from '../http/open-ways.ts';
import type { GitLabAddresses } from './gitlab-api.ts';
import { AnyMergeRequest, ProjectPayload } from './payloads.ts';

interface Parts {
  client: HostClient;
  addresses: GitLabAddresses;
  serviceToken: string | null;
  clock: () => Date;
}

export type ReadProject = (path: string, caller: HostCaller) => Promise<HostRepository | null>;

export const projectPath = (owner: string, name: string): string =>
  `/projects/${encodeURIComponent(`${owner}/${name}`)}`;

export const projectPathById = ({ hostRepoId }: Pick<HostRepository, 'hostRepoId'>): string =>
  `/projects/${hostRepoId}`;

/**
 * Finds projects by their path or number, as far as their merge requests show to the caller: a project that everybody sees may
 * keep these to its members, and guests of a private one see neither them nor its code. What not everybody is shown is private here.
 */
export function createReadProject({ client, addresses, serviceToken, clock }: Parts): ReadProject {
  const showsMergeRequests = async (id: number, caller: HostCaller): Promise<boolean> => {
    const listed = `/projects/${id}/merge_requests?per_page=1&view=simple`;
    const page = await client.pageUnlessUnchanged(listed, AnyMergeRequest, caller, null);
    return page !== null;
  };

  const showsToNobody = (id: number, { signal }: HostCaller): Promise<boolean> =>
    showsMergeRequests(id, asNobody({ signal }));

  const checkSignIn = createSignInCheck({
    isOpen: !addresses.isOwn || serviceToken !== null,
    shows: ({ hostRepoId }, nobody) => showsMergeRequests(hostRepoId, nobody),
    clock,
  });

  const isPublic = async (
    found: HostRepository,
    project: ProjectPayload,
    caller: HostCaller,
  ): Promise<boolean> => {
    const { id, visibility, repository_access_level: code, merge_requests_access_level: requests } = project;
    if (caller.token === null) return showsToNobody(id, caller);
    if (visibility !== 'public') return false;
    // To some kinds of tokens the levels are not told.
    if (!code || !requests) return showsToNobody(id, caller);
    return code === 'enabled' && requests === 'enabled' && !(await checkSignIn(found, caller)).isPrivate;
  };

  return async (path, caller) => {
    const project = await client.get(path, ProjectPayload, caller);
    if (!project) return null;
    const { id: hostRepoId, namespace, path: name } = project;
    const found = { hostRepoId, owner: namespace.full_path, name, isPrivate: false };
    if (await isPublic(found, project, caller)) return found;
    // The service's own token may see more than it may show.
    if (caller.isService || !(await showsMergeRequests(project.id, caller))) return null;
    return { ...found, isPrivate: true };
  };
}

/** Whether it is the one that was found before, and is as public or private as it was. */
export const isUnchanged = (before: HostRepository, now: HostRepository | null): boolean =>
  now?.hostRepoId === before.hostRepoId && now.isPrivate === before.isPrivate;
