/**
 * The tests with exhaustive tables, of which `npm test` runs one row of each kind, and the source that each protects. `.ci/run`
 * runs a table whole when its source differs from origin/main.
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

export const tableSources: Record<string, string[]> = {
  'src/cli/explain/explain.test.ts': ['src/cli/explain', 'src/code-hosts'],
  'src/cli/trial.test.ts': ['src/actions/trial', 'src/writing', 'prompts', 'test/model'],
  'src/code-hosts/git/moving-clones.test.ts': ['src/code-hosts/git', 'src/code-hosts/git-runner'],
  'src/code-hosts/github/github-leaks.test.ts': [...visibility, 'src/code-hosts/github'],
  'src/http/cancelled-questions.test.ts': [...models, 'src/jobs'],
  'src/http/leak-matrix.test.ts': [...visibility, 'src/pages', 'src/code-hosts/github'],
  'src/http/lists-after-failures.test.ts': ['src/actions/repositories', 'src/db', 'src/code-hosts/http'],
  'src/http/outcomes-of-models.test.ts': models,
  'src/http/outcomes-of-parts.test.ts': models,
  'src/http/pages/reading.test.ts': ['src/pages', 'src/http/pages'],
  'src/http/revoked-rights.test.ts': [...visibility, 'src/code-hosts/github'],
  'src/http/same-diff.test.ts': ['src/db', 'src/actions/pull-requests'],
  'src/http/unreadable.test.ts': ['src/threads', 'src/actions', 'src/db', 'src/reading'],
  'src/threads/thread-pool.test.ts': ['src/threads', 'src/reading', 'src/writing/rules'],
  'test/e2e/durability.test.ts': ['src/db', 'src/cli'],
};
