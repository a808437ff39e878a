import { completeIdentity } from '../../domain/identity.ts';
import type { SecretKeys } from '../../domain/secret-keys.ts';
import type { CodeHost } from '../code-host.ts';
import { findClone } from './find-clone.ts';
import { localId } from './local-id.ts';
import { localTokenPrefix, readLocalToken } from './local-token.ts';

export interface GitHostOptions {
  /** The folder that holds the clones, laid out owner/repo. */
  root: string;
  webUrl: string | null;
  privateRepositories: { fullName: string; visibleTo: string[] }[];
  secretKeys: SecretKeys;
  clock: () => Date;
}

/** A folder of clones as a code host: the people on it are those to whom its operator gave a local token. */
export function createGitHost({
  root,
  webUrl,
  privateRepositories,
  secretKeys,
  clock,
}: GitHostOptions): CodeHost {
  const privateTo = new Map(
    privateRepositories.map(({ fullName, visibleTo }) => [
      fullName.toLowerCase(),
      new Set(visibleTo.map((name) => localId(name))),
    ]),
  );

  return {
    id: 'git',
    webUrl,
    signIn: 'localToken',
    isLocal: true,
    recognizes: (token) => token.startsWith(localTokenPrefix),
    async identify(token) {
      const local = readLocalToken(secretKeys, token, clock());
      if (!local) return null;
      const { name, expiresAt, singleUse } = local;
      const identity = completeIdentity({
        host: 'git',
        hostUserId: localId(name),
        hostUsername: name,
        noReplyDomain: 'git',
      });
      return { identity, expiresAt, singleUse };
    },
    async findRepository(owner, name, viewer) {
      const clone = await findClone(root, owner, name);
      if (!clone) return null;
      const fullName = `${clone.owner}/${clone.name}`;
      const visibleTo = privateTo.get(fullName.toLowerCase());
      if (visibleTo && !(viewer?.host === 'git' && visibleTo.has(viewer.hostUserId))) return null;
      return {
        hostRepoId: localId(fullName),
        owner: clone.owner,
        name: clone.name,
        isPrivate: visibleTo !== undefined,
      };
    },
  };
}
