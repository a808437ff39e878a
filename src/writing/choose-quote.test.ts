import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseQuote } from './choose-quote.ts';

const nothing = { description: '', commitMessages: [], comments: [], background: [], diff: [] };

test('the first sentence that can stand by itself is quoted, of the description before commits and code', () => {
  const said = 'Night orders were promised a day too early because of zones.';
  assert.deepEqual(chooseQuote({ ...nothing, description: `Hi!\n\n${said}` }), {
    text: said,
    from: 'description',
  });
  assert.deepEqual(chooseQuote({ ...nothing, commitMessages: [`Fix\n\n${said}`] }), {
    text: said,
    from: 'commit',
  });
  assert.equal(chooseQuote({ ...nothing, commitMessages: [said] }), null);
});

test('keys and addresses, bare ones too, are never quoted', () => {
  const key = `ghp_${'a1B2c3D4'.repeat(5)}`;
  for (const found of [
    key,
    'https://evil.example',
    'www.evil.example',
    'evil.example/login',
    'me@evil.example',
  ]) {
    const description = `Whoever wants to know more about it takes ${found} and looks there.`;
    assert.equal(chooseQuote({ ...nothing, description }), null, found);
  }
});

test('a sentence may begin or end with a speech, but not with half of one', () => {
  const whole = '"Sometime on Thursday" is the most common complaint that reaches support.';
  assert.equal(chooseQuote({ ...nothing, description: whole })?.text, whole);
  const asked = 'What reaches support most often is the question "When will it be there?"';
  assert.equal(chooseQuote({ ...nothing, description: asked })?.text, asked);
  const half = '"Nobody told me when the parcel would be there. So I waited for it the whole day long."';
  assert.equal(chooseQuote({ ...nothing, description: half }), null);
});

test('who speaks of code that the change does not show is not quoted: a later commit may have taken it back', () => {
  const said = 'Trained with train!(...; caching_allocator=false) on one machine.';
  const diff = (text: string) => [{ bytes: Buffer.from(text) }];
  const words = { ...nothing, commitMessages: [`Add an example\n\n${said}`] };
  assert.equal(chooseQuote({ ...words, diff: diff('+train!(model)') }), null);
  assert.equal(chooseQuote({ ...words, diff: diff('+train!(model; caching_allocator=false)') })?.text, said);
});
