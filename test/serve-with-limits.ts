/** Starts the service as `pullquote serve` does, with limits short enough for tests. */
const limits = { databasePatienceMs: 2_000, finishMs: 500, stopMs: 2_000 };

// bin/run-with-node.cjs loads this file with require(), which does not support top-level await.
void import('../src/cli/serve.ts').then(({ runService }) => runService(limits));
