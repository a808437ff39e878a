import assert from 'node:assert/strict';
import { chmodSync, mkdirSync, readdirSync, statSync, symlinkSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { test } from 'node:test';
import { standInCertificate, startGitHub } from '../../../test/github/stand-in.ts';
import { startGitLab } from '../../../test/gitlab/stand-in.ts';
import { git, makeClone } from '../../../test/make-clone.ts';
import { temporaryFolder } from '../../../test/temporary-folder.ts';
import { examineClones, openGitHost } from '../../code-hosts/git/open-git-host.ts';
import { examineGitHub, judgeGitHub } from '../../code-hosts/github/github-host.ts';
import { examineGitLab, judgeGitLab } from '../../code-hosts/gitlab/gitlab-host.ts';
import { unreachableHost } from '../../code-hosts/host-definition.ts';
import { parseConfig } from '../../config.ts';
import type { DatabaseLook } from '../../db/figures.ts';
import { openLocalServer } from '../../db/local-server/local-server.ts';
import { newestSchema } from '../../db/migrate.ts';
import type { Finding } from '../../domain/errors.ts';
import { parseSecretKeys } from '../../domain/secrets.ts';
import { createEgressClient } from '../../egress/egress-client.ts';
import { examineDisk, judgeClocks, judgeGit, judgeRoom, judgeSettings, judgeUnknown } from './doctor.ts';
import { judgePublicUrl, judgeWebhooks } from './examine-connections.ts';
import {
  examineDatabase,
  examineKeys,
  judgeDatabase,
  judgeKeys,
  judgeQueue,
  judgeSealed,
} from './examine-database.ts';

const lineOf = ({ state, sentence, remedy }: Finding): string =>
  [`${state}: ${sentence}`, ...(remedy === null ? [] : [remedy])].join(' → ');

const mebibyte = 1024 * 1024;
const known = newestSchema();
const look: DatabaseLook = {
  major: 17,
  schema: known,
  bytes: 3 * mebibyte,
  now: new Date(),
  isReadOnly: false,
  connectionsFromElsewhere: 0,
};
const gitlab = { web: 'https://gitlab.com', hasToken: true };
const github = { web: 'https://github.com', hasToken: true, now: new Date('2026-03-01') };
const left = { limit: 5000, remaining: 4000, resetAt: new Date('2026-03-01T01:00:00Z') };
const hooks = parseConfig({
  CODE_HOST: 'github',
  GITHUB_WEBHOOK_SECRETS: 'a-secret-of-github-is-long-enough',
  PUBLIC_URL: 'https://pq.example.org',
});
const key = { version: 2, secret: Buffer.alloc(32) };

const ghe = { id: 'github', web: 'https://ghe.example', urlSetting: 'GITHUB_URL' };

/** Each finding, with a pattern of the line that reports it. */
const ailments: [found: Finding | Finding[], line: RegExp][] = [
  [judgeSettings(['PORT must be a number.']), /^failure: PORT must be a number\. → Correct/],
  [
    judgeUnknown([{ name: 'AI_MODLE', meant: 'AI_MODEL' }]),
    /^warning: AI_MODLE is not a setting\. → Did you mean AI_MODEL\?/,
  ],
  [
    judgeUnknown([{ name: 'COLOR', meant: null }]),
    /^warning: COLOR is not a setting\. → Remove it from \.env/,
  ],
  [judgeRoom('/d', 5000 * mebibyte), /^ok: The disk of the data folder \/d has 5000 MiB of free space\.$/],
  [
    judgeRoom('/d', 900 * mebibyte),
    /^warning: .* 900 MiB of free space\. The service may soon run out of it\. → Free some space/,
  ],
  [
    judgeRoom('/d', 200 * mebibyte),
    /^warning: .* not enough to fetch large pull requests from GitHub\. → Free/,
  ],
  [judgeDatabase(look), /^ok: PostgreSQL 17 is reachable, has schema \d+ and takes 3 MiB\.$/],
  [judgeDatabase({ ...look, major: 14 }), /^failure: DATABASE_URL points to PostgreSQL 14; .* → Upgrade it/],
  [
    judgeDatabase({ ...look, schema: known + 1 }),
    /^failure: The database is newer .* → Start the newer version/,
  ],
  [
    judgeDatabase({ ...look, schema: 41 }),
    /^failure: The database is from before the first release .* → Start with a new database/,
  ],
  [judgeDatabase({ ...look, schema: 0 }), /^ok: PostgreSQL 17 is reachable and empty/],
  [
    judgeDatabase({ ...look, isReadOnly: true }),
    /^failure: PostgreSQL 17 is read-only.* → Set DATABASE_URL to the primary/,
  ],
  [judgeKeys({ kept: null, isShared: true, elsewhere: 3 }), /^ok: SECRET_KEYS is set\.$/],
  [
    judgeKeys({ kept: '/d/secret-keys', isShared: false, elsewhere: 0 }),
    /^ok: The key is in \/d\/secret-keys\.$/,
  ],
  [
    judgeKeys({ kept: '/d/secret-keys', isShared: true, elsewhere: 0 }),
    /^warning: .* → Set SECRET_KEYS .* every process/,
  ],
  [
    judgeKeys({ kept: '/d/secret-keys', isShared: true, elsewhere: 2 }),
    /^failure: SECRET_KEYS is not set, .* other machines .* → Set SECRET_KEYS .* every process/,
  ],
  [
    judgeSealed(
      [key],
      [
        { version: 1, tokens: 4 },
        { version: 2, tokens: 9 },
      ],
    ),
    /^warning: 4 saved tokens are encrypted with key 1, which is missing\. → Add key 1/,
  ],
  [
    judgePublicUrl('https://a.example', { kind: 'other' }, true),
    /^failure: .* is not Pullquote\. → Configure the proxy/,
  ],
  [
    judgePublicUrl('https://a.example', { kind: 'unwell', message: '', problems: [] }, true),
    /^failure: .* is not healthy\. → Read the log/,
  ],
  [
    judgePublicUrl('https://a.example', { kind: 'none', reason: 'ENOTFOUND' }, true),
    /^warning: .* \(ENOTFOUND\), although the service is running\. → Check its DNS entry/,
  ],
  [
    judgePublicUrl('https://a.example', { kind: 'none', reason: 'ECONNREFUSED' }, false),
    /^warning: .* the service is not running\. → Start it/,
  ],
  [judgeGit(['git'], 'git version 2.30.1'), /^ok: git 2\.30 is installed\.$/],
  [judgeGit(['git'], null), /^failure: git was not found, so clones cannot be read\. → Install git/],
  [judgeGit(['github'], null), /^warning: git was not found, so large pull requests .* → Install git/],
  [
    judgeGit(['git', 'github'], 'git version 2.36.9'),
    /^warning: git 2\.36 is too old .* → Install git 2\.37/,
  ],
  [
    judgeGitHub(github, { status: 200, left, tokenEndsAt: null }),
    /^ok: .* accepts GITHUB_TOKEN: 4000 of 5000 calls left until 2026-03-01T01/,
  ],
  [
    judgeGitHub(github, { status: 401, left: null, tokenEndsAt: null }),
    /^failure: .* rejects GITHUB_TOKEN\. → Create another/,
  ],
  [
    judgeGitHub(github, { status: 404, isUnlimited: true, left: null, tokenEndsAt: null }),
    /^ok: .* has no rate limit\.$/,
  ],
  [
    judgeGitHub(github, { status: 404, left: null, tokenEndsAt: null }),
    /^failure: .* answered HTTP 404, which does not look like GitHub/,
  ],
  [
    judgeGitHub(github, { status: 502, left: null, tokenEndsAt: null }),
    /^failure: .* HTTP 502, which does not look like GitHub\. → Check GITHUB_URL/,
  ],
  [
    judgeGitHub(github, { status: 200, left: { ...left, remaining: 9 }, tokenEndsAt: null }),
    /^warning: .* nearly used up: 9 of 5000 .* → Wait/,
  ],
  [
    judgeGitHub({ ...github, hasToken: false }, { status: 200, left, tokenEndsAt: null }),
    /^warning: .* GITHUB_TOKEN is not set: .* → Set GITHUB_TOKEN/,
  ],
  [
    judgeGitHub(github, { status: 200, left, tokenEndsAt: new Date('2026-03-09') }).slice(1),
    /^warning: GITHUB_TOKEN expires at 2026-03-09.* → Create a new one/,
  ],
  [
    judgeGitLab(gitlab, { status: 200, response: { version: '17.4.1-ee' } }),
    /^ok: .* accepts GITLAB_TOKEN: GitLab 17\.4\.1-ee\.$/,
  ],
  [
    judgeGitLab(gitlab, { status: 200, response: { version: '15.11.0' } }),
    /^warning: .* older than 16\. → If something cannot be read, update GitLab/,
  ],
  [
    judgeGitLab(gitlab, { status: 401, response: {} }),
    /^failure: .* rejects GITLAB_TOKEN\. → Create another/,
  ],
  [
    judgeGitLab({ ...gitlab, hasToken: false }, { status: 401, response: {} }),
    /^warning: .* GITLAB_TOKEN is not set, .* → Set GITLAB_TOKEN/,
  ],
  [
    judgeGitLab(gitlab, { status: 200, response: null }),
    /^failure: .* does not look like GitLab\. → Check GITLAB_URL/,
  ],
  [unreachableHost(ghe, 'SELF_SIGNED_CERT_IN_CHAIN'), /^failure: .* → Set NODE_EXTRA_CA_CERTS/],
  [
    unreachableHost(ghe, 'ENOTFOUND'),
    /^failure: Cannot reach https:\/\/ghe\.example \(ENOTFOUND\)\. → Check the network, HTTPS_PROXY/,
  ],
  [
    judgeWebhooks({ ...hooks, githubWebhookSecrets: [] }, null),
    /^ok: No webhooks are configured: hosts are polled every 10 minutes\./,
  ],
  [
    judgeWebhooks({ ...hooks, codeHosts: ['git'] }, null),
    /^warning: .* does not read from GitHub\. → Add github to CODE_HOST\.$/,
  ],
  [
    judgeWebhooks({ ...hooks, publicUrl: undefined }, null),
    /^warning: .* PUBLIC_URL is not\. → Set PUBLIC_URL/,
  ],
  [
    judgeWebhooks(hooks, null),
    /^ok: Secrets are set\. The time of the last webhook is not available at the moment\.$/,
  ],
  [
    judgeWebhooks(hooks, { lastDelivery: new Date('2026-03-01') }),
    /^ok: The last webhook for .* arrived at 2026-03-01/,
  ],
  [
    judgeQueue({ waiting: 3, running: 1, oldestSeconds: 125 }),
    /^warning: 3 articles wait to be written, for up to 2 min, while 1 is being written\. → .*raise WRITERS\.$/,
  ],
  [judgeQueue({ waiting: 3, running: 1, oldestSeconds: 60 }), /^ok: No article has waited/],
  [
    judgeWebhooks(hooks, { lastDelivery: null }),
    /^ok: No webhook for a repository that this service knows has .* pings .* are not recorded\. .* https:\/\/pq\.example\.org\/webhooks\/github/,
  ],
  [
    judgeClocks({ 'the database': 900, GitHub: -1_200 }),
    /^ok: The clock agrees with the database and GitHub\.$/,
  ],
  [
    judgeClocks({ 'the database': 9_000, GitHub: null }),
    /^warning: .* 9 s behind the database\. → Synchronize both clocks with NTP/,
  ],
  [
    judgeClocks({ 'the database': null, GitHub: -90_000 }),
    /^failure: .* 90 s ahead of GitHub\. → Synchronize both clocks with NTP/,
  ],
];

test('each judgment of `pullquote doctor` gives one finding with its state, sentence and remedy', () => {
  for (const [found, line] of ailments) {
    const [first, ...more] = [found].flat();
    assert.ok(first && more.length === 0, `one finding for ${line}`);
    assert.match(lineOf(first), line);
  }
});

test('GIT_REPOS set to a clone or to a folder without owners is reported with the folder to use, also at start', async () => {
  const above = temporaryFolder();
  makeClone(above, 'acme/work');
  git(above, 'clone', '--quiet', '--mirror', 'acme/work', 'acme/mirror.git');
  const itself = (name: string) =>
    new RegExp(
      `is itself a clone\\. → Set it to the folder two levels above, GIT_REPOS=${above}: it is then shown as acme/${name},`,
    );
  for (const [folder, line] of [
    ['acme/work', itself('work')],
    ['acme/work/.git', itself('work')],
    ['acme/mirror.git', itself('mirror')],
    [
      'acme',
      new RegExp(
        `contains clones directly, such as mirror\\.git, .* → Set it to the folder one level above, GIT_REPOS=${above}: `,
      ),
    ],
  ] as const) {
    const lines = (await examineClones(join(above, folder))).map(lineOf);
    assert.equal(lines.length, 1, lines.join('\n'));
    assert.match(lines[0] ?? '', line);
  }
  const announced: string[] = [];
  const settings = {
    gitRepos: join(above, 'acme/mirror.git'),
    gitPrivate: [],
    gitWebUrl: undefined,
    dataFolder: temporaryFolder(),
  };
  const secretKeys = parseSecretKeys(`1:${Buffer.alloc(32).toString('base64url')}`) ?? assert.fail('no keys');
  await openGitHost(settings, {
    searchPath: process.env.PATH ?? '',
    secretKeys,
    clock: () => new Date(),
    announce: (sentence) => announced.push(sentence),
  });
  assert.match(announced.join('\n'), /is itself a clone\. Set it to the folder two levels above/);
});

test('`examineClones` names each skipped clone with a reason and a remedy', async () => {
  const root = temporaryFolder();
  const whole = makeClone(root, 'acme/whole');
  git(root, 'clone', '--quiet', '--shared', whole, 'acme/borrowed');
  git(whole, 'worktree', 'add', '--quiet', '--detach', join(root, 'acme/worktree'));
  const linked = makeClone(root, 'acme/linked');
  symlinkSync(join(whole, '.git/refs/heads'), join(linked, '.git/refs/elsewhere'));
  makeClone(root, 'acme/.github');
  mkdirSync(join(root, 'acme/empty'));
  mkdirSync(join(root, 'acme/with blank'));
  git(root, 'clone', '--quiet', whole, 'lonely');
  writeFileSync(join(root, 'notes.txt'), '');
  const [count, ...passedOver] = (await examineClones(root)).map(lineOf);
  assert.equal(count, `ok: 2 clones in ${root}.`);
  const expected = [
    /acme\/borrowed is skipped: it borrows objects .*--shared.* → .*git repack -ad/,
    /acme\/empty is skipped: it is not a clone\. → /,
    /acme\/linked is skipped: its refs or objects contain symbolic links that point outside it.* → /,
    /acme\/with blank is skipped: its name .* → Rename it/,
    /acme\/worktree is skipped: its \.git is a file .* → /,
    /lonely is skipped: it is not in a folder for its owner\. → Move it/,
  ];
  assert.equal(passedOver.length, expected.length, passedOver.join('\n'));
  for (const [index, line] of expected.entries()) assert.match(passedOver[index] ?? '', line);
});

test('a damaged local database or key file is reported with a remedy', async () => {
  const dataFolder = temporaryFolder();
  const config = parseConfig({ PULLQUOTE_DATA: dataFolder });
  const { stop } = await openLocalServer({ dataFolder, command: 'test', announce: () => {} });
  await stop();
  writeFileSync(join(dataFolder, 'postgres/data/global/pg_control'), 'garbage');
  writeFileSync(join(dataFolder, 'secret-keys'), 'garbage');
  const { findings, look, stored } = await examineDatabase(config);
  assert.match(
    findings.map(lineOf).join(),
    /^failure: The local PostgreSQL cannot run: .*pg_control.* → Fix that, or set DATABASE_URL/,
  );
  const keys = examineKeys(config, { look, stored });
  assert.match(keys.map(lineOf).join(), /^failure: .*secret-keys is damaged: .* → Restore it from a backup/);
});

test('a data folder that was never used is examined without being changed', async () => {
  const dataFolder = temporaryFolder();
  chmodSync(dataFolder, 0o750);
  const config = parseConfig({ PULLQUOTE_DATA: dataFolder });
  assert.match(lineOf(examineDisk(config)), /MiB of free space/);
  const { findings } = await examineDatabase(config);
  assert.match(
    findings.map(lineOf).join(),
    /^ok: There is no local database yet\. The first start creates it\.$/,
  );
  assert.equal(statSync(dataFolder).mode & 0o777, 0o750);
  assert.deepEqual(readdirSync(dataFolder), []);
  const file = join(dataFolder, 'file');
  writeFileSync(file, '');
  assert.match(
    lineOf(examineDisk({ ...config, dataFolder: file })),
    /^failure: .*\(ENOTDIR: a file is in its place/,
  );
});

test('`examineGitHub` sends GITHUB_TOKEN, measures the clock difference, and reports an untrusted certificate', async () => {
  const standIn = await startGitHub();
  const config = parseConfig({
    CODE_HOST: 'github',
    GITHUB_URL: standIn.url,
    GITHUB_TOKEN: 'ghp_ours',
    NODE_EXTRA_CA_CERTS: standInCertificate,
  });
  const headers: unknown[] = [];
  const late = new Date(Date.now() + 3_600_000);
  standIn.script(/^\/rate_limit$/, (response, _pass, request) => {
    headers.push(request.headers.authorization);
    const core = { limit: 5000, remaining: 4321, used: 1, reset: 1_800_000_000 };
    response.setHeader('date', late.toUTCString());
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ resources: { core } }));
  });
  const { findings, aheadMs } = await examineGitHub(config, (rules) => createEgressClient(config, rules));
  assert.deepEqual(headers, ['Bearer ghp_ours']);
  assert.match(findings.map(lineOf).join('\n'), /^ok: .* accepts GITHUB_TOKEN: 4321 of 5000 calls left/);
  assert.ok(aheadMs !== null && Math.abs(aheadMs - 3_600_000) < 60_000, String(aheadMs));
  const untrusted = await examineGitHub(config, (rules) => createEgressClient({}, rules));
  assert.match(lineOf(untrusted.findings[0] ?? assert.fail()), /^failure: .* → .*NODE_EXTRA_CA_CERTS/);
});

test('`examineGitLab` asks below GITLAB_URL with GITLAB_TOKEN, and reports missing scopes and an untrusted certificate', async () => {
  const standIn = await startGitLab({ below: '/lab' });
  const config = parseConfig({
    CODE_HOST: 'gitlab',
    GITLAB_URL: standIn.url,
    GITLAB_TOKEN: 'glpat-ours',
    NODE_EXTRA_CA_CERTS: standInCertificate,
  });
  standIn.script(/^\/version$/, (response) => {
    response.setHeader('content-type', 'application/json');
    response.end(JSON.stringify({ version: '18.1.0' }));
  });
  const { findings } = await examineGitLab(config, (rules) => createEgressClient(config, rules));
  assert.deepEqual([...standIn.tokensSeen], ['glpat-ours']);
  assert.match(
    findings.map(lineOf).join('\n'),
    /^ok: .*\/lab is reachable and accepts GITLAB_TOKEN: GitLab 18\.1\.0\.$/,
  );
  const told: [RegExp, number, object, RegExp][] = [
    [/self$/, 200, { scopes: ['read_api'] }, /^failure: .* lacks read_repository\. → Create another one/],
    [/self$/, 200, { scopes: ['api'] }, /^ok: /],
    [
      /version$/,
      403,
      { message: '403 Forbidden - You must accept.' },
      /^failure: .*: You must accept\. → Sign in/,
    ],
  ];
  for (const [path, status, answer, expected] of told) {
    const takeBack = standIn.script(path, (response) => {
      response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(answer));
    });
    const judged = await examineGitLab(config, (rules) => createEgressClient(config, rules));
    assert.match(judged.findings.map(lineOf).join('\n'), expected);
    takeBack();
  }
  const untrusted = await examineGitLab(config, (rules) => createEgressClient({}, rules));
  assert.match(untrusted.findings.map(lineOf).join('\n'), /^failure: .* → .*NODE_EXTRA_CA_CERTS/);
});
