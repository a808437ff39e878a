import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** A folder that is gone when the test, or the file of tests, has ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-test-'));
  // The local PostgreSQL of a service that root starts runs as another user, who has to get to its files.
  chmodSync(folder, 0o711);
  // It may still be writing its last files, where the service was killed.
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return folder;
}
