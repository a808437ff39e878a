import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { waitUntil } from '../../test/wait-until.ts';
import { removeRepository } from '../actions/repositories/remove-repository.ts';

const environment = { AI_MODEL: 'compatible/none', AI_BASE_URL: 'http://127.0.0.1:1/v1' };

test('on first start the samples get articles in English and Japanese without a model, except a removed one', async () => {
  const app = await buildTestApp({ environment });
  const removed = { host: 'git', owner: 'harborline', name: 'parcel', number: 15 };
  await removeRepository({ database: app.database, clock: app.now }, removed);
  const list = async (language: string) =>
    (await app.call('GET', `/articles?language=${language}&limit=100`)).body.data.items;
  app.fillWithSamples();
  await waitUntil('the last one is written', async () =>
    (await list('ja')).some(({ prNumber }: { prNumber: number }) => prNumber === 1),
  );
  const [english, japanese] = [await list('en'), await list('ja')];
  const numbers = english.map(({ prNumber }: { prNumber: number }) => prNumber);
  const moments = english.map(({ mergedAt }: { mergedAt: string | null }) => mergedAt).filter(Boolean);
  assert.deepEqual(moments, moments.toSorted().reverse());
  assert.deepEqual(
    japanese.map(({ prNumber }: { prNumber: number }) => prNumber),
    numbers,
  );
  const { contents } = (await app.call('GET', '/repos/harborline/parcel/pulls/13/article')).body.data;
  for (const language of ['en', 'ja']) assert.deepEqual(contents[language].writer, { kind: 'offline' });
  const token = await app.signUp('ann');
  const listed = (await app.call('GET', '/repos/harborline/parcel/pulls?limit=100', { token })).body.data
    .items;
  assert.ok(listed.every(({ articleExists }: { articleExists: boolean }) => articleExists));
  assert.equal(listed.length, numbers.length);
});
