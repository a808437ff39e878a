import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { startScriptedModel } from '../../../test/model/scripted-model.ts';
import type { Reply } from '../../../test/model/wire.ts';
import { createEgressClient } from '../../egress/egress-client.ts';
import { createAsk } from './ask-model.ts';
import { createModel } from './model.ts';
import { ModelFailure } from './model-question.ts';
import { ArticleReply } from './reply-forms.ts';

const server = await startScriptedModel();
const egress = createEgressClient(
  {},
  { origins: [server.url], mayBePrivate: true, patienceMs: 30_000, mostBytes: 1024 * 1024 },
);
after(egress.close);

const said = (text: string) => ({ refs: ['f1+1'], quote: 'a', basis: 'diff', text });
const replyWith = (title: string, ...texts: string[]) => ({
  background: texts.map(said),
  sections: [],
  beforeAfter: [],
  rest: [],
  lead: { of: [], text: '' },
  title: { of: [], text: title },
});
const english = replyWith(
  'Estimates promise calendar days',
  'The function now counts the days of the recipient and not those of the sender, so that promises are kept.',
);
const japanese = replyWith(
  '見積もりは受取人の暦で数えます',
  'この関数は差出人ではなく受取人の暦で日数を数えるようになり、約束した日付が守られます。',
);

/** Plays replies to one question; returns the outcome and the requests. */
async function play(replies: Reply[], language: string | null = 'en') {
  const model = createModel(
    {
      provider: 'anthropic',
      name: 'claude-sonnet-4-5',
      apiKey: 'key',
      baseUrl: server.baseUrl('anthropic'),
      isOwnAddress: true,
      contextTokens: undefined,
      outputTokens: 16_000,
      timeoutMs: 20_000,
    },
    { fetch: egress.fetch, clock: () => new Date(), wait: async () => {} },
  );
  const ask = createAsk({
    put: model.ask,
    askAgain: 'No: {{complaint}} Again.',
    language,
    maxOutputTokens: 16_000,
    signal: new AbortController().signal,
    onText: () => {},
  });
  server.play(replies);
  const before = server.heard.length;
  const outcome = await ask({ instructions: 'Write.', prompt: 'About this.', schema: ArticleReply }).catch(
    (error: unknown) => {
      if (error instanceof ModelFailure) return error.reason;
      throw error;
    },
  );
  const asked = server.heard
    .slice(before)
    .map(({ body }) =>
      body.messages.map(({ content }: { content: { text: string }[] }) =>
        content.map(({ text }) => text).join(''),
      ),
    );
  return { outcome, asked };
}

const json = (reply: unknown): Reply => ({ text: JSON.stringify(reply) });

test('a reply with thinking, fences, prose, missing lists or labels, or extra fields is accepted', async () => {
  const unlabelled = { changeTypes: [], sentences: [said('It counts days now.')], show: '', heading: '' };
  const labelled = { ...unlabelled, sentences: [{ ...said('It counts days now.'), label: 'none' }] };
  const { rest: none, ...present } = english;
  assert.deepEqual(none, []);
  const text = `Sure.\n\`\`\`json\n${JSON.stringify({ ...present, sections: [unlabelled], mood: 'good' })}\n\`\`\`\nThat is it.`;
  const { outcome, asked } = await play([{ text, thinks: 'First { then }' }]);
  assert.deepEqual(outcome, { ...english, sections: [labelled] });
  assert.equal(asked.length, 1);
});

test('an invalid reply is asked for at most twice more, with the reply and the complaint', async () => {
  const invalid = { ...english, background: [{ ...said('Something.'), basis: 'guess' }] };
  const { outcome, asked } = await play([json(invalid), { text: 'I would rather not say.' }, json(english)]);
  assert.deepEqual(outcome, english);
  assert.deepEqual(
    asked.map(({ length }) => length),
    [1, 3, 5],
  );
  assert.equal(asked[1]?.[1], JSON.stringify(invalid));
  assert.match(
    asked[1]?.[2] ?? '',
    /^No: \/background\/0\/basis must be equal to one of the allowed values.* Again\.$/,
  );
  assert.match(asked[2]?.[4] ?? '', /^No: it is not a JSON object\. Again\.$/);

  const stubborn = await play([json({ text: 'Hello' })]);
  assert.equal(stubborn.outcome, 'badOutput');
  assert.equal(stubborn.asked.length, 3);
});

test('a truncated reply is asked for again in fewer words, and after three fails as cutOff', async () => {
  const cut: Reply = { text: JSON.stringify(english).slice(0, -30), ends: 'cutOff' };
  const { outcome, asked } = await play([cut, json(english)]);
  assert.deepEqual(outcome, english);
  assert.match(asked[1]?.[2] ?? '', /cut off because it is too long\. Give less/);
  const always = await play([cut]);
  assert.equal(always.outcome, 'cutOff');
  assert.equal(always.asked.length, 3);
  const nothing = await play([{ text: '', ends: 'cutOff' }, json(english)]);
  assert.deepEqual(nothing.outcome, english);
});

test('a reply in the wrong language is asked for once more', async () => {
  const { outcome, asked } = await play([json(english), json(japanese)], 'ja');
  assert.deepEqual(outcome, japanese);
  assert.match(asked[1]?.[2] ?? '', /it is not in Japanese/);
  const stubborn = await play([json(english)], 'ja');
  assert.equal(stubborn.outcome, 'badOutput');
  assert.equal(stubborn.asked.length, 2);
  const whatever = await play([json(english)], null);
  assert.equal(whatever.asked.length, 1);
});

test('code names, quotations and very short texts do not count as the wrong language', async () => {
  const quoting = replyWith(
    '`estimateDeliveryInCalendarDaysOfTheRecipient`',
    '`estimateDeliveryInCalendarDaysOfTheRecipient` は「orders placed at night were promised a day too early」という報告を直します。',
  );
  assert.equal((await play([json(quoting)], 'ja')).asked.length, 1);
  assert.equal((await play([json(replyWith('OK'))], 'ja')).asked.length, 1);
});
