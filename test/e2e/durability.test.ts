import assert from 'node:assert/strict';
import { test } from 'node:test';
import { mintLocalToken } from '../../src/code-hosts/git/local-token.ts';
import { loadSecretKeys } from '../../src/load-secret-keys.ts';
import { freshDatabase } from '../build-app.ts';
import { startService } from '../start-service.ts';

const kills = 4;
const writers = 4;

test(`killed ${kills} times while writing, no acknowledged signup is missing`, {
  skip: onPostgres && 'about the embedded database',
}, async () => {
  const environment: Record<string, string> = {
    ...(await freshDatabase()),
    RATE_LIMIT: '0',
    LOG_LEVEL: 'error',
  };
  const keys = loadSecretKeys({ dataFolder: environment.PULLQUOTE_DATA ?? '', secretKeys: undefined });
  const tokenFor = (name: string) =>
    mintLocalToken(keys, { name, expiresAt: new Date(Date.now() + 3_600_000), singleUse: false });
  const acknowledged: string[] = [];
  let next = 0;

  for (let round = 0; round < kills; round += 1) {
    const service = await startService({ environment });
    const enough = acknowledged.length + 15 + round;
    const write = async (): Promise<void> => {
      for (;;) {
        const token = tokenFor(`writer-${next++}`);
        const headers = { authorization: `Bearer ${token}` };
        try {
          const { status } = await fetch(`${service.url}/auth/signup`, { method: 'POST', headers });
          assert.equal(status, 201);
        } catch (error) {
          if (service.child.killed) return;
          throw error;
        }
        acknowledged.push(token);
        if (acknowledged.length === enough) service.child.kill('SIGKILL');
      }
    };
    await Promise.all(Array.from({ length: writers }, write));
  }

  const service = await startService({ environment });
  let missing = 0;
  for (const token of acknowledged) {
    const { status } = await fetch(`${service.url}/users/me`, {
      headers: { authorization: `Bearer ${token}` },
    });
    if (status !== 200) missing += 1;
  }
  await service.stop();
  console.log(`${acknowledged.length} acknowledged over ${kills} kills, ${missing} missing`);
  assert.equal(missing, 0);
});
