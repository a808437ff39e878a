import assert from 'node:assert/strict';
import { test } from 'node:test';
import { buildTestApp } from '../../test/build-app.ts';
import { removeRepository } from '../actions/repositories/remove-repository.ts';

const parcel = { host: 'git', owner: 'harborline', name: 'parcel' };
const environment = { AI_MODEL: 'compatible/none', AI_BASE_URL: 'http://127.0.0.1:1/v1' };

const remedy = 'record the replies again: npm run samples:record';
const recorded = [3, 10, 11, 12, 13, 17];

test('on first start the samples, except a removed one, get articles in English and Japanese: six by recorded replies, which pass their checks whole and cost nothing', async () => {
  const app = await buildTestApp({ environment });
  await removeRepository({ database: app.database, clock: app.now }, { ...parcel, number: 15 });
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
  for (const number of [11, 13]) {
    const path = `/repos/harborline/parcel/pulls/${number}/questions`;
    const answers = (await app.call('GET', path, { token })).body.data.items;
    assert.equal(answers.length, 4, remedy);
    for (const { question, writer, found, own, verification } of answers)
      assert.deepEqual(
        [writer.provider, found, own, verification.dropped],
        ['recorded', true, false, 0],
        `${question} ${remedy}`,
      );
    for (const language of ['en', 'ja']) {
      const page = (await app.call('GET', `/r/harborline/parcel/${number}?language=${language}`)).text;
      const shown = answers.filter(({ question }: { question: string }) => page.includes(question));
      const languages = shown.map(({ languageCode }: { languageCode: string }) => languageCode);
      assert.deepEqual(languages, [language, language], 'readers without an account see both answers');
    }
  }
  for (const language of ['en', 'ja']) {
    const home = (await app.call('GET', '/', { headers: { 'accept-language': language } })).text;
    const [, lead, leadLanguage] = /href="\/r\/harborline\/parcel\/(\d+)\?language=(\w+)"/.exec(home) ?? [];
    assert.deepEqual([recorded.includes(Number(lead)), leadLanguage], [true, language]);
  }
});

test('a start with articles by an older release replaces those without a model where replies are recorded, once', async () => {
  const app = await buildTestApp();
  for (const number of Array.from({ length: 17 }, (_, index) => index + 1).filter((one) => one !== 12))
    await removeRepository({ database: app.database, clock: app.now }, { ...parcel, number });
  const token = await app.signUp('ann');
  const path = '/repos/harborline/parcel/pulls/12/article';
  const article = async () => (await app.call('GET', path)).body.data;
  await app.call('POST', path, { token, body: { language: 'en' } });
  assert.equal((await article()).contents.en.writer.kind, 'offline');
  await app.fillWithSamples();
  const { contents, updatedAt } = await article();
  assert.equal(contents.en.writer.provider, 'recorded');
  assert.equal(contents.ja.writer.provider, 'recorded');
  assert.equal((await app.call('GET', '/meta')).body.data.writer, 'offline', 'no model is connected');
  const again = await app.call('POST', path, { token, body: { language: 'en', regenerate: true } });
  assert.equal(again.body.data.updatedAt, updatedAt);
});
