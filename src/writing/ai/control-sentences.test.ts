import assert from 'node:assert/strict';
import { test } from 'node:test';
import { numbersFrom } from '../../../test/chance.ts';
import { diffOf } from '../../../test/diff-of.ts';
import { readFacts } from '../../reading/read-facts.ts';
import type { Sentence } from '../draft.ts';
import { controlSentence } from './control-sentences.ts';
import { labelMaterial } from './material.ts';

const diff = [
  diffOf(
    'src/send.ts',
    '\n export function send(mail) {\n-  openSocket(mail);\n+  const parcel = wrapParcel(mail);\n+  deliverLater(parcel);\n }\n',
  ),
  diffOf('src/other.ts', '\n+export const retryLimit = 5;\n'),
];
const text = { repository: 'acme/mail', title: 'A', body: null, commitMessages: [], labels: [] };
const facts = readFacts(text, diff, new Map());
const material = labelMaterial({ diff, facts, findings: [], sentences: [] }, 10_000) ?? assert.fail();

const say = (said: string): Sentence => ({
  text: said,
  basis: 'diff',
  quote: null,
  evidence: [{ fileName: 'src/send.ts', side: 'new', startLine: 2, endLine: 3 }],
  words: [],
  facts: [],
});

function controls(sentences: Sentence[], language = 'en'): Set<string> {
  const random = numbersFrom(7);
  const shuffle = <Item>(items: Item[]): Item[] =>
    items
      .map((item) => ({ item, at: random() }))
      .sort((one, other) => one.at - other.at)
      .map(({ item }) => item);
  return new Set(
    Array.from({ length: 60 }, () => {
      const sentence = controlSentence(material, { sentences, language, shuffle, used: 0 });
      return sentence?.text ?? assert.fail();
    }),
  );
}

/** What each side alone has. */
const came = /`(?:wrapParcel|deliverLater)`/;
const went = /`openSocket`/;
const goes = /no longer|removes|drops|any more|is gone|削除|なくな/;
const comes = /now (?:uses|calls)|adds|is new|gains|From now on|追加|新たに|加わ/;

test('a control says the reverse of what the lines show, in many wordings', () => {
  for (const language of ['en', 'ja']) {
    const all = controls([say('`send` is another one.')], language);
    assert.ok(all.size > 5, `${all.size} wordings`);
    for (const one of all)
      assert.ok(
        (came.test(one) && goes.test(one)) || (went.test(one) && comes.test(one)) || /`retryLimit`/.test(one),
        one,
      );
  }
});

test('a control may be a sentence of the article with its direction reversed, or with a name of another place', () => {
  const all = controls([say('`send` now calls `deliverLater` for `mail`.')]);
  assert.ok(all.has('`send` no longer calls `deliverLater` for `mail`.'));
  assert.ok(all.has('`send` now calls `deliverLater` for `retryLimit`.'));
  for (const one of all) assert.notEqual(one, '`send` now calls `deliverLater` for `mail`.');
});

test('among sentences of another language, a control is in that language where one can be made', () => {
  const all = controls([say('`send` appelle `deliverLater` pour `mail`.')], 'fr');
  assert.deepEqual([...all], ['`send` appelle `deliverLater` pour `retryLimit`.']);
});
