import { writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { git, gitInTurn, makeClone } from './make-clone.ts';

const calls = (what: string): string[] => Array.from({ length: 20 }, (_, step) => `        ${what}(${step})`);

const rocket = (seconds: number, landing: string[]): string =>
  [
    'class Rocket:',
    '    def launch_all(self, crew):',
    ...calls('crew.step'),
    `        crew.wait(${seconds})`,
    ...calls('crew.after'),
    '    def land(self):',
    ...calls('self.slow'),
    ...landing,
    ...calls('self.touch'),
    '',
  ].join('\n');

interface ChangedMethods {
  gitFolder: string;
  base: string;
  head: string;
  /** The diff as a host prints it. */
  diff: string;
  /** The changed file, by COMMIT:PATH. */
  texts: Record<string, string>;
}

/** The expected names from whole files. */
export const outlinesOfMethods = [
  {
    fileName: 'rocket.py',
    ranges: (['new', 'old'] as const).flatMap((side) => {
      const endLine = side === 'new' ? 84 : 85;
      return [
        { name: 'Rocket', isFunction: false, side, startLine: 1, endLine },
        { name: 'Rocket.launch_all', isFunction: true, side, startLine: 2, endLine: 43 },
        { name: 'Rocket.land', isFunction: true, side, startLine: 44, endLine },
      ];
    }),
    names: (['new', 'old'] as const).map((side) => ({
      side,
      public: ['Rocket', 'Rocket.launch_all', 'Rocket.land'],
      hidden: [],
    })),
  },
];

/** A clone whose pull request 1, at the refs of every host, changes a line of one method and removes one from another. */
export function makeChangedMethods(root: string, fullName: string): ChangedMethods {
  const folder = makeClone(root, fullName, 'Begin');
  const commit = (text: string, subject: string): string => {
    writeFileSync(join(folder, 'rocket.py'), text);
    gitInTurn(folder, [
      ['add', '.'],
      ['commit', '--quiet', '--message', subject],
    ]);
    return git(folder, 'rev-parse', 'HEAD').trim();
  };
  const [before, after] = [rocket(1, ['        self.brake()']), rocket(99, [])];
  const base = commit(before, 'feat: launch');
  const head = commit(after, 'fix: wait longer (#1)');
  gitInTurn(folder, [
    ['update-ref', 'refs/pull/1/head', head],
    ['update-ref', 'refs/merge-requests/1/head', head],
  ]);
  return {
    gitFolder: join(folder, '.git'),
    base,
    head,
    diff: git(folder, 'diff', base, head),
    texts: { [`${base}:rocket.py`]: before, [`${head}:rocket.py`]: after },
  };
}
