import assert from 'node:assert/strict';
import { createServer } from 'node:net';
import { after, test } from 'node:test';
import { Failure } from '../../src/domain/errors.ts';
import { nobody } from '../read-from-host.ts';
import { rowsToRun } from '../tables.ts';
import { badAnswers } from './bad-answers.ts';
import type { FailingHosts, HostInService } from './build-failing-hosts.ts';
import { type BadAnswer, say, spoilt } from './failing-host.ts';

const second = 1_000;
const minute = 60 * second;

/** The response about the repository without a token: not found, or an error. */
async function toNobody({ codeHost, owner, script, pathsOf }: HostInService, { answer }: BadAnswer) {
  const stop = script(pathsOf('rocket').repository, answer);
  const outcome = await codeHost.findRepository(owner, 'rocket', nobody).then(
    (found) => (found ? 'found' : 'absent'),
    (error) => error.code,
  );
  stop();
  return outcome;
}

async function holds(host: HostInService, row: BadAnswer): Promise<void> {
  const { name, answer, status, code, seconds, says } = row;
  const { script, takeCalls, pathsOf, ingest, ann } = host;
  const { pullRequest } = pathsOf('rocket');
  const stop = script(pullRequest, answer);
  takeCalls();
  const reply = await ingest(ann);
  stop();
  const asked = takeCalls().filter((call) => pullRequest.test(call.replace(/^GET /, '')));
  assert.deepEqual(
    [reply.status, reply.body.error?.code, reply.headers.get('retry-after')],
    [status, code, seconds === undefined ? null : String(seconds)],
    `${host.name}: ${name}: ${reply.text}`,
  );
  if (says) assert.match(reply.body.error.message, says);
  assert.ok(asked.length >= 1 && asked.length <= 4, 'it is asked once, and follows three redirects at most');
  if (row.nobody) assert.equal(await toNobody(host, row), row.nobody, `${host.name}: ${name}, to nobody`);
}

/** Every bad response of a host gives the expected message, and has no lasting effect. */
export function testAnswers(service: FailingHosts): void {
  const { app, hosts, each } = service;
  const [first] = hosts.map(({ limits }) => badAnswers(limits, app.now()));

  /** The target of redirects that must not be followed. */
  let strayPackets = 0;
  const elsewhere = createServer(() => {
    strayPackets += 1;
  });
  after(() => elsewhere.close());

  const hold = async (rowOf: (host: HostInService) => BadAnswer | undefined): Promise<void> => {
    // Lets earlier rate limits expire.
    app.advance(2 * minute);
    const limited: [HostInService, number][] = [];
    await each(async (host) => {
      const row = rowOf(host);
      if (!row) return;
      await host.me(host.ann);
      await holds(host, row);
      if (row.seconds !== undefined) limited.push([host, row.seconds]);
    });
    const [[, seconds] = []] = limited;
    if (seconds === undefined) return;
    app.advance((seconds - 1) * second);
    for (const [{ codeHost, owner, asAnn, takeCalls, name }] of limited) {
      takeCalls();
      await assert.rejects(
        codeHost.findRepository(owner, 'rocket', asAnn),
        { headers: { 'retry-after': '1' } },
        name,
      );
      assert.deepEqual(takeCalls(), [], 'nothing leaves before the time');
    }
    app.advance(second);
  };

  const rows = rowsToRun(
    [...(first ?? []).entries()],
    ([, { name, code }]) => `${code} ${name.split(/ (?:with|until|to|for|of) /)[0]}`,
  );
  for (const [place, { name, status, code }] of rows)
    test(`when a host answers ${name}, users get ${status} ${code}`, () =>
      hold(({ limits }) => badAnswers(limits, app.now())[place]));

  test('each response that only one host gives has the expected status and code', async () => {
    for (let place = 0; hosts.some(({ answers }) => place < answers.length); place += 1)
      await hold(({ answers }) => answers[place]);
  });

  test('a redirect to another server is HOST_ERROR, and that server gets no request', async () => {
    await new Promise<void>((resolve) => elsewhere.listen(0, '127.0.0.1', resolve));
    const { port } = elsewhere.address() as { port: number };
    for (const location of [`https://127.0.0.1:${port}/`, `http://localhost:${port}/`])
      await hold(() => ({
        name: location,
        answer: say(302, {}, { location }),
        status: 502,
        code: 'HOST_ERROR',
      }));
    assert.equal(strayPackets, 0);
  });

  test('bad responses store nothing, and the next valid response is read', () =>
    each(async ({ name, pathOf, on, ingest, ann }) => {
      assert.equal((await app.call('GET', pathOf('rocket') + on)).status, 404, name);
      const { status, text } = await ingest(ann);
      assert.equal(status, 201, `${name}: ${text}`);
    }));

  test('an unreadable response is not cached by its ETag, and the next one is read', async () => {
    const kinds: [string, RegExp | null, Parameters<typeof spoilt>[0], string?][] = [
      ['half', null, (text) => text.slice(0, 99)],
      ['other', null, () => '{"number":"one"}'],
      ['a day that there is not', null, (text) => text.replaceAll(/2026-\d\d-\d\d/g, '2026-99-99')],
      ['cut', null, () => null],
      ['cut text', null, () => null, 'text/plain'],
      ['bytes', null, (text) => text, 'application/octet-stream'],
      ['a cut list', /\/commits/, () => null],
      ['a list of others', /\/commits/, () => '[{}]'],
    ];
    await each(async ({ name, owner, codeHost, asAnn, script, pathsOf }) => {
      for (const [kind, path, spoil, type] of kinds) {
        const read = async () => {
          const found = (await codeHost.findPullRequest(owner, 'rocket', 1, asAnn))?.pullRequest;
          return path ? found?.read() : found?.glance();
        };
        const answer = spoilt(spoil, { hasTag: true, ...(type && { type }) });
        const stop = script(path ?? pathsOf('rocket').pullRequest, answer);
        await assert.rejects(read, { code: 'HOST_ERROR' }, `${name}: ${kind}`);
        stop();
        assert.equal((await read())?.number, 1, `${name}: after ${kind}`);
      }
    });
  });

  test('a request on a connection that the host has closed is repeated on a new one', () =>
    each(async ({ name, script, pathOf, on, ann }) => {
      let isFirst = true;
      const stop = script(/./, (response, pass) => {
        if (!isFirst) return pass();
        isFirst = false;
        response.destroy();
      });
      const path = pathOf('rocket').replace(/\/1$/, '');
      const listed = await app.call('GET', path + on, { token: ann });
      stop();
      assert.deepEqual([listed.status, isFirst], [200, false], `${name}: ${listed.text}`);
    }));

  test('an error about one repository does not stop calls about another one of the same host', async () => {
    await each(async (host) => {
      host.addRepository(72, 'comet');
      assert.equal((await host.ingest(host.bea, 'comet')).status, 201, host.name);
    });
    app.advance(6 * minute);
    await each(async ({ name, script, takeCalls, pathOf, on }) => {
      const about = (id: number, called: string) => new RegExp(`/${id}(?:$|[/?])|${called}(?:$|[/?])`);
      const stop = script(about(72, 'comet'), say(500));
      takeCalls();
      for (const repository of ['comet', 'rocket'])
        assert.equal((await app.call('GET', pathOf(repository) + on)).status, 200, name);
      stop();
      const calls = takeCalls();
      for (const asked of [about(72, 'comet'), about(71, 'rocket')])
        assert.ok(
          calls.some((call) => asked.test(call)),
          `${name}: ${calls}`,
        );
    });
  });

  test('a rate limit of one token does not affect other tokens', async () => {
    app.advance(2 * minute);
    await each(async ({ name, ann, bea, script, pathsOf, ingest }) => {
      const stop = script(pathsOf('rocket').pullRequest, (response, pass, request) =>
        request.headers.authorization?.includes(ann)
          ? say(429, {}, { 'retry-after': 60 })(response, pass, request)
          : pass(),
      );
      assert.deepEqual([(await ingest(ann)).status, (await ingest(bea)).status < 300], [503, true], name);
      stop();
    });
    app.advance(2 * minute);
  });

  test('a response with changed values is either read or rejected with a `Failure`', () => each(readOdd));
}

type Leaf = (value: unknown) => unknown;
const ofType =
  (type: string, instead: unknown): Leaf =>
  (value) =>
    typeof value === type ? instead : value;

/** Values that every schema rejects. */
const wrongTypes: Record<string, Leaf> = {
  'texts are numbers': ofType('string', 7),
  'numbers are texts': ofType('number', '7'),
  'booleans are texts': ofType('boolean', 'yes'),
};

const day = /^\d{4}(-\d\d-\d\dT)/;
const commit = /^[0-9a-f]{40}$/;

/** Values that some schemas reject. */
const oddValues: Record<string, Leaf> = {
  'numbers are huge': ofType('number', 1e21),
  'commits are options of git, and days beyond time': (value) =>
    typeof value === 'string' ? value.replace(commit, '--upload-pack=touch').replace(day, '999999$1') : value,
  'other texts are empty': (value) =>
    typeof value === 'string' && !day.test(value) && !commit.test(value) ? '' : value,
};

const changed = (value: unknown, leaf: Leaf): unknown => {
  if (Array.isArray(value)) return value.map((one) => changed(one, leaf));
  if (typeof value !== 'object' || value === null) return leaf(value);
  return Object.fromEntries(Object.entries(value).map(([name, one]) => [name, changed(one, leaf)]));
};

/** Reads a pull request with every value of each response changed. */
async function readOdd({ name, owner, codeHost, asAnn, script, takeCalls }: HostInService): Promise<void> {
  const read = async () => {
    const found = await codeHost.findPullRequest(owner, 'rocket', 1, asAnn);
    const pullRequest = await found?.pullRequest?.read();
    // An invalid date cannot be formatted.
    return JSON.stringify([found?.repository, pullRequest]);
  };
  takeCalls();
  assert.match(await read(), /"number":1\b.*Well\./, name);
  const calls = new Set(takeCalls().map((call) => call.replace(/^\w+ /, '')));
  const tryWith = async (what: string, path: RegExp, leaf: Leaf) => {
    const stop = script(
      path,
      spoilt((text) => (text === '' ? text : JSON.stringify(changed(JSON.parse(text), leaf)))),
    );
    const told = await read().catch((error) => {
      assert.ok(error instanceof Failure, `${name}, ${what}: ${error.stack}`);
      return '';
    });
    assert.doesNotMatch(told, /upload-pack|e\+21/, `${name}, ${what}`);
    stop();
  };
  for (const [what, leaf] of Object.entries(wrongTypes)) await tryWith(what, /./, leaf);
  const pairs = Object.entries(oddValues).flatMap(([what, leaf]) =>
    [...calls].map((path) => ({ path, what, leaf })),
  );
  for (const { path, what, leaf } of rowsToRun(pairs, (pair) => pair.what))
    await tryWith(`${path}: ${what}`, new RegExp(`^${path.replaceAll(/[^\w/]/g, '\\$&')}$`), leaf);
}
