import { linkedIssues } from '../../reading/description/linked-issues.ts';
import { type HostPullRequest, type HostRepository, MovedMeanwhile } from '../code-host.ts';
import { type HostCaller, type HostWords, partHidden } from './host-api.ts';

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

/** The issues that texts say they close, where the host does not tell of them itself. */
export function issuesInTexts(
  { owner, name }: HostRepository,
  { title, body }: { title: string; body?: string | null },
  commits: HostPullRequest['commits'],
): HostPullRequest['linkedIssues'] {
  const commitMessages = commits.map(({ message }) => message);
  const numbers = linkedIssues({ repository: `${owner}/${name}`, title, body: body ?? null, commitMessages });
  return numbers.map((number) => ({ number, title: '', body: null }));
}
