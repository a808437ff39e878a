/**
 * The tests with exhaustive tables, and the source that each protects. `npm test` runs one row of each kind; `npm run
 * test:full -- --changed` runs all rows of those whose source differs from origin/main.
 */
const visibility = [
  'src/db',
  'src/http',
  'src/actions',
  'src/mcp',
  'src/feeds',
  'src/code-hosts/http',
  'test/leak-matrix',
];
const models = ['src/writing/ai', 'src/actions/articles', 'prompts', 'test/model'];

const pages = ['src/pages', 'src/http/pages', 'web', 'test/browser'];

export const tableSources: Record<string, string[]> = {
  'src/cli/explain/explain.test.ts': ['src/cli/explain', 'src/code-hosts'],
  'src/cli/trial.test.ts': ['src/actions/models', 'src/writing', 'prompts', 'test/model'],
  'src/code-hosts/failing-hosts.test.ts': ['src/code-hosts', 'src/egress', 'test/failing-hosts'],
  'src/code-hosts/git/moving-clones.test.ts': ['src/code-hosts/git', 'src/code-hosts/git-runner'],
  'src/code-hosts/github/github-large.test.ts': ['src/code-hosts/github', 'src/code-hosts/fetched'],
  'src/code-hosts/github/github-leaks.test.ts': [...visibility, 'src/code-hosts/github'],
  'src/code-hosts/gitea/gitea-service.test.ts': [...visibility, 'src/code-hosts/gitea'],
  'src/code-hosts/gitlab/gitlab-host.test.ts': [...visibility, 'src/code-hosts/gitlab'],
  'src/github-action/action.test.ts': ['src/github-action', 'src/cli/explain', 'action.yml', 'comment'],
  'src/http/repositories.test.ts': [...visibility, 'src/code-hosts/git'],
  'src/http/cancelled-questions.test.ts': [...models, 'src/jobs'],
  'src/http/leak-matrix.test.ts': [...visibility, 'src/pages', 'src/code-hosts/github'],
  'src/http/leaks.test.ts': visibility,
  'src/http/lists-after-failures.test.ts': ['src/actions/repositories', 'src/db', 'src/code-hosts/http'],
  'src/http/outcomes-of-models.test.ts': models,
  'src/http/outcomes-of-parts.test.ts': models,
  'src/http/pages/reading.test.ts': ['src/pages', 'src/http/pages'],
  'src/http/pull-requests.test.ts': ['src/code-hosts/git'],
  'src/http/revoked-rights.test.ts': [...visibility, 'src/code-hosts/github'],
  'src/http/same-diff.test.ts': ['src/db', 'src/actions/pull-requests'],
  'src/http/unreadable.test.ts': ['src/threads', 'src/actions', 'src/db', 'src/reading'],
  'src/threads/thread-pool.test.ts': ['src/threads', 'src/reading', 'src/writing/rules'],
  'test/browser/add-repository.test.ts': pages,
  'test/browser/article.test.ts': pages,
  'test/browser/digest.test.ts': pages,
  'test/browser/doing.test.ts': pages,
  'test/browser/following.test.ts': pages,
  'test/browser/live.test.ts': pages,
  'test/browser/pages.test.ts': pages,
  'test/browser/questions.test.ts': pages,
  'test/browser/reading.test.ts': pages,
  'test/browser/sign-in-links.test.ts': pages,
  'test/browser/writing.test.ts': pages,
  'test/e2e/compose.test.ts': ['compose.yaml', 'ops', 'src/cli'],
  'test/e2e/durability.test.ts': ['src/db', 'src/cli'],
  'test/e2e/image.test.ts': ['Dockerfile', 'ops', 'scripts', 'bin', 'package.json', 'src/settings'],
  'test/e2e/remove.test.ts': ['src/cli/remove.ts', 'src/db', 'src/actions', 'src/http'],
};
