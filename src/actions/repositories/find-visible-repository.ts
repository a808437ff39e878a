import { findVisibleRepository as findStored, type Repository } from '../../db/repositories.ts';
import { type DetailViewer, isHiddenBySilence } from '../../db/visibility.ts';
import type { Viewer } from '../accounts/identify-bearer.ts';
import type { Deps } from '../deps.ts';
import type { RepositoryAddress } from './find-on-host.ts';
import { isFresh, type RepositoryRenewals } from './renew-repositories.ts';

interface VisibleDeps extends Pick<Deps, 'database'> {
  renewals: RepositoryRenewals;
}

/** Who is looking at one thing, and since when: whatever a request looks for, it looks for as of one moment. */
export interface Look {
  viewer: Viewer | null;
  now: Date;
  /** Set once the host has shown it and there was no room to store that: what was asked for shows by this look alone. */
  isShown?: boolean;
}

export const seenBy = ({ viewer, now, isShown }: Look): DetailViewer => ({
  userId: viewer?.user?.id ?? null,
  now,
  purpose: isShown ? 'renewal' : 'detail',
});

/** A stored repository that the viewer may see, by its name. Without a grant the host is not even asked. */
export async function findVisibleRepository(
  { database, renewals }: VisibleDeps,
  { codeHost, owner, name }: RepositoryAddress,
  look: Look,
): Promise<Repository | null> {
  const find = (viewer: DetailViewer) => findStored(database, { host: codeHost.id, owner, name, viewer });
  return findAfterRenewal(renewals, look, find, (repository) => repository);
}

/**
 * Something of a repository that the viewer may see, found in whatever way. Where what is known about the repository is no
 * longer fresh, it is renewed, and then found again, because the viewer may no longer see it.
 */
export async function findAfterRenewal<Found>(
  renewals: RepositoryRenewals,
  look: Look,
  find: (viewer: DetailViewer) => Promise<Found | null>,
  repositoryOf: (found: Found) => Repository,
): Promise<Found | null> {
  const { viewer, now } = look;
  const shown = seenBy(look);
  // Twice, because of one that turned private the viewer may have a grant, which has an age of its own.
  for (let round = 0; round < 2; round += 1) {
    const found = await find({ ...shown, purpose: 'renewal' });
    if (!found) return null;
    const repository = repositoryOf(found);
    if (isHiddenBySilence(repository, now)) {
      // It might as well not exist, and must not take longer to answer than what does not.
      renewals.renew(repository, viewer).catch(() => {});
      return null;
    }
    if (isFresh(repository, now)) return found;
    const outcome = await renewals.renewForReader(repository, viewer);
    if (outcome === 'shownThisOnce') {
      look.isShown = true;
      return found;
    }
    if (outcome === 'hiddenThisOnce' || outcome === 'lapsed') return null;
    if (outcome !== 'turnedPrivate') break;
  }
  return find(shown);
}
