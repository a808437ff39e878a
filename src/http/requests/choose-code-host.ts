import type { CodeHost } from '../../code-hosts/code-host.ts';
import { OneOf, Owner, RepositoryName } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import type { NamedRepositories } from '../../db/repositories.ts';
import { hostMeant } from '../../domain/repositories.ts';

const meansFirst = 'The code host; by default the first one configured';

export const hostQuery = (codeHosts: CodeHost[], description = meansFirst) => ({
  host: Type.Optional(
    OneOf(
      codeHosts.map(({ id }) => id),
      description,
    ),
  ),
});

export function chooseCodeHost(codeHosts: CodeHost[], id: string | undefined): CodeHost {
  const chosen = id === undefined ? codeHosts[0] : codeHosts.find((host) => host.id === id);
  if (!chosen) throw new Error(`The code host ${id} passed validation but is not configured.`);
  return chosen;
}

export const requestedAddress = (
  codeHosts: CodeHost[],
  { owner, repo }: { owner: string; repo: string },
  { host }: { host?: string | undefined },
) => ({ codeHost: chooseCodeHost(codeHosts, host), owner, name: repo });

export const repositoryQuery = (codeHosts: CodeHost[]) => ({
  ...hostQuery(
    codeHosts,
    `${meansFirst} if owner or repo is given (the first one with nested groups if owner contains a /), otherwise all`,
  ),
  owner: Type.Optional(Owner()),
  repo: Type.Optional(RepositoryName()),
});

export function chooseRepositories(
  codeHosts: CodeHost[],
  { host, owner, repo, author }: NamedRepositories & { author?: string | undefined },
): NamedRepositories {
  const isNamed = [owner, repo, author].some((name) => name !== undefined);
  return { host: host ?? (isNamed ? hostMeant(codeHosts, owner)?.id : undefined), owner, repo };
}
