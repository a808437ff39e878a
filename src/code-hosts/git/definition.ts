import { clonesHost } from '../../domain/repositories.ts';
import type { HostDefinition } from '../host-definition.ts';
import { isLocalToken } from './local-token.ts';
import type { GitSettings } from './open-git-host.ts';

export const git: HostDefinition<GitSettings> = {
  id: clonesHost,
  name: 'local clones',
  tokens: {
    kind: 'localToken',
    isOne: isLocalToken,
    origin: 'local clones',
    taken: 'a local one (pql_…), as pullquote token NAME prints',
  },
  byGit: { what: 'clones', isAll: true, isFetched: false },
  open: async (settings, deps) => (await import('./open-git-host.ts')).openGitHost(settings, deps),
  examine: async ({ gitRepos }) => ({
    findings: await (await import('./survey-clones.ts')).examineClones(gitRepos),
    aheadMs: null,
  }),
};
