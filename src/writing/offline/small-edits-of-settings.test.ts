import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { toldOf, write } from '../../../test/write-offline.ts';

const told = (path: string, body: string, start = 20): string =>
  toldOf(write([diffOf(path, body, { start })]).en, path);

test('entries are shown whose keys are paths', () => {
  const entries = ['jwa', 'jws', 'jwt', 'types', 'utf8'].map(
    (name) => `+    "./jwt/${name}": "./src/jwt/${name}.ts",`,
  );
  assert.equal(
    told(
      'jsr.json',
      `\n     "./http": "./src/http.ts",\n${entries.join('\n')}\n     "./mime": "./src/mime.ts",\n`,
    ),
    'Adds `"./jwt/jwa": "./src/jwt/jwa.ts",` and `"./jwt/jws": "./src/jwt/jws.ts",`, among other lines.',
  );
});

test('a key that stands under another one now has come and gone with that', () => {
  const servers = `
 {
-  "default": {
-    "port": 8000
-  }
+  "http": {
+    "host": "0.0.0.0",
+    "port": 8080
+  }
 }
`;
  assert.equal(
    told('Config/servers.json', servers, 1),
    'Removes the configuration key `default`. Adds the configuration key `http`.',
  );
});

test('a short block is shown without the comments in it', () => {
  const filters = `
     - title: Others
       order: 999
-
-  filters:
-    # Commit messages that match one of these will be removed from
-    # the changelog
-    exclude:
-      - "^docs"
-      - "CICD"
-      - typo
`;
  assert.equal(
    told('.goreleaser.yaml', filters),
    'Removes `filters:`, `exclude:`, `- "^docs"`, `- "CICD"` and `- typo`.',
  );
});
