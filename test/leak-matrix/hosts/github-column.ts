import { deliver, webhookSecret } from '../../github/deliver.ts';
import type { GitHubStandIn } from '../../github/stand-in.ts';
import { account, pull, repository, shaOf } from '../../github/state.ts';
import type { State } from '../rights.ts';
import { discussedAs, type HostColumn, type MatrixRepository } from './host-column.ts';
import { mergedAt } from './merged-at.ts';

const tokenOf = (login: string): string => `ghp_tokenOf${login}`;

/** GitHub's events about a repository. It sends none about accounts that it blocks. */
const events: Partial<Record<State, [event: string, action: string]>> = {
  public: ['repository', 'renamed'],
  internal: ['repository', 'renamed'],
  private: ['member', 'removed'],
  'turned internal': ['repository', 'privatized'],
  'turned private': ['repository', 'privatized'],
  deleted: ['repository', 'deleted'],
  replaced: ['repository', 'deleted'],
  silent: ['repository', 'transferred'],
};

/** GitHub, where everyone who sees a repository sees its pull requests. */
export function githubColumn({ url, state, script, takeCalls }: GitHubStandIn): HostColumn {
  const find = ({ id }: MatrixRepository) => {
    const found = state.repositories.find((one) => one.id === id);
    if (!found) throw new Error(`There is no repository ${id} on GitHub.`);
    return found;
  };
  const accountOf = (login: string) => state.accounts.find((one) => one.login === login);
  return {
    id: 'github',
    owner: 'acme',
    states: [
      ...(['public', 'internal', 'private', 'turned internal', 'turned private'] as const),
      ...(['deleted', 'replaced', 'silent', 'blocked', 'expired'] as const),
    ],
    environment: {
      GITHUB_URL: url,
      GITHUB_TOKEN: tokenOf('service'),
      GITHUB_WEBHOOK_SECRETS: webhookSecret,
    },
    takeCalls,
    addAccount(login) {
      state.accounts.push(account(1_000 + state.accounts.length, login, tokenOf(login)));
      return tokenOf(login);
    },
    add({ id, owner, name, words, author, members }) {
      const merged = { author, state: 'closed', mergedAt, updatedAt: mergedAt } as const;
      const { request, answer } = discussedAs(words);
      const said = { author: 'rin', body: request, createdAt: mergedAt };
      const reviewed = {
        comments: [said, { ...said, author, body: answer }],
        reviewComments: [{ ...said, id: 21, path: 'src/file-0.ts', line: 1, commit: shaOf('first') }],
      };
      const commits = [
        { sha: shaOf('v1'), parents: [], message: 'Begin' },
        { sha: shaOf('v2'), parents: [shaOf('v1')], message: `feat: tell of ${words} (#1)` },
      ];
      state.repositories.push(
        repository(id, `${owner}/${name}`, {
          visibleTo: new Set(members),
          pulls: [pull(1, words, { ...merged, mergeCommitSha: shaOf('v2'), ...reviewed })],
          history: {
            refs: { v1: shaOf('v1'), v2: shaOf('v2') },
            tags: ['v2', 'v1', words],
            commits,
          },
        }),
      );
    },
    show(repository, to) {
      const found = find(repository);
      found.visibility = ({ everybody: 'public', accounts: 'internal', members: 'private' } as const)[to];
      if (to === 'accounts') for (const { login } of state.accounts) found.visibleTo.add(login);
    },
    showPullRequests() {
      throw new Error('On GitHub, pull requests show with their repository.');
    },
    closeCode() {
      throw new Error('On GitHub, code shows with its repository.');
    },
    dismiss: (repository, login) => void find(repository).visibleTo.delete(login),
    remove: (repository) => void state.repositories.splice(state.repositories.indexOf(find(repository)), 1),
    block: (login) => void Object.assign(accountOf(login) ?? {}, { isSuspended: true }),
    expire: (login) => accountOf(login)?.tokens.clear(),
    silence: ({ id, owner, name }) =>
      script(
        new RegExp(`^(?:/repositories/${id}\\b|/repos/${owner}/${name}\\b)`, 'i'),
        (response) => void response.destroy(),
      ),
    newsOf(of, { id }) {
      const [event, action] = events[of] ?? [];
      return event === undefined ? undefined : { event, payload: { action, repository: { id } } };
    },
    deliver: (server, { event, payload }) => deliver(server, event, payload),
    accountId: (login) => accountOf(login)?.id,
  };
}
