import type { Caller, CodeHost, HostRepository } from '../../code-hosts/code-host.ts';
import { Failure } from '../../domain/errors.ts';
import { inTime } from '../../domain/in-time.ts';

const mostTags = 50;

/** A page is worth showing without suggestions. */
const patienceMs = 2_000;

/** Tags to choose from; none while the host is away. */
export async function suggestTags(
  codeHost: CodeHost,
  repository: HostRepository,
  caller: Caller,
): Promise<string[]> {
  const listed = codeHost.listTags(repository, mostTags, caller).catch((error: unknown) => {
    if (error instanceof Failure) return [];
    throw error;
  });
  return inTime(listed, patienceMs, () => []);
}
