import assert from 'node:assert/strict';
import { test } from 'node:test';
import { thirdPerson } from './english/verbs.ts';
import { titleFromEnglish } from './japanese/translate-title.ts';

test('an English title says what the change does', () => {
  assert.equal(
    thirdPerson('add msgpack as a compressible content type').text,
    'Adds msgpack as a compressible content type',
  );
  assert.equal(thirdPerson('Fix crash on empty input').text, 'Fixes crash on empty input');
  assert.equal(thirdPerson('apply the limit twice').text, 'Applies the limit twice');
  assert.equal(thirdPerson("don't publish build info").text, 'No longer publishes build info');
  assert.equal(thirdPerson('always return a list').text, 'Always returns a list');
});

test('a title that begins with something else keeps its words and spelling', () => {
  assert.equal(thirdPerson('useState keeps its value').text, 'useState keeps its value');
  assert.equal(thirdPerson('test coverage for the router').text, 'Test coverage for the router');
  assert.equal(thirdPerson('better errors').text, 'Better errors');
});

test('English titles of a known pattern are put into Japanese, names as they are', () => {
  assert.equal(titleFromEnglish('add support for `msgpack`'), '`msgpack` 向けのサポートを追加');
  assert.equal(
    titleFromEnglish('remove obsolete version field from docker-compose.yml'),
    'docker-compose.yml から古いバージョンフィールドを削除',
  );
  assert.equal(titleFromEnglish('bump vite from 5.0.1 to 5.1.0'), 'vite を 5.0.1 から 5.1.0 に更新');
  assert.equal(titleFromEnglish('fix typos in docs'), 'ドキュメントの誤字を修正');
  assert.equal(titleFromEnglish('rename `open` to `read`'), '`open` を `read` に改名');
});

test('titles with a sentence, an adverb or a second verb in them are not guessed at', () => {
  assert.equal(titleFromEnglish('fix crash when the list is empty'), null);
  assert.equal(titleFromEnglish('set headers values correctly'), null);
  assert.equal(titleFromEnglish('update module count and fix typo'), null);
  assert.equal(titleFromEnglish('fetch the latest events in one query'), null);
  assert.equal(titleFromEnglish('types audit'), null);
});
