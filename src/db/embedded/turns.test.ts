import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Turns } from './turns.ts';

const tooLate = () => new Error('too late');

test('who waits with one statement comes before those who wait for the session, and these come in their order', async () => {
  const turns = new Turns(10_000, tooLate);
  const begun: string[] = [];
  const take = async (name: string) => {
    const giveBack = await turns.take();
    begun.push(name);
    return giveBack;
  };
  const giveBackFirst = await take('first');
  const second = take('second');
  const third = take('third');
  const statements = ['one', 'two'].map((name) => turns.next(async () => begun.push(name)));
  giveBackFirst();
  const giveBackSecond = await second;
  const late = turns.next(async () => begun.push('late'));
  await Promise.all(statements);
  assert.deepEqual(begun, ['first', 'one', 'two', 'second'], 'the session is for one alone');
  giveBackSecond();
  (await third)();
  await late;
  await turns.next(async () => begun.push('at once'));
  assert.deepEqual(begun.slice(4), ['late', 'third', 'at once']);
});

test('who waits too long is told so, and not begun any more', async () => {
  const turns = new Turns(1, tooLate);
  const giveBack = await turns.take();
  const begun: string[] = [];
  await assert.rejects(
    turns.next(async () => begun.push('statement')),
    /too late/,
  );
  await assert.rejects(turns.take(), /too late/);
  giveBack();
  await turns.next(async () => begun.push('next'));
  assert.deepEqual(begun, ['next']);
});
