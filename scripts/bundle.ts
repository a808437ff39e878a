import { existsSync, globSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { join, resolve } from 'node:path';
import { fileURLToPath } from 'node:url';
import { type BuildOptions, build } from 'esbuild';

const usage = `Usage: node scripts/bundle.ts service|action [FOLDER]

Bundles into FOLDER/dist, or dist of this checkout, what the package and the image run (service), which read a few files at a start
instead of more than a thousand; or what action.yml and comment/action.yml run (action), which has no packages beside it.`;

const root = fileURLToPath(new URL('..', import.meta.url));

// This file runs as its own process, so it gets its own bundle.
const gitSpawner = 'src/code-hosts/git-runner/spawn-git-for-parent.ts';

const bundles: Record<string, BuildOptions> = {
  service: {
    entryPoints: ['src/main.ts', 'src/threads/in-thread.ts', gitSpawner],
    splitting: true,
    minifyWhitespace: true,
    minifySyntax: true,
    // These packages load files from their own folder, or are loaded by name.
    external: ['@fastify/static', '@fastify/swagger-ui', 'highlight.js', 'pino', 'pino-pretty'],
    plugins: [
      {
        name: 'leave what is loaded late to Node, which alone gives all names of a CommonJS package',
        setup: ({ onResolve }) =>
          onResolve({ filter: /^[a-z@]/ }, ({ kind, path }) =>
            kind === 'dynamic-import' ? { path, external: true } : undefined,
          ),
      },
    ],
  },
  action: {
    entryPoints: [
      'src/github-action/explain-pull-request.ts',
      'src/github-action/comment-on-pull-request.ts',
      gitSpawner,
    ],
    minify: true,
    keepNames: true,
  },
};

/** The licenses of all bundled packages, most of which require their text in every copy. */
function licencesOf(inputs: string[]): string {
  const folders = inputs
    .flatMap((file) =>
      Array.from(
        file.matchAll(/node_modules\/(?:@[^/]+\/)?[^/]+/g),
        ({ index, 0: name }) => file.slice(0, index) + name,
      ),
    )
    .filter((folder) => existsSync(join(root, folder, 'package.json')));
  const texts = [...new Set(folders)].sort().map((folder) => {
    const { name, version, license } = JSON.parse(readFileSync(join(root, folder, 'package.json'), 'utf8'));
    const [file] = globSync('{LICEN[CS]E,licen[cs]e,COPYING}*', { cwd: join(root, folder) });
    const text = file ? readFileSync(join(root, folder, file), 'utf8').trim() : '';
    return `${name} ${version} (${license})\n\n${text}\n`;
  });
  return texts.join(`\n${'-'.repeat(80)}\n\n`);
}

async function bundle(name: string, folder: string): Promise<void> {
  const options = bundles[name];
  if (!options) throw new Error(usage);
  const outdir = join(resolve(folder), 'dist');
  if (existsSync(outdir)) rmSync(outdir, { recursive: true });
  const { metafile } = await build({
    ...options,
    absWorkingDir: root,
    outdir,
    entryNames: '[name]',
    bundle: true,
    format: 'esm',
    platform: 'node',
    target: 'node24',
    legalComments: 'none',
    metafile: true,
    // CommonJS packages in the bundle still call require.
    banner: {
      js: "import { createRequire as $require } from 'node:module'; const require = $require(import.meta.url);",
    },
  });
  writeFileSync(join(outdir, 'LICENSES.txt'), licencesOf(Object.keys(metafile?.inputs ?? {})));
}

bundle(process.argv[2] ?? '', process.argv[3] ?? root).catch((error: Error) => {
  console.error(error.message);
  process.exitCode = 1;
});
