import type { Caller } from '../code-host.ts';
import type { HostCaller } from './host-api.ts';
import { ClosedToService } from './host-failures.ts';

/** With whose rights a host is asked: with the caller's own, or as the service, which is for what is public alone. */
export const callAs =
  (serviceToken: string | null) =>
  ({ token, replaceToken, leavesSpare, signal }: Caller): HostCaller =>
    token === null
      ? { isService: true, token: serviceToken, signal, ...(leavesSpare && { leavesSpare }) }
      : { isService: false, token, signal, ...(replaceToken && { replaceToken }) };

/** Asks as those without an account do, whoever wants to know. */
export const asNobody = ({ signal }: Pick<HostCaller, 'signal'>): HostCaller => ({
  isService: true,
  token: null,
  signal,
});

/** What is closed to the service might be private, which is to look as if it did not exist. */
export async function unlessClosed<Found>(asked: Promise<Found | null>): Promise<Found | null> {
  try {
    return await asked;
  } catch (error) {
    if (error instanceof ClosedToService) return null;
    throw error;
  }
}
