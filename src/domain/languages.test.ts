import assert from 'node:assert/strict';
import { test } from 'node:test';
import { chooseLanguage } from './languages.ts';

const none = { requested: undefined, own: undefined, acceptLanguage: undefined };

test('a request for Norwegian matches nb, nn and no, the requested form first, and a request for another language matches none of them', () => {
  const norwegian = ['nb', 'nn', 'no'];
  for (const wanted of norwegian) {
    for (const code of norwegian) {
      const available = ['en', code];
      assert.equal(chooseLanguage(available, { ...none, requested: wanted }), code, `${wanted} of ${code}`);
      assert.equal(chooseLanguage(available, { ...none, own: wanted }), code);
      assert.equal(chooseLanguage(available, { ...none, acceptLanguage: `${wanted}-NO, en;q=0.9` }), code);
    }
    assert.equal(chooseLanguage(['en', ...norwegian], { ...none, requested: wanted }), wanted);
  }
  assert.equal(chooseLanguage(['en', 'nb'], { ...none, acceptLanguage: 'sv, da' }), 'en');
  assert.equal(chooseLanguage(['nb'], { ...none, requested: 'sv' }), null);
});
