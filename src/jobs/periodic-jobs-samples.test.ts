import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { removeRepository } from '../actions/repositories/remove-repository.ts';

const environment = { AI_MODEL: 'compatible/none', AI_BASE_URL: 'http://127.0.0.1:1/v1' };

const remedy = 'record the replies again: npm run samples:record';
const recorded = [3, 10, 11, 12, 13, 17];

test('on first start the samples get articles in English and Japanese, by no configured model, except a removed one', async () => {
  const app = await buildTestApp({ environment });
  const removed = { host: 'git', owner: 'harborline', name: 'parcel', number: 15 };
  await removeRepository({ database: app.database, clock: app.now }, removed);
  const list = async (language: string) =>
    (await app.call('GET', `/articles?language=${language}&limit=100`)).body.data.items;
  await app.fillWithSamples();
  const [english, japanese] = [await list('en'), await list('ja')];
  const numbers = english.map(({ prNumber }: { prNumber: number }) => prNumber);
  const moments = english.map(({ mergedAt }: { mergedAt: string | null }) => mergedAt).filter(Boolean);
  assert.deepEqual(moments, moments.toSorted().reverse());
  assert.deepEqual(
    japanese.map(({ prNumber }: { prNumber: number }) => prNumber),
    numbers,
  );
  for (const number of numbers) {
    const { contents } = (await app.call('GET', `/repos/harborline/parcel/pulls/${number}/article`)).body
      .data;
    for (const language of ['en', 'ja']) {
      const { kind, provider } = contents[language].writer;
      const expected = recorded.includes(number) ? ['ai', 'recorded'] : ['offline', undefined];
      assert.deepEqual([kind, provider], expected, `#${number} in ${language}; ${remedy}`);
    }
  }
  const token = await app.signUp('ann');
  const listed = (await app.call('GET', '/repos/harborline/parcel/pulls?limit=100', { token })).body.data
    .items;
  assert.ok(listed.every(({ articleExists }: { articleExists: boolean }) => articleExists));
  assert.equal(listed.length, numbers.length);
});

test('each recorded article passes its checks whole, costs nothing, and readers without an account see its answers', async () => {
  const app = await buildTestApp();
  await app.fillWithSamples();
  const token = await app.signUp('ann');
  for (const number of recorded)
    for (const language of ['en', 'ja']) {
      const path = `/repos/harborline/parcel/pulls/${number}`;
      const { contents } = (await app.call('GET', `${path}/article`)).body.data;
      const { verification, usage, standfirst, aiGeneratedTitle } = contents[language];
      const about = `#${number} in ${language}; ${remedy}`;
      assert.deepEqual([verification.dropped, verification.unjudged], [0, 0], about);
      assert.ok(standfirst && aiGeneratedTitle, about);
      assert.deepEqual(usage, { inputTokens: 0, outputTokens: 0 });
    }
  const answers = (await app.call('GET', '/repos/harborline/parcel/pulls/13/questions', { token })).body.data
    .items;
  assert.deepEqual(
    answers.map(({ writer, found, own }: { writer: object; found: boolean; own: boolean }) => [
      Reflect.get(writer, 'provider'),
      found,
      own,
    ]),
    Array.from({ length: 4 }, () => ['recorded', true, false]),
    remedy,
  );
  for (const language of ['en', 'ja']) {
    const page = (await app.call('GET', `/r/harborline/parcel/13?language=${language}`)).text;
    const shown = answers.filter(({ question }: { question: string }) => page.includes(question));
    assert.deepEqual(
      shown.map(({ languageCode }: { languageCode: string }) => languageCode),
      [language, language],
    );
  }
});

test('a start with articles by an older release replaces those without a model where replies are recorded, once', async () => {
  const app = await buildTestApp();
  const token = await app.signUp('ann');
  const path = '/repos/harborline/parcel/pulls/12/article';
  const writer = async () => (await app.call('GET', path)).body.data.contents.en.writer;
  await app.call('POST', path, { token, body: { language: 'en' } });
  assert.equal((await writer()).kind, 'offline');
  await app.fillWithSamples();
  assert.equal((await writer()).provider, 'recorded');
  const { updatedAt } = (await app.call('GET', path)).body.data;
  const again = await app.call('POST', path, { token, body: { language: 'en', regenerate: true } });
  assert.equal(again.body.data.updatedAt, updatedAt);
});
