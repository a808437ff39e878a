import type { HostApp } from '../../code-hosts/code-host.ts';
import { inTime } from '../../domain/in-time.ts';

const patienceMs = 2_000;

/** Has the host forget a token that is forgotten here, within two seconds or not at all. */
export async function revokeQuietly(app: HostApp, accessToken: string): Promise<void> {
  const signal = AbortSignal.timeout(patienceMs);
  await inTime(
    app.revoke(accessToken, signal).catch(() => {}),
    patienceMs,
    () => {},
  );
}
