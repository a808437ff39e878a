import { chmodSync, mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** A folder that is deleted when the test or the test file ends. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-test-'));
  // Started by root, the local PostgreSQL runs as another user, who needs access to its files.
  chmodSync(folder, 0o711);
  // A killed service's PostgreSQL may still be writing its last files.
  after(() => rmSync(folder, { recursive: true, force: true, maxRetries: 10, retryDelay: 100 }));
  return folder;
}
