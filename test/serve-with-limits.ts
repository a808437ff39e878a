/** Starts the service as `pullquote serve` does, with limits that are short enough for tests to reach them. */
import { runService } from '../src/cli/serve.ts';

await runService({ databasePatienceMs: 3_000, finishMs: 1_000, stopMs: 3_000 });
