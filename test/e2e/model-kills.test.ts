import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { mintLocalToken } from '../../src/code-hosts/git/local-token.ts';
import { sql } from '../../src/db/sql.ts';
import { parseSecretKeys } from '../../src/domain/secrets.ts';
import { openDatabase } from '../backups.ts';
import { freshDatabase } from '../build-app.ts';
import { makeClone } from '../make-clone.ts';
import { writeObligingly } from '../model/obliging-writer.ts';
import { startScriptedModel } from '../model/scripted-model.ts';
import { startService } from '../start-service.ts';
import { runsWholeTables } from '../tables.ts';
import { temporaryFolder } from '../temporary-folder.ts';

const kills = runsWholeTables ? 50 : 2;

const root = temporaryFolder();
makeClone(root, 'acme/rocket', 'feat: launch (#1)');
const model = await startScriptedModel(writeObligingly);
model.listed.openai = ['first', 'second'];
const database = await freshDatabase();
const environment = {
  ...database,
  GIT_REPOS: root,
  OPERATORS: 'ann',
  RATE_LIMIT: '0',
  LOG_LEVEL: 'error',
  SECRET_KEYS: `1:${'A'.repeat(43)}`,
};

/** Everything that is set together: a part of one beside a part of another would be half configured. */
const complete = {
  first: { writer: 'first', reader: null, articlesPerDay: 11 },
  second: { writer: 'second', reader: 'first', articlesPerDay: 22 },
};

const wanted = (
  { writer, reader, articlesPerDay }: (typeof complete)['first' | 'second'],
  apiKey: string,
) => {
  const one = (name: string) => ({ provider: 'openai', model: name, baseUrl: model.url, apiKey });
  return { writer: one(writer), reader: reader && one(reader), limits: { articlesPerDay } };
};

test(`after ${kills} SIGKILLs while a model is connected, tried, used and turned off, the service has one whole model or none`, async () => {
  const keys = parseSecretKeys(environment.SECRET_KEYS) ?? assert.fail();
  const token = mintLocalToken(keys, {
    name: 'ann',
    expiresAt: new Date(Date.now() + 3_600_000),
    singleUse: false,
  });
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' };
  let acknowledged: string | null = null;
  const found = { none: 0, first: 0, second: 0 };
  for (let round = 0; round <= kills; round += 1) {
    const service = await startService({ environment });
    const send = async (method: string, path: string, body?: object) =>
      fetch(`${service.url}${path}`, { method, headers, ...(body && { body: JSON.stringify(body) }) });
    const read = async (path: string) => JSON.parse(await (await send('GET', path)).text()).data;
    if (round === 0) {
      await send('POST', '/auth/signup');
      await send('PUT', '/service/model', wanted(complete.first, 'sk-key-of-the-first'));
      const { status } = await send('POST', '/repos/acme/rocket/pulls/1/article', { language: 'en' });
      assert.equal(status, 201);
    }
    const { source, isKeyUnreadable, writer, reader, limits } = await read('/service/model');
    const name: keyof typeof found = source === 'none' ? 'none' : writer.model;
    found[name] += 1;
    assert.equal(isKeyUnreadable, false);
    if (name !== 'none')
      assert.deepEqual(
        { writer: writer.model, reader: reader?.model ?? null, articlesPerDay: limits.articlesPerDay },
        complete[name],
      );
    if (acknowledged !== null) assert.equal(name, acknowledged, 'what was acknowledged last is in force');
    acknowledged = null;
    const { contents } = await read('/repos/acme/rocket/pulls/1/article');
    assert.equal(contents.en.writer.kind, 'ai');
    if (round === kills) {
      await service.stop();
      break;
    }
    const steps: [after: keyof typeof found | null, method: string, path: string, body?: object][] = [
      ['second', 'PUT', '/service/model', wanted(complete.second, 'sk-key-of-the-second')],
      [null, 'POST', '/service/model/test', wanted(complete.first, 'sk-key-of-the-first')],
      ['none', 'DELETE', '/service/model'],
      ['first', 'PUT', '/service/model', wanted(complete.first, 'sk-key-of-the-first')],
    ];
    const last = round % steps.length;
    for (const [after, method, path, body] of steps.slice(0, last)) {
      assert.ok((await send(method, path, body)).ok);
      if (after) acknowledged = after;
    }
    const [, method, path, body] = steps[last] ?? assert.fail();
    const inFlight = send(method, path, body).then(
      ({ ok }) => ok,
      () => false,
    );
    for (let turns = 0; turns < round * 20; turns += 1) await turn();
    await service.stop('SIGKILL');
    // The change that was under way may have been made or not.
    await inFlight;
    if (method !== 'POST') acknowledged = null;
  }
  const read = await openDatabase(database);
  const halves = await read.count(sql`
    SELECT count(*) FROM jobs WHERE work = 'test' AND state NOT IN ('queued', 'running') AND detail ? 'writer'`);
  console.log(`${kills} kills: ${JSON.stringify(found)}`);
  assert.equal(halves, 0, 'no test that has ended keeps a key');
});
