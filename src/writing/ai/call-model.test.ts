import assert from 'node:assert/strict';
import { test } from 'node:test';
import { readReply } from './call-model.ts';

const whole = { isCut: false };

test('a JSON object is found inside fences, prose or thinking', async () => {
  const object = '{"title": "a {b} \\" c", "list": [{"n": 1}]}';
  const expected = JSON.parse(object);
  const dressed = [
    object,
    `\n\n${object}\n`,
    `\`\`\`json\n${object}\n\`\`\``,
    `Here you are:\n\n\`\`\`\n${object}\n\`\`\`\nDoes that help?`,
    `<think>Should I write {"title": "no"}? No.</think>${object}`,
    `I think {"title": "no", "list": []} might do.</think>\n${object}`,
    `<thinking>{"title": 1}</thinking> As {asked} for: ${object}`,
    `{"note": 1}\n${object}`,
  ];
  for (const text of dressed) assert.deepEqual(await readReply(text, whole), expected, text);
});

test('unquoted keys, single quotes, trailing and missing commas in JSON are corrected', async () => {
  assert.deepEqual(await readReply('{title: \'a\', "list": [1, 2,],}', whole), { title: 'a', list: [1, 2] });
  assert.deepEqual(await readReply('{"title": "a" "list": []}', whole), { title: 'a', list: [] });
});

test('a model reply that is not a JSON object is rejected', async () => {
  for (const text of ['', 'I am sorry.', '[1, 2]', '"text"', '}{', 'a { b', '{'.repeat(100_000)]) {
    assert.equal(await readReply(text, whole), undefined, text.slice(0, 20));
  }
});

test('a truncated reply is neither completed nor read in part, and a complete object in it is read', async () => {
  const text = '{"verdicts": [{"n": 1, "verdict": "holds"}, {"n": 2, "verd';
  assert.equal(await readReply(text, { isCut: true }), undefined);
  assert.deepEqual(await readReply('{"verdicts": []}', { isCut: true }), { verdicts: [] });
});
