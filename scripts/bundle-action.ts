import { mkdirSync, rmSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { build } from 'esbuild';

// Makes dist/ for action.yml and comment/action.yml: npm run action:bundle [-- FOLDER], into dist/ of this checkout or of a folder. What
// it makes runs with nothing but package.json and prompts/ beside dist/, as on the tags that the release makes.

const root = fileURLToPath(new URL('..', import.meta.url));

async function bundleAction(target: string): Promise<void> {
  const folder = join(target, 'dist');
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  await build({
    absWorkingDir: root,
    entryPoints: [
      'src/github-action/explain-pull-request.ts',
      'src/github-action/comment-on-pull-request.ts',
      // Started by its file, as a process of its own.
      'src/code-hosts/git-runner/spawn-git-for-parent.ts',
    ],
    outdir: folder,
    entryNames: '[name]',
    bundle: true,
    minify: true,
    keepNames: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    legalComments: 'linked',
    // What was written for require still calls it.
    banner: {
      js: "import { createRequire as $require } from 'node:module'; const require = $require(import.meta.url);",
    },
  });
}

void bundleAction(resolve(process.argv[2] ?? root));
