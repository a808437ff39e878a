import { ConcurrencyLimit } from '../domain/concurrency-limit.ts';
import type { RepositoryAddress } from './find-on-host.ts';
import type { SignedUpViewer } from './identify-bearer.ts';
import { type IngestParts, ingestPullRequest } from './ingest-pull-request.ts';

/** More than a person clicks at a time, and few enough that those of one do not hold up everybody else's. */
const mostIngests = 8;

/** Counts what everybody has fetched from hosts at the same time, by whichever way they asked for it. */
export const createIngestLimit = (): ConcurrencyLimit =>
  new ConcurrencyLimit({
    most: mostIngests,
    refusal: `${mostIngests} pull requests are being fetched for you already. Wait until one of them is there.`,
    retrySeconds: 2,
  });

interface Parts extends IngestParts {
  ingestLimit: ConcurrencyLimit;
}

type Ingested = ReturnType<typeof ingestPullRequest>;

/**
 * Ingests pull requests, each once at a time: whoever wants one that is on its way gets the same. Only for callers
 * who were shown the repository by its host, because the rights that are used are those of whoever came first.
 */
export function shareIngests(parts: Parts) {
  const running = new Map<string, Ingested>();
  return (address: RepositoryAddress, number: number, viewer: SignedUpViewer): Ingested => {
    const key = [address.codeHost.id, address.owner, address.name, number].join('/').toLowerCase();
    const known = running.get(key);
    if (known) return known;
    const ingested = parts.ingestLimit
      .run(viewer.user.id, () => ingestPullRequest(parts, address, number, viewer))
      .finally(() => running.delete(key));
    running.set(key, ingested);
    return ingested;
  };
}
