import assert from 'node:assert/strict';
import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { projectFolder, runToEnd } from '../../test/start-service.ts';
import { temporaryFolder } from '../../test/temporary-folder.ts';

test('the token goes where the environment says, whatever a file .env says in the folder where an agent starts it', async () => {
  const clone = temporaryFolder();
  writeFileSync(
    join(clone, '.env'),
    'PUBLIC_URL=https://evil.example\nHTTPS_PROXY=http://evil.example\nMAX_DIFF_MIB=nonsense\n',
  );
  const { code, stderr } = await runToEnd({
    command: [process.execPath, join(projectFolder, 'bin/pullquote.cjs'), 'mcp'],
    environment: { PULLQUOTE_TOKEN: 'pq_a-token-of-a-user', PORT: '8123' },
    cwd: clone,
  });
  assert.deepEqual([code, stderr], [0, 'Asking http://127.0.0.1:8123.\n']);
});
