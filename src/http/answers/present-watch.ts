import type { Watch } from '../../contract/watch.ts';
import type { StoredWatch } from '../../db/watches.ts';
import { savingToken } from '../../domain/saving-token.ts';
import type { PauseReason } from '../../domain/watching.ts';

const remedies: Record<PauseReason, (host: string, since: string) => string> = {
  noToken: (host) =>
    `This repository is private, and you have no saved token of ${host} that works. Save one with ${savingToken(host)}, or sign in again.`,
  noRights: (host) =>
    `The code host ${host} no longer shows you this repository. Ask its owners for access, or end the watch.`,
  hostAway: (host, since) =>
    `The code host ${host} has not said what is merged${since}. It is asked again by itself, and what was merged meanwhile is written about then.`,
};

export function presentWatch({ favoriteId, name, pause, pausedSince, ...watch }: StoredWatch): Watch {
  const { host, owner, language, labels, includeBots, since, lastSeenAt } = watch;
  const from = pausedSince ? ` since ${pausedSince.toISOString()}` : '';
  return {
    favoriteId,
    host,
    owner,
    repo: name,
    language,
    labels,
    includeBots,
    since: since.toISOString(),
    lastSeenAt: lastSeenAt?.toISOString() ?? null,
    paused: pause && { reason: pause, message: remedies[pause](host, from) },
  };
}
