import { join } from 'node:path';
import { buildTestApp, type TestApp } from '../build-app.ts';
import { startGitea } from '../gitea/stand-in.ts';
import { standInCertificate, startGitHub } from '../github/stand-in.ts';
import { startGitLab } from '../gitlab/stand-in.ts';
import { makeClone } from '../make-clone.ts';
import { temporaryFolder } from '../temporary-folder.ts';
import { giteaColumn } from './hosts/gitea-column.ts';
import { githubColumn } from './hosts/github-column.ts';
import { gitlabColumn } from './hosts/gitlab-column.ts';
import type { HostColumn, Shelf } from './hosts/host-column.ts';
import type { MatrixApp } from './run-matrix.ts';

/** The hosts of a matrix: a single one, or all of them in one service, after clones. */
export const choices = ['github', 'gitlab', 'gitea', 'several'] as const;
export type Choice = (typeof choices)[number];

async function startColumns(choice: Choice): Promise<HostColumn[]> {
  if (choice === 'github') return [githubColumn(await startGitHub())];
  if (choice === 'gitlab') return [gitlabColumn(await startGitLab({ below: '/lab' }))];
  if (choice === 'gitea') return [giteaColumn(await startGitea({ folder: '/gitea' }))];
  return [
    githubColumn(await startGitHub()),
    // Names must be the same on all hosts, and only GitLab has nested groups.
    gitlabColumn(await startGitLab({ below: '/lab' }), { owner: 'acme' }),
    giteaColumn(await startGitea({ folder: '/gitea' })),
  ];
}

const clonesIn = (root: string): Shelf => ({
  id: 'git',
  add: ({ owner, name, words }) => void makeClone(root, join(owner, name), `feat: tell of ${words} (#1)`),
});

/** A service that reads from stand-ins, with the settings for a second process. */
export async function buildMatrixApp(
  choice: Choice,
  database: Record<string, string>,
): Promise<MatrixApp & { environment: Record<string, string> }> {
  const columns = await startColumns(choice);
  const root = choice === 'several' ? temporaryFolder() : null;
  const environment = {
    CODE_HOST: [...(root === null ? [] : ['git']), ...columns.map(({ id }) => id)].join(),
    NODE_EXTRA_CA_CERTS: standInCertificate,
    PUBLIC_URL: 'https://pullquote.example',
    ...(root !== null && { GIT_REPOS: root }),
    ...Object.assign({}, ...columns.map((column) => column.environment)),
  };
  const app = await buildTestApp({ frozen: true, database, environment });
  return { app, columns, clones: root === null ? null : clonesIn(root), environment };
}

/** Another process on the same database and clock. */
export async function buildBeside(
  app: TestApp,
  settings: { database: Record<string, string>; environment: Record<string, string> },
): Promise<TestApp> {
  const beside = await buildTestApp({ frozen: true, ...settings });
  const { advance } = app;
  app.advance = (ms) => {
    advance(ms);
    beside.advance(ms);
  };
  return beside;
}
