import { rmSync, writeFileSync } from 'node:fs';
import { mkdtemp } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { startService } from '../../test/start-service.ts';
import { everyOperation, printClientTypes } from './print-client-types.ts';

// Generates the client's types: npm run client:types. Starts a service for this.

async function writeClientTypes(): Promise<void> {
  const folder = await mkdtemp(join(tmpdir(), 'pullquote-client-types-'));
  const service = await startService({
    environment: { PULLQUOTE_DATA: join(folder, 'data'), ...everyOperation },
  });
  try {
    const document = await (await fetch(new URL('/openapi.json', service.url))).text();
    writeFileSync(
      new URL('../../src/client/api-types.ts', import.meta.url),
      await printClientTypes(document),
    );
  } finally {
    await service.stop();
    rmSync(folder, { recursive: true, force: true });
  }
}

void writeClientTypes();
