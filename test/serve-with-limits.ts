/** Starts the service as `pullquote serve` does, with limits that are short enough for tests to reach them. */
const limits = { databasePatienceMs: 2_000, finishMs: 500, stopMs: 2_000 };

// bin/run-with-node.cjs loads this file with require(), which takes no import that awaits something.
void import('../src/cli/serve.ts').then(({ runService }) => runService(limits));
