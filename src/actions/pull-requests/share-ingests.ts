import { inTime } from '../../domain/concurrency.ts';
import { Failure } from '../../domain/errors.ts';
import { ConcurrencyLimit } from '../../domain/limits.ts';
import type { ActingUser } from '../accounts/identify-bearer.ts';
import type { RepositoryAddress } from '../repositories/find-on-host.ts';
import { type Ingested, type IngestParts, ingestPullRequest } from './ingest-pull-request.ts';

/** More than a person clicks at a time, and few enough that those of one user do not hold up other users'. */
const mostIngests = 8;

/** Longer than nearly every pull request takes, shorter than proxies keep a silent connection. */
const usualPatienceMs = 60_000;

export type Ingest = (
  address: RepositoryAddress,
  number: number,
  viewer: ActingUser | null,
  /** Whether what is stored counts on the viewer's quota; it does, unless told otherwise. */
  how?: { isOnQuota: boolean },
) => Promise<Ingested>;

/**
 * Ingests pull requests, each once at a time. Each viewer has the host asked with their own rights; a viewer who is shown
 * what is being read already waits for that. A request that waits too long is told to come back, and the work goes on.
 */
export function shareIngests({
  patienceMs = usualPatienceMs,
  ...parts
}: Omit<IngestParts, 'share'> & { patienceMs?: number | undefined }): Ingest {
  const limit = new ConcurrencyLimit({
    most: mostIngests,
    refusal: `${mostIngests} pull requests are being fetched for you already. Wait until one of them is there.`,
    retrySeconds: 2,
  });
  const share = onceAtATime();
  const ask = onceAtATime();
  return (address, number, viewer, { isOnQuota } = { isOnQuota: true }) => {
    const credential = viewer?.credential;
    const userId = viewer?.user.id ?? 'nobody';
    const asker = [userId, credential?.kind === 'hostToken' ? credential.tokenHash : 'session', isOnQuota];
    const key = [...asker, address.codeHost.id, address.owner, address.name, number].join('/').toLowerCase();
    const ingested = ask(key, () =>
      limit.run(userId, () =>
        ingestPullRequest(
          { ...parts, share, ...(!isOnQuota && { ingestBytesPerDay: 0 }) },
          address,
          number,
          viewer,
        ),
      ),
    );
    return inTime(ingested, patienceMs, () => {
      throw new Failure(
        'UNAVAILABLE',
        'This pull request is large and still being fetched. Ask again for it.',
        {
          headers: { 'retry-after': '10' },
        },
      );
    });
  };
}

/** Concurrent calls with the same key share one promise. */
function onceAtATime(): (key: string, work: () => Promise<Ingested>) => Promise<Ingested> {
  const running = new Map<string, Promise<Ingested>>();
  return (key, work) => {
    const known = running.get(key);
    if (known) return known;
    const result = work().finally(() => running.delete(key));
    running.set(key, result);
    return result;
  };
}
