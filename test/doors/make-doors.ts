import { mkdirSync, writeFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { git, makeClone } from '../make-clone.ts';

export const before = `import { Node } from './node';

/** Finds the handlers of a path. */
export class Router {
  private routes = {};
  private name = 'router';

  add(path: string, handler: Handler) {
    if (this.routes[path]) {
      throw new Error('This path is taken, and a path has one handler: ' + path);
    }
    this.routes[path] = handler;
  }

  match(path: string): Match {
    const found = this.routes[path];
    const first = found?.at(0);
    const second = found?.at(1);
    const third = found?.at(2);
    const rest = found?.slice(3);
    return found ? { found, params: {} } : { found: null, params: {} };
  }
}
`;
export const after = before
  .replace('routes = {}', 'routes = Object.create(null)')
  .replace('    const found = this.routes[path];', '    const found = this.routes[path] ?? this.routes["*"];')
  .replace('params: {} } : { found: null, params: {} }', 'params: Object.create(null) } : nothingFound');
export const fresh = `/** What is answered where no path fits. */
export const nothingFound = Object.freeze({
\tfound: null,
\tparams: Object.create(null),
});
`;
export const minified = `export default "${'a+b;'.repeat(25_000)}";\n`;

/** A clone with pull request 2, whose articles are written by hand. */
export function makeDoors(root: string, fullName = 'acme/doors'): void {
  const clone = makeClone(root, fullName);
  const commit = (message: string, files: Record<string, string>) => {
    for (const [name, text] of Object.entries(files)) {
      mkdirSync(dirname(join(clone, name)), { recursive: true });
      writeFileSync(join(clone, name), text);
    }
    git(clone, 'add', '--all');
    git(clone, 'commit', '--quiet', '--message', message);
  };
  commit('Routes', {
    'src/router.ts': before,
    'src/trie/node.ts': 'const children = {};\n',
    'docs/paths.md': '# Paths\n',
  });
  commit('fix: reserved words in paths (#2)', {
    'src/router.ts': after,
    'src/nothing-found.ts': fresh,
    'src/trie/node.ts': 'const children = Object.create(null);\n',
    'test/router.test.ts': "test('reserved words are paths like any other', () => {});\n",
    'docs/paths.md': '# Paths\n\n## Reserved words\n\nA path may be called `constructor`.\n',
    'dist/router.js': minified,
    'CHANGELOG.md': '- Breaking: `Match.params` has no prototype.\n',
  });
}
