import { deliveryOf, webhookSecret } from '../../gitea/deliver.ts';
import { repository } from '../../gitea/make-repository.ts';
import type { GiteaStandIn } from '../../gitea/stand-in.ts';
import { account, pull, tokenOf } from '../../gitea/state.ts';
import { type State, states } from '../rights.ts';
import { discussedAs, type HostColumn, type MatrixRepository } from './host-column.ts';
import { mergedAt } from './merged-at.ts';
import { tagMerge } from './tag-merge.ts';

/** Gitea's events about a repository. It sends none about access and names. */
const events: Partial<Record<State, string>> = { deleted: 'deleted', replaced: 'deleted' };

/** Gitea, where some members of a private repository get only some of its units. */
export function giteaColumn({ url, state, script, takeCalls }: GiteaStandIn): HostColumn {
  const find = ({ id }: MatrixRepository) => {
    const found = state.repositories.find((one) => one.id === id);
    if (!found) throw new Error(`There is no repository ${id} on Gitea.`);
    return found;
  };
  const accountOf = (login: string) => state.accounts.find((one) => one.login === login);
  /** Repositories that show pull requests to some members only; other members stay members. */
  const isOfUnits = new Set<number>();
  return {
    id: 'gitea',
    owner: 'acme',
    // Public repositories show everyone their pull requests, or no one.
    states: states.filter((one) => one !== 'turned members only'),
    environment: {
      GITEA_URL: url,
      GITEA_TOKEN: tokenOf('service'),
      GITEA_WEBHOOK_SECRETS: webhookSecret,
    },
    takeCalls,
    addAccount(login) {
      state.accounts.push(account(1_000 + state.accounts.length, login, tokenOf(login)));
      return tokenOf(login);
    },
    add({ id, owner, name, words, author, members }) {
      const merged = { author, state: 'closed', mergedAt, updatedAt: mergedAt } as const;
      const { request, answer } = discussedAs(words);
      const comments = [
        { author: 'rin', body: request, createdAt: mergedAt },
        { author, body: answer, createdAt: mergedAt },
      ];
      const added = repository(id, `${owner}/${name}`, {
        visibleTo: new Set(members),
        admins: new Set(members),
        pulls: [pull(1, words, { ...merged, comments })],
        tags: ['v2', 'v1', words],
      });
      for (const one of added.pulls) {
        one.mergeCommitSha = one.head;
        tagMerge(added.gitFolder, { base: one.mergeBase, head: one.head });
      }
      state.repositories.push(added);
    },
    show(repository, to) {
      const ownerVisibility = to === 'accounts' ? 'limited' : 'public';
      Object.assign(find(repository), { isPrivate: to === 'members', ownerVisibility });
    },
    showPullRequests(repository, to) {
      const found = find(repository);
      if (to === 'nobody') found.hasPulls = false;
      else {
        found.isPrivate = true;
        isOfUnits.add(found.id);
      }
    },
    closeCode: (repository) => void Object.assign(find(repository), { hasCode: false }),
    dismiss(repository, login) {
      const { id, visibleTo, withoutCode, admins } = find(repository);
      admins.delete(login);
      if (isOfUnits.has(id)) withoutCode.add(login);
      else visibleTo.delete(login);
    },
    remove: (repository) => void state.repositories.splice(state.repositories.indexOf(find(repository)), 1),
    block: (login) => void Object.assign(accountOf(login) ?? {}, { isProhibited: true }),
    expire: (login) => accountOf(login)?.tokens.clear(),
    silence: ({ id, owner, name }) =>
      script(
        new RegExp(`^(?:/repositories/${id}\\b|/repos/${owner}/${name}\\b)`, 'i'),
        (response) => void response.destroy(),
      ),
    newsOf(of, { id }) {
      const action = events[of];
      return action === undefined
        ? undefined
        : { event: 'repository', payload: { action, repository: { id } } };
    },
    async deliver(server, news) {
      const { headers, body } = deliveryOf(news);
      const sent = { method: 'POST', url: '/webhooks/gitea', headers, payload: body } as const;
      return (await server.inject(sent)).statusCode;
    },
    accountId: (login) => accountOf(login)?.id,
  };
}
