import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Worker } from 'node:worker_threads';
import { freshDatabase, onPostgres } from '../../../test/build-app.ts';
import { waitUntil } from '../../../test/wait-until.ts';
import { openEmbedded } from '../embedded.ts';
import { isTokenRefused, refuseToken } from '../sessions.ts';
import { sql } from '../sql.ts';
import { WireMessages } from './wire-messages.ts';

/** Short, so that a statement can outlast it, and long enough for those that do not on a busy machine. */
const patienceMs = 1_000;

const skip = onPostgres && 'about the embedded database';

/** How many threads there are, and have been at most, from now on. */
function countThreads() {
  const counted = { now: 0, most: 0, all: 0 };
  process.on('worker', (worker: Worker) => {
    counted.all += 1;
    counted.now += 1;
    counted.most = Math.max(counted.most, counted.now);
    worker.on('exit', () => {
      counted.now -= 1;
    });
  });
  return counted;
}

/** Ends threads that are told something with these words, so many times. */
function endOn(words: string, times: number): () => number {
  const { postMessage } = Worker.prototype;
  let left = times;
  Worker.prototype.postMessage = function (this: Worker, message, ...rest) {
    if (message?.kind === 'messages' && left > 0 && Buffer.from(message.bytes).includes(words)) {
      left -= 1;
      return void this.terminate();
    }
    return postMessage.call(this, message, ...rest);
  };
  return () => left;
}

/** Has threads sleep before they do something with these words. Returns how to stop that. */
function slowDown(words: string, ms: number): () => void {
  const { postMessage } = Worker.prototype;
  const sleep = new WireMessages().query(`DO 'BEGIN PERFORM pg_sleep(${ms / 1000}); END'`).take();
  Worker.prototype.postMessage = function (this: Worker, message, ...rest) {
    if (message?.kind !== 'messages' || !Buffer.from(message.bytes).includes(words))
      return postMessage.call(this, message, ...rest);
    return postMessage.call(this, { ...message, bytes: Buffer.concat([sleep, message.bytes]) });
  };
  return () => {
    Worker.prototype.postMessage = postMessage;
  };
}

test('a thread that dies while it begins to listen is followed by one, never by two', { skip }, async () => {
  const { PULLQUOTE_DATA: folder = '' } = await freshDatabase();
  const threads = countThreads();
  const database = await openEmbedded(folder, () => {});
  let begun = 0;
  const heard: string[] = [];
  await database.listen('news', {
    onMessage: (message) => heard.push(message),
    onListening: () => {
      begun += 1;
    },
  });
  await refuseToken(database, 'acknowledged', new Date());
  const left = endOn('LISTEN', 3);
  endOn('SELECT 4711', 1);
  await assert.rejects(database.query(sql`SELECT 4711`), { code: 'CONNECTION_ENDED' });
  await waitUntil('it listens again', () => begun === 2);
  assert.deepEqual([left(), threads.now, threads.most], [0, 1, 1]);
  assert.equal(await isTokenRefused(database, 'acknowledged'), true);
  await database.runScript("SELECT pg_notify('news', 'again')");
  assert.deepEqual(heard, ['again'], 'told once');
  await database.close();
  assert.equal(threads.now, 0);
});

test('a database that begins to listen slowly is waited for, and not opened another time', {
  skip,
}, async () => {
  const { PULLQUOTE_DATA: folder = '' } = await freshDatabase();
  const database = await openEmbedded(folder, () => {}, patienceMs);
  let begun = 0;
  const onListening = () => {
    begun += 1;
  };
  await database.listen('news', { onMessage: () => {}, onListening });
  const threads = countThreads();
  endOn('SELECT 4712', 1);
  const stop = slowDown('LISTEN', 2 * patienceMs);
  await assert.rejects(database.query(sql`SELECT 4712`), { code: 'CONNECTION_ENDED' });
  await waitUntil('it listens again', () => begun === 2);
  stop();
  assert.equal(threads.all, 1);
  await database.close();
});

test('a statement that never ends is ended with its thread, and all that was acknowledged is there', {
  skip,
}, async () => {
  const { PULLQUOTE_DATA: folder = '' } = await freshDatabase();
  const database = await openEmbedded(folder, () => {}, patienceMs);
  await refuseToken(database, 'acknowledged', new Date());
  await assert.rejects(database.query(sql`SELECT pg_sleep(3600)`), { code: 'CONNECT_TIMEOUT' });
  await waitUntil('it answers again', () => isTokenRefused(database, 'acknowledged').catch(() => false));
  await database.close();
});

test('what the database tells beside an answer that came too late is heard', { skip }, async () => {
  const { PULLQUOTE_DATA: folder = '' } = await freshDatabase();
  const database = await openEmbedded(folder, () => {}, patienceMs);
  const heard: string[] = [];
  await database.listen('news', { onMessage: (message) => heard.push(message) });
  const late = sql`SELECT pg_notify('news', 'late'), pg_sleep(2)`;
  await assert.rejects(database.query(late), { code: 'CONNECT_TIMEOUT' });
  await waitUntil('it is heard', () => heard.length > 0);
  assert.deepEqual(heard, ['late']);
  await database.close();
});
