import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { after } from 'node:test';

/** A folder that is gone when the test, or the file of tests, has ended. */
export function temporaryFolder(): string {
  const folder = mkdtempSync(join(tmpdir(), 'pullquote-test-'));
  after(() => rmSync(folder, { recursive: true, force: true }));
  return folder;
}
