import { findOrMakeOperator } from '../../db/users.ts';
import type { RepositoryAddress } from '../repositories/find-on-host.ts';
import { openRepository, readRelease, type ToldRelease } from './read-release.ts';

/** What changed between two versions, for the operator, who sees every clone and of other hosts what is public. */
export async function releaseForOperator(
  parts: Parameters<typeof openRepository>[0] & Parameters<typeof readRelease>[0],
  address: RepositoryAddress,
  wanted: Parameters<typeof readRelease>[3],
  signal: AbortSignal,
): Promise<ToldRelease> {
  const operator = await parts.database.transaction((tx) => findOrMakeOperator(tx, parts.clock()));
  const viewer = { ...operator, credential: { kind: 'saved' } } as const;
  return readRelease(parts, address, await openRepository(parts, address, { viewer, signal }), wanted);
}
