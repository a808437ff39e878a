import type { RepositoryAddress } from './find-on-host.ts';
import type { SignedUpViewer } from './identify-bearer.ts';
import { type IngestParts, ingestPullRequest } from './ingest-pull-request.ts';

type Ingested = ReturnType<typeof ingestPullRequest>;

/**
 * Ingests pull requests, each once at a time: whoever wants one that is on its way gets the same. Only for callers
 * who were shown the repository by its host, because the rights that are used are those of whoever came first.
 */
export function shareIngests(parts: IngestParts) {
  const running = new Map<string, Ingested>();
  return (address: RepositoryAddress, number: number, viewer: SignedUpViewer): Ingested => {
    const key = [address.codeHost.id, address.owner, address.name, number].join('/').toLowerCase();
    const known = running.get(key);
    if (known) return known;
    const ingested = ingestPullRequest(parts, address, number, viewer).finally(() => running.delete(key));
    running.set(key, ingested);
    return ingested;
  };
}
