import { deliver, webhookSecret } from '../../gitlab/deliver.ts';
import type { GitLabStandIn } from '../../gitlab/stand-in.ts';
import { account, mergedAt as merged, project, type Role } from '../../gitlab/state.ts';
import { type State, states } from '../rights.ts';
import { discussedAs, type HostColumn, type MatrixRepository } from './host-column.ts';
import { mergedAt } from './merged-at.ts';
import { tagMerge } from './tag-merge.ts';

const tokenOf = (login: string): string => `glpat-tokenOf${login}`;

/** GitLab's events about a project. It sends none about expired tokens. */
const events: Partial<Record<State, string>> = {
  public: 'project_update',
  internal: 'project_update',
  private: 'user_remove_from_team',
  'members only': 'user_update_for_team',
  'code off': 'user_update_for_team',
  'turned internal': 'project_update',
  'turned private': 'project_update',
  'turned members only': 'project_update',
  'code turned off': 'project_update',
  'pull requests off': 'project_update',
  deleted: 'project_destroy',
  replaced: 'project_destroy',
  silent: 'project_transfer',
  blocked: 'user_failed_login',
};

/** GitLab, in a nested group unless other hosts without nested groups take part. */
export function gitlabColumn(
  { url, state, script, takeCalls }: GitLabStandIn,
  { owner = 'acme/inner' } = {},
): HostColumn {
  const find = ({ id }: MatrixRepository) => {
    const found = state.projects.find((one) => one.id === id);
    if (!found) throw new Error(`There is no project ${id} on GitLab.`);
    return found;
  };
  const accountOf = (login: string) => state.accounts.find(({ username }) => username === login);
  return {
    id: 'gitlab',
    owner,
    states,
    environment: {
      GITLAB_URL: `${url}/`,
      GITLAB_TOKEN: tokenOf('service'),
      GITLAB_WEBHOOK_SECRETS: webhookSecret,
    },
    takeCalls,
    addAccount(login) {
      state.accounts.push(account(1_000 + state.accounts.length, login, tokenOf(login)));
      return tokenOf(login);
    },
    add({ id, owner: group, name, words, author, members }) {
      const { request, answer } = discussedAs(words);
      const createdAt = new Date(mergedAt).toISOString();
      const discussions = [
        [{ author: 'rin', body: request, createdAt }],
        [{ author, body: answer, createdAt }],
      ];
      const change = { iid: 1, words, author, discussions, ...merged(new Date(mergedAt)) };
      const added = project(id, `${group}/${name}`, [change], {
        members: new Map(members.map((login): [string, Role] => [login, 'reporter'])),
        tags: ['v2', 'v1', words],
      });
      for (const one of added.mergeRequests) {
        one.mergeCommitSha = one.headSha;
        tagMerge(added.gitFolder, { base: one.baseSha, head: one.headSha });
      }
      state.projects.push(added);
    },
    show(repository, to) {
      const visibility = { everybody: 'public', accounts: 'internal', members: 'private' } as const;
      find(repository).visibility = visibility[to];
    },
    showPullRequests(repository, to) {
      find(repository).mergeRequestsLevel = to === 'members' ? 'private' : 'disabled';
    },
    // GitLab never shows merge requests to more users than the code.
    closeCode: (repository) =>
      void Object.assign(find(repository), { repositoryLevel: 'private', mergeRequestsLevel: 'private' }),
    // In a project with merge requests for members only, guests are members who do not see them.
    dismiss(repository, login) {
      const { members, mergeRequestsLevel } = find(repository);
      if (mergeRequestsLevel === 'private') members.set(login, 'guest');
      else members.delete(login);
    },
    remove: (repository) => void state.projects.splice(state.projects.indexOf(find(repository)), 1),
    block: (login) => void Object.assign(accountOf(login) ?? {}, { isBlocked: true }),
    expire: (login) => accountOf(login)?.tokens.clear(),
    silence: ({ id, owner: group, name }) =>
      script(
        new RegExp(`^/projects/(?:${id}|${encodeURIComponent(`${group}/${name}`)})(?![\\w%-])`, 'i'),
        (response) => void response.destroy(),
      ),
    newsOf(of, { id }, member) {
      const event = events[of];
      if (event === undefined) return undefined;
      const about =
        event === 'user_failed_login' ? { user_id: member, state: 'blocked' } : { project_id: id };
      return { event, payload: { event_name: event, ...about } };
    },
    deliver: (server, { payload }) => deliver(server, payload),
    accountId: (login) => accountOf(login)?.id,
  };
}
