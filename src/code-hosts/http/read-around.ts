import { MovedMeanwhile } from '../code-host.ts';
import type { HostCaller, HostWords } from './host-api.ts';
import { partHidden } from './host-failures.ts';

interface Asking {
  api: HostWords;
  caller: HostCaller;
  /** Throws where what it is about has changed or is gone. */
  requireSame: () => Promise<void>;
}

/** What there is to read about a pull request. When one of the questions fails, the rest is not waited for. */
export async function readAround<Read>(
  { api, caller, requireSame }: Asking,
  read: (asker: HostCaller) => Promise<Read>,
): Promise<Read> {
  const failed = new AbortController();
  try {
    return await read({ ...caller, signal: AbortSignal.any([caller.signal, failed.signal]) });
  } catch (error) {
    failed.abort();
    if (!(error instanceof MovedMeanwhile)) throw error;
    // What is still the same and not there will not be there the next time either.
    await requireSame();
    throw partHidden(api, caller.isService);
  }
}
