import { findVisibleRepository as findStored } from '../../db/repositories.ts';
import { type DetailViewer, isHiddenBySilence, type Repository } from '../../db/visibility.ts';
import type { Viewer } from '../accounts/identify-bearer.ts';
import type { Deps } from '../deps.ts';
import type { RepositoryAddress } from './find-on-host.ts';
import { isFresh, type RepositoryRenewals } from './renew-repositories.ts';

interface VisibleDeps extends Pick<Deps, 'database'> {
  renewals: RepositoryRenewals;
}

/** The viewer of one article or pull request, and the moment of the request. */
export interface Look {
  viewer: Viewer | null;
  now: Date;
  /** The host has shown it, but the disk is full: it is visible for this request only. */
  isShown?: boolean;
}

export const seenBy = ({ viewer, now, isShown }: Look): DetailViewer => ({
  userId: viewer?.user?.id ?? null,
  now,
  purpose: isShown ? 'renewal' : 'detail',
});

/** A stored repository that the viewer may see, by name. Without a grant the host is not called. */
export async function findVisibleRepository(
  { database, renewals }: VisibleDeps,
  { codeHost, owner, name }: RepositoryAddress,
  look: Look,
): Promise<Repository | null> {
  const find = (viewer: DetailViewer) => findStored(database, { host: codeHost.id, owner, name, viewer });
  return findAfterRenewal(renewals, look, find, (repository) => repository);
}

/**
 * Finds something of a repository that the viewer may see. If the repository was not confirmed recently, it is renewed first
 * and the lookup repeated.
 */
export async function findAfterRenewal<Found>(
  renewals: RepositoryRenewals,
  look: Look,
  find: (viewer: DetailViewer) => Promise<Found | null>,
  repositoryOf: (found: Found) => Repository,
): Promise<Found | null> {
  const { viewer, now } = look;
  const shown = seenBy(look);
  // Twice: if it turned private, the viewer may have a grant, which is renewed separately.
  for (let round = 0; round < 2; round += 1) {
    const found = await find({ ...shown, purpose: 'renewal' });
    if (!found) return null;
    const repository = repositoryOf(found);
    if (isHiddenBySilence(repository, now)) {
      // Must answer as fast as for a repository that does not exist.
      renewals.renew(repository, viewer).catch(() => {});
      return null;
    }
    if (isFresh(repository, now)) return found;
    const outcome = await renewals.renewForReader(repository, viewer);
    if (outcome === 'visibleNotPersisted') {
      look.isShown = true;
      return found;
    }
    if (outcome === 'hiddenNotPersisted' || outcome === 'lapsed') return null;
    if (outcome !== 'turnedPrivate') break;
  }
  return find(shown);
}
