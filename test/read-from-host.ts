import type { Caller, CodeHost, HostPullRequest } from '../src/code-hosts/code-host.ts';

/** A caller without a credential or timeout. */
export const nobody: Caller = { identity: null, token: null, signal: new AbortController().signal };

/** A pull request as a host shows it to every caller. */
export async function readFromHost(
  host: Pick<CodeHost, 'findPullRequest'>,
  { owner, name }: { owner: string; name: string },
  number: number,
): Promise<HostPullRequest | null> {
  const found = await host.findPullRequest(owner, name, number, nobody);
  return found?.pullRequest ? found.pullRequest.read() : null;
}
