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

test('what takes something back, or announces a list that is not quoted, is no quotation', () => {
  for (const description of [
    'There have been two big complications so far, though.',
    'First & most serious, some shops need to opt out of zones.',
    'There are several reasons why the zones were wrong.',
    'The zones are, however, still read from the old table.',
  ])
    assert.equal(chooseQuote({ ...nothing, description }), null, description);
  const whole = 'There is a zone for every shop, even though few of them need one.';
  assert.equal(chooseQuote({ ...nothing, description: whole })?.text, whole);
});

test('a comment that stood in the diff before is not quoted from where it comes once more', () => {
  const said = "Placement equivalent to 'X' button on the Xbox 360 controller.";
  const comments = [said];
  const added = Buffer.from(`@@ -1,0 +1,3 @@\n+\t/**\n+\t * ${said}\n+\t */\n`);
  const known = Buffer.from(
    "@@ -1,4 +1,3 @@\n \t/**\n-\t * Placement equivalent to 'X' button\n \t * on the Xbox 360 controller.\n \t */\n",
  );
  assert.equal(chooseQuote({ ...nothing, comments, diff: [{ bytes: added }] })?.text, said);
  assert.equal(chooseQuote({ ...nothing, comments, diff: [{ bytes: added }, { bytes: known }] }), null);
  const emphasized = Buffer.from(`@@ -1,2 +1,1 @@\n-> **${said.replace(' ', '** ')}\n \n`);
  assert.equal(chooseQuote({ ...nothing, comments, diff: [{ bytes: emphasized }] }), null);
});
