import { parseArgs } from 'node:util';
import { makeClone } from '../test/make-clone.ts';
import { makeLargePullRequest } from '../test/make-large-pull-request.ts';
import { mostAtPermille999, mostMs } from './hostile/serve-hostile.ts';
import { prepareBench } from './parts/bench-service.ts';
import { cancelEverywhere, failOnePart, killMidway, push } from './parts/interrupt-reading.ts';
import { makeWidePullRequest, type Shape } from './parts/make-wide-pull-request.ts';
import { nearTheCeiling } from './parts/near-the-ceiling.ts';
import { readWide, type WideReading } from './parts/read-wide.ts';

// What reading a large pull request part by part sends, takes and survives, with a window of 32,000 tokens and a model on loopback:
// whether every changed line is sent once, what that costs against the diff, what the service holds meanwhile, what is asked again
// after kill -9 and after a push, how soon it is cancelled, and whether tokens and articles are counted exactly by two processes.
// Ends with 1 where one of them is not as it should be.
// Usage: node bench/parts.ts [--files 3000] [--kills 5] [--writers 16] [--only read,kill,fail,cancel,ceiling]
const usage = `Usage: node bench/parts.ts [--files 3000] [--kills 5] [--writers 16] [--only read,kill,fail,cancel,ceiling]
  --files     of the pull request that is read; the one that is read between kills has a third of them
  --kills     how often the service is killed with -9 while it reads
  --writers   how many large pull requests are written about at once, by two processes
  --only      some of the measurements`;

const { values } = parseArgs({
  options: {
    files: { type: 'string', default: '3000' },
    kills: { type: 'string', default: '5' },
    writers: { type: 'string', default: '16' },
    only: { type: 'string', default: 'read,kill,fail,cancel,ceiling' },
    help: { type: 'boolean', default: false },
  },
});
if (values.help) {
  console.log(usage);
  process.exit(0);
}

const mostSent = 1.3;
const mostMsToCancel = 1_000;

/** Less than the writers need, so that some of them reach it. */
const tokensPerWriter = 15_000;

const shapeOf = (files: number): Shape => ({
  files,
  generated: Math.floor(files / 15),
  added: Math.floor(files / 10),
  removed: Math.floor(files / 15),
  large: 3,
});

const bench = await prepareBench();
const wrong: string[] = [];
const require = (isSo: boolean, what: string): void => {
  if (!isSo) wrong.push(what);
};

function tellReading(read: WideReading): void {
  const ratio = read.bytesSent / read.bytesOfWhatIsRead;
  console.log(
    `${values.files} files in ${read.parts} parts, ${read.calls} calls, ${read.seconds.toFixed(0)} s: ${read.missing} changed lines not sent, ${read.twice} sent twice, ${read.foreign} that are none`,
  );
  console.log(
    `sent ${read.bytesSent} bytes, the largest question ${read.largestQuestion}; the diff has ${read.bytesOfDiff}, and ${read.bytesOfWhatIsRead} without what is not read: ×${ratio.toFixed(2)}`,
  );
  console.log(
    `held ${Math.round(read.megabytes)} MB at the peak, ${Math.round(read.megabytesOffline)} MB without a model; /healthz at p99.9 after ${Math.round(read.permille999)} ms, at most ${Math.round(read.longest)} ms, ${Math.round(read.longestOffline)} ms without a model`,
  );
  require(read.missing + read.twice + read.foreign === 0, 'every changed line is sent once');
  require(ratio <= mostSent, `at most ${mostSent} times the diff is sent`);
  require(read.permille999 <= mostAtPermille999 &&
    read.longest <= mostMs, 'the service answers at once while it reads');
}

async function readAndKill(): Promise<void> {
  const files = Math.ceil(Number(values.files) / 3);
  const clone = makeWidePullRequest(bench.repos, 'acme/killed', shapeOf(files));
  const parts = Math.ceil(files / 30);
  const killed = await killMidway(bench, 'killed', Number(values.kills), parts);
  console.log(
    `${values.kills} times killed with -9 while ${killed.parts} parts of ${files} files were read: the job was given up ${killed.givenUp} times and asked for again, the article is ${killed.state}, ${killed.answeredTwice} questions asked again that were answered, ${killed.inFlightTwice} whose answers were on their way`,
  );
  require(killed.state === 'done' && killed.answeredTwice === 0, 'what was answered is not asked again');
  const pushed = await push(bench, clone, 'killed');
  console.log(
    `after a push that touches one file, ${pushed.asked} parts asked about, ${pushed.holdIt} with it`,
  );
  require(pushed.asked === 1 && pushed.holdIt === 1, 'after a push one part is read');
}

async function readWithoutOne(): Promise<void> {
  makeWidePullRequest(bench.repos, 'acme/failing', shapeOf(300));
  const failed = await failOnePart(bench, 'failing');
  console.log(
    `parts refused for ever: written by ${failed.kind}, ${failed.unread} of ${failed.skipped} files that are not covered could not be read`,
  );
  require(failed.kind === 'ai' && failed.unread > 0, 'the rest is told where a part fails');
}

async function cancelAtEachQuestion(): Promise<void> {
  const repos = Array.from({ length: 5 }, (_, index) => `cancelled-${index}`);
  for (const repo of repos) makeLargePullRequest(makeClone(bench.repos, `acme/${repo}`), 2, 16);
  const cancelled = await cancelEverywhere(bench, repos);
  for (const { asked, ms, later } of cancelled)
    console.log(`cancelled at ${asked}: over after ${Math.round(ms)} ms, ${later} questions later`);
  require(cancelled.every(
    ({ ms, later }) => ms <= mostMsToCancel && later === 0,
  ), 'cancelling ends the work within a second');
}

async function countNearTheCeiling(): Promise<void> {
  const writers = Number(values.writers);
  const ceiling = writers * tokensPerWriter;
  const counted = await nearTheCeiling(bench, writers, ceiling);
  console.log(
    `${writers} large pull requests on two processes under a ceiling of ${ceiling} tokens: ${counted.written} written, ${counted.refused} refused, ${counted.calls} calls, ${counted.tokensUsed} tokens used, ${counted.tokensCounted} counted, ${counted.articlesCounted} articles counted`,
  );
  require(counted.tokensCounted === counted.tokensUsed, 'tokens are counted as they are used');
  require(counted.tokensUsed <= ceiling, 'the ceiling holds');
  require(counted.articlesCounted === counted.written, 'a large pull request is one article of a quota');
}

const measurements: Record<string, () => Promise<void>> = {
  read: async () =>
    tellReading(
      await readWide(
        bench,
        makeWidePullRequest(bench.repos, 'acme/wide', shapeOf(Number(values.files))),
        'wide',
      ),
    ),
  kill: readAndKill,
  fail: readWithoutOne,
  cancel: cancelAtEachQuestion,
  ceiling: countNearTheCeiling,
};

try {
  const url = await bench.start();
  await bench.call('POST', `${url.url}/auth/signup`);
  await url.stop();
  for (const name of values.only.split(',')) await measurements[name]?.();
  for (const one of wrong) console.log(`NOT SO: ${one}`);
  process.exitCode = wrong.length > 0 ? 1 : 0;
} finally {
  await bench.stop();
}
