import type { CodeHost } from '../../code-hosts/code-host.ts';
import { repositorySegments } from '../../domain/repositories.ts';
import type { RepositoryAddress } from '../repositories/find-on-host.ts';

/** How an operation on a pull request is called, for messages that say what to do. The first host goes without its name. */
export function operationOn(
  codeHosts: Pick<CodeHost, 'id'>[],
  { codeHost, owner, name, number }: RepositoryAddress & { number: number },
  what: 'article' | 'ingest',
): string {
  const host = codeHost.id === codeHosts[0]?.id ? '' : `?host=${codeHost.id}`;
  return `POST /repos/${repositorySegments(owner, name)}/pulls/${number}/${what}${host}`;
}
