import assert from 'node:assert/strict';
import { test } from 'node:test';
import { settings } from '../config.ts';
import type { Setting } from './setting-parsers.ts';
import { findUnknownSettings } from './setting-parsers.ts';

const known = ['GIT_REPOS', 'PORT', 'DATABASE_URL', 'LOG_LEVEL'];

test('an environment variable that is almost a setting is reported with the setting it resembles', () => {
  const environment = ['GIT_REPO', 'DATABSE_URL', 'LOGLEVEL', 'git_repos', 'DATABASE_U', 'PORTS', 'HOME'];
  assert.deepEqual(findUnknownSettings(known, { file: [], environment }), [
    { name: 'GIT_REPO', meant: 'GIT_REPOS' },
    { name: 'DATABSE_URL', meant: 'DATABASE_URL' },
    { name: 'LOGLEVEL', meant: 'LOG_LEVEL' },
    { name: 'git_repos', meant: 'GIT_REPOS' },
    { name: 'DATABASE_U', meant: 'DATABASE_URL' },
  ]);
});

const all = Object.values<Setting<unknown>>(settings).flatMap(({ name, alias }) =>
  alias ? [name, alias] : [name],
);

test('a misspelled setting of GitHub, GitLab or Gitea is reported with the setting of that host', () => {
  const environment = ['GITHUB', 'GITLAB', 'GITEA'].map((host) => `${host}_WEBHOK_SECRET`);
  const told = findUnknownSettings(all, { file: [], environment });
  assert.deepEqual(
    told.map(({ meant }) => meant),
    ['GITHUB_WEBHOOK_SECRETS', 'GITLAB_WEBHOOK_SECRETS', 'GITEA_WEBHOOK_SECRETS'],
  );
});

test('variables of systems, shells, CI runners and other programs are not reported as misspelled settings', () => {
  const environment =
    `PATH HOME USER LOGNAME SHELL TERM LANG LC_ALL PWD OLDPWD SHLVL TMPDIR TZ HOST HOSTNAME HOSTTYPE DISPLAY EDITOR PAGER
    MAIL DATABASE LOG LIST WATCH CACHE RATE SECRET WRITE CODE TRUST PUBLIC LISTEN_FDS LISTEN_PID NOTIFY_SOCKET INVOCATION_ID
    ALL_PROXY FTP_PROXY RSYNC_PROXY http_proxy no_proxy NODE NODE_ENV NODE_PATH NODE_OPTIONS NODE_NO_WARNINGS npm_config_cache
    npm_lifecycle_event INIT_CWD CI GITHUB_ACTIONS GITHUB_ENV GITHUB_SHA GITHUB_REF GITHUB_API_URL GITHUB_SERVER_URL
    GITLAB_CI GITLAB_USER_ID GITLAB_FEATURES GITEA_ACTIONS GITEA_VERSION XAI_API_KEY GOOGLE_API_KEY MISTRAL_API_KEY GIT_EDITOR GIT_DIR GIT_SSH GIT_PAGER GIT_SSL_CAINFO
    SSH_AUTH_SOCK SSH_CONNECTION XDG_RUNTIME_DIR XDG_CACHE_HOME DBUS_SESSION_BUS_ADDRESS COLORTERM SSL_CERT_FILE DEBUG
    KUBERNETES_PORT KUBERNETES_SERVICE_HOST PGHOST PGDATABASE POSTGRES_PASSWORD REDIS_URL SYSTEMROOT APPDATA`.split(
      /\s+/,
    );
  assert.deepEqual(findUnknownSettings(all, { file: [], environment }), []);
});

test('in a settings file, every unknown name is reported', () => {
  const file = ['PORT', 'COLOUR', 'GIT_REPO', 'LOGLEVEL'];
  assert.deepEqual(findUnknownSettings(known, { file, environment: ['COLOUR', 'COLOR'] }), [
    { name: 'COLOUR', meant: null },
    { name: 'GIT_REPO', meant: 'GIT_REPOS' },
    { name: 'LOGLEVEL', meant: 'LOG_LEVEL' },
  ]);
});
