import assert from 'node:assert/strict';
import { existsSync } from 'node:fs';
import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { join } from 'node:path';
import { after, test } from 'node:test';
import { buildTestApp, freshDatabase } from '../../../test/build-app.ts';
import { program, runToEnd } from '../../../test/start-service.ts';
import { sql } from '../../db/sql.ts';
import type { Finding } from '../../domain/errors.ts';
import { examineAll } from './doctor.ts';

const lineOf = ({ state, sentence, remedy }: Finding): string =>
  [`${state}: ${sentence}`, ...(remedy === null ? [] : [remedy])].join(' → ');

const about = (findings: Finding[], concern: string): string[] =>
  findings.filter((one) => one.concern === concern).map(lineOf);

test('`examineAll` reports a healthy service, a port that another program uses, and queued articles without a writing process', async () => {
  const app = await buildTestApp({ environment: { WRITERS: '0' } });
  const port = Number(new URL(app.url).port);
  const running = await examineAll({ ...app.config, port });
  assert.deepEqual(about(running, 'port'), [`ok: The service at http://127.0.0.1:${port} is healthy.`]);
  assert.match(about(running, 'database').join('\n'), /^ok: PostgreSQL \d+ is reachable, has schema/);
  assert.ok(
    running.every(({ state }) => state !== 'failure'),
    running.map(lineOf).join('\n'),
  );
  assert.match(about(running, 'clock').join(), /^ok: The clock agrees with the database\.$/);

  const other = createServer((_request, response) => response.end('hello')).listen(0, '127.0.0.1');
  after(() => other.close());
  await new Promise((resolve) => other.once('listening', resolve));
  const taken = (other.address() as AddressInfo).port;
  const beside = await examineAll({ ...app.config, port: taken });
  assert.match(
    about(beside, 'port').join(),
    /^failure: Port \d+ on 127\.0\.0\.1 is in use\. → Stop the other program/,
  );

  const { code, stderr } = await runToEnd({
    command: [process.execPath, program, 'healthcheck'],
    environment: { PORT: String(taken) },
  });
  assert.equal(code, 1, 'an answer of another program is no sign of health');
  assert.match(stderr, /^The program at http:\/\/127\.0\.0\.1:\d+ is not Pullquote\. Check PORT\.$/m);

  const asked = await app.call('POST', '/repos/harborline/parcel/pulls/13/article', {
    token: await app.signUp('ann'),
    headers: { prefer: 'respond-async' },
  });
  assert.deepEqual([asked.status, asked.body.message], [202, 'The article is waiting for a writer.']);
  await app.database.query(sql`UPDATE jobs SET queued_at = clock_timestamp() - interval '5 minutes'`);
  await app.close();
  const stopped = await examineAll({ ...app.config, port });
  assert.deepEqual(about(stopped, 'writing'), [
    'warning: 1 article waits to be written, for up to 5 min, and no process is writing. → Start pullquote work, or set WRITERS above 0.',
  ]);
  assert.match(
    about(stopped, 'database')[0] ?? '',
    /^ok: .* is reachable, has schema \d+ and takes \d+ MiB\.$/,
  );
  assert.match(about(stopped, 'port').join(), /^ok: No service runs/);
});

test('`pullquote doctor` prints each finding with its remedy or as JSON, exits 1 on a failure, hides the database password and creates no key', async () => {
  const settings = await freshDatabase();
  const environment = { ...settings, DATABASE_URL: 'postgres://u:secret@127.0.0.1:1/none', AI_MODLE: 'x' };
  const command = [process.execPath, program, 'doctor'];
  const [text, json, unusable] = await Promise.all([
    runToEnd({ command, environment }),
    runToEnd({ command: [...command, '--json'], environment }),
    runToEnd({ command, environment: { PORT: 'eighty' } }),
  ]);
  assert.deepEqual([text.code, json.code, unusable.code], [1, 1, 1], text.stderr);
  assert.match(
    text.stdout,
    /^warning {2}settings {2}AI_MODLE is not a setting\.\n +→ Did you mean AI_MODEL\?\n/,
  );
  assert.match(
    text.stdout,
    /^failure {2}database {2}Cannot use the database none at 127\.0\.0\.1:1: .*\n +→ Check DATABASE_URL/m,
  );
  assert.match(text.stdout, /\n\n\d+ ok, \d warnings?, 1 failure\.\n$/);
  assert.doesNotMatch(text.stdout + json.stdout, /secret@/);
  const { isWell, findings } = JSON.parse(json.stdout);
  assert.equal(isWell, false);
  assert.ok(findings.some((one: Finding) => one.concern === 'database' && one.state === 'failure'));
  assert.match(unusable.stdout, /^failure {2}settings {2}PORT must .*\n +→ Correct it/);
  assert.equal(existsSync(join(settings.PULLQUOTE_DATA ?? '', 'secret-keys')), false, 'no key is made');
});
