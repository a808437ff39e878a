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
  'src/code-hosts/code-host-failures.test.ts': ['src/code-hosts', 'src/egress', 'test/failing-hosts'],
  'src/code-hosts/git/git-host-changing-clones.test.ts': ['src/code-hosts/git', 'src/code-hosts/git-runner'],
  'src/code-hosts/github/github-host-large.test.ts': ['src/code-hosts/github', 'src/code-hosts/fetched'],
  'src/code-hosts/github/github-host-leaks.test.ts': [...visibility, 'src/code-hosts/github'],
  'src/code-hosts/gitea/gitea-host-articles.test.ts': [...visibility, 'src/code-hosts/gitea'],
  'src/code-hosts/gitlab/gitlab-host.test.ts': [...visibility, 'src/code-hosts/gitlab'],
  'src/github-action/action-step.test.ts': ['src/github-action', 'src/cli/explain', 'action.yml', 'comment'],
  'src/http/models-secrecy.test.ts': [
    'src/actions/models',
    'src/db',
    'src/http',
    'src/pages',
    'src/open-writing.ts',
  ],
  'src/http/models-trials.test.ts': ['src/actions/models', 'src/writing/ai', 'test/model'],
  'src/http/repositories.test.ts': [...visibility, 'src/code-hosts/git'],
  'src/http/articles-cancelled.test.ts': [...models, 'src/jobs'],
  'src/http/repositories-leak-matrix.test.ts': [...visibility, 'src/pages', 'src/code-hosts/github'],
  'src/http/repositories-leaks.test.ts': visibility,
  'src/http/repositories-listed-failures.test.ts': [
    'src/actions/repositories',
    'src/db',
    'src/code-hosts/http',
  ],
  'src/http/models-outcomes.test.ts': models,
  'src/http/models-outcomes-of-parts.test.ts': models,
  'src/http/pages/page-reading.test.ts': ['src/pages', 'src/http/pages'],
  'src/http/pull-requests.test.ts': ['src/code-hosts/git'],
  'src/http/webhooks-revoked-rights.test.ts': [...visibility, 'src/code-hosts/github'],
  'src/http/pull-requests-diffs.test.ts': ['src/db', 'src/actions/pull-requests'],
  'src/http/pull-requests-unreadable.test.ts': ['src/threads', 'src/actions', 'src/db', 'src/reading'],
  'src/threads/thread-pool.test.ts': ['src/threads', 'src/reading', 'src/writing/rules'],
  'test/browser/models.test.ts': [...pages, 'src/actions/models', 'test/model'],
  'test/browser/repositories-add.test.ts': pages,
  'test/browser/articles.test.ts': pages,
  'test/browser/digests.test.ts': pages,
  'test/browser/reviews.test.ts': [
    'src/pages/reviews.ts',
    'src/http/pages/reviews.ts',
    'src/writing/review-threads.ts',
  ],
  'src/http/reviews-found.test.ts': ['src/feeds', 'src/writing/reviews.ts', 'src/actions/digests'],
  'src/feeds/feed.test.ts': ['src/feeds', 'src/writing/reviews.ts'],
  'src/writing/reviews.test.ts': ['src/writing', 'src/reading', 'src/domain/reviews.ts'],
  'test/browser/accounts-and-likes.test.ts': pages,
  'test/browser/following.test.ts': pages,
  'test/browser/following-live.test.ts': pages,
  'test/browser/pages.test.ts': pages,
  'test/browser/questions.test.ts': pages,
  'test/browser/articles-reading.test.ts': pages,
  'test/browser/accounts-sign-in-links.test.ts': pages,
  'test/browser/articles-risks.test.ts': pages,
  'test/browser/articles-with-model.test.ts': pages,
  'test/browser/articles-writing.test.ts': pages,
  'test/e2e/compose.test.ts': ['compose.yaml', 'ops', 'src/cli'],
  'test/e2e/durability.test.ts': ['src/db', 'src/cli'],
  'test/e2e/image.test.ts': ['Dockerfile', 'ops', 'scripts', 'bin', 'package.json', 'src/settings'],
  'test/e2e/remove.test.ts': ['src/cli/remove.ts', 'src/db', 'src/actions', 'src/http'],
};
