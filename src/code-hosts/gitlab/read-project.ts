import type { HostRepository } from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';
import type { GitLabAddresses } from './addresses.ts';
import { AnyMergeRequest, ProjectPayload } from './payloads.ts';

/** Whether a server shows anything without a token hardly ever changes; what it hides then is noticed with the next renewal anyway. */
const rememberedMs = 60 * 60 * 1000;

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
  let openUntil = 0;

  const showsMergeRequests = async (id: number, caller: HostCaller): Promise<boolean> => {
    const listed = `/projects/${id}/merge_requests?per_page=1&view=simple`;
    const page = await client.pageUnlessUnchanged(listed, AnyMergeRequest, caller, null);
    return page !== null;
  };

  const showsToNobody = (id: number, { signal }: HostCaller): Promise<boolean> =>
    showsMergeRequests(id, { isService: true, token: null, signal });

  /** A server may call public what shows to all who have an account there, and nothing to those who have none. */
  const isOpen = async (id: number, caller: HostCaller): Promise<boolean> => {
    const isSure = caller.isService || !addresses.isOwn || serviceToken !== null;
    if (isSure || openUntil > clock().getTime()) return true;
    if (!(await showsToNobody(id, caller))) return false;
    openUntil = clock().getTime() + rememberedMs;
    return true;
  };

  const isPublic = async (project: ProjectPayload, caller: HostCaller): Promise<boolean> => {
    const { id, visibility, repository_access_level: code, merge_requests_access_level: requests } = project;
    if (caller.token === null) return showsToNobody(id, caller);
    if (visibility !== 'public') return false;
    // To some kinds of tokens the levels are not told.
    if (!code || !requests) return showsToNobody(id, caller);
    return code === 'enabled' && requests === 'enabled' && isOpen(id, caller);
  };

  return async (path, caller) => {
    const project = await client.get(path, ProjectPayload, caller);
    if (!project) return null;
    const found = { hostRepoId: project.id, owner: project.namespace.full_path, name: project.path };
    if (await isPublic(project, caller)) return { ...found, isPrivate: false };
    // The service's own token may see more than it may show.
    if (caller.isService || !(await showsMergeRequests(project.id, caller))) return null;
    return { ...found, isPrivate: true };
  };
}

/** Whether it is the one that was found before, and is as public or private as it was. */
export const isUnchanged = (before: HostRepository, now: HostRepository | null): boolean =>
  now?.hostRepoId === before.hostRepoId && now.isPrivate === before.isPrivate;
