import assert from 'node:assert/strict';
import { test } from 'node:test';
import { emptySentence, type PlacedSentence, type Sentence, type SpokenWords } from '../../draft.ts';
import { createReviewRules } from './review-rules.ts';

const said = (speaker: string, text: string, more: Partial<SpokenWords['said'] & {}> = {}): SpokenWords => ({
  speaker,
  where: 'comment',
  text,
  said: { comment: text, place: 0, isByAuthor: false, state: null, line: null, hunk: [], ...more },
});

const request = said('rin', 'We should not retry uploads that the server refused.');
const question = said('rin', 'Could the caller want a timeout?');
const approval = said('kim-lee', 'This reads well.', { state: 'approved' });
const reply = said('mika', 'Changed, because rin is right about refused uploads.', { isByAuthor: true });
const bare = said('mika', 'An empty part ends the loop.', { isByAuthor: true });
const title: SpokenWords = { speaker: 'mika', where: 'title', text: 'Send all parts' };
const rules = createReviewRules([title, request, question, approval, reply, bare]);

const placed = (text: string, words: SpokenWords[], more: Partial<Sentence> = {}): PlacedSentence => ({
  id: 0,
  part: 'change',
  item: 0,
  sentence: { ...emptySentence, basis: 'words', text, words, ...more },
});

const right: [text: string, words: SpokenWords[]][] = [
  ['rin asks not to retry uploads that the server refused.', [request]],
  ['A reviewer, rin, asks not to retry uploads that the server refused.', [request]],
  ['Uploads that the server refused should not be retried, writes rin.', [request]],
  ['rin asks the author whether the caller wants a timeout.', [question]],
  ['kim-lee approves the change.', [approval]],
  ['The author, mika, writes that an empty part ends the loop.', [bare]],
  ['The author agrees with rin about refused uploads.', [reply]],
  ['The author writes that refused uploads changed because of the review by rin.', [reply]],
  ['rin さんは、サーバーが断ったアップロードは再試行すべきでないと書いています。', [request]],
  ['作成者の mika さんは、空の部分でループが終わると書いています。', [bare]],
  ['`retry` is called once per part, as `rin` in the list of users shows.', []],
];

test('a sentence that names the author of the cited comment passes the rules for reviews', () => {
  for (const [text, words] of right)
    assert.deepEqual(rules(placed(text, words, words.length === 0 ? { basis: 'diff' } : {})), [], text);
});

const wrong: [text: string, words: SpokenWords[], reason: RegExp, more?: Partial<Sentence>][] = [
  ['kim-lee asks not to retry refused uploads.', [request], /does not name rin/],
  ['rin and kim-lee ask not to retry refused uploads.', [request], /names kim-lee/],
  ['rin is asked by Linus not to retry refused uploads.', [request], /Linus says/],
  ['Linus, to whom rin replies, wrote that uploads are refused.', [request], /Linus says/],
  ['The author asks rin not to retry refused uploads.', [request], /rin is not the author/],
  ['The reviewer mika writes that an empty part ends the loop.', [bare], /mika is the author/],
  ['作成者は、rin さんに再試行しないよう求めています。', [request], /rin is not the author/],
  ['kim-lee さんは、rin さんに再試行しないよう求めています。', [request], /names kim-lee/],
  ['A reviewer asks not to retry refused uploads.', [request], /does not name rin/],
  ['rin approves the change.', [request], /did not approve/],
  ['rin さんは変更を承認しています。', [request], /did not approve/],
  ['rin asks not to retry uploads, and it was done.', [request], /was done/],
  ['mika writes that an empty part no longer ends the loop.', [bare], /was done/],
  ['Because of the comment by rin, refused uploads are dropped.', [request], /as the reason/],
  ['rin さんの指摘を受けて、再試行をやめています。', [request], /as the reason/],
  ['rin rightly asks not to retry refused uploads.', [request], /verdict/],
  ['The author overlooked this, writes rin.', [request], /verdict/],
  ['rin asks about it, and mika agrees.', [request, reply], /one person/],
  ['rin asks about it.', [request], /basis `words`/, { basis: 'diff' }],
  ['rin asks about it.', [request], /no label/, { label: 'security' }],
  ['Refused uploads are dropped because rin asked.', [], /as the reason/, { basis: 'diff' }],
  ['Approved by kim-lee, `retry` is called.', [], /approval/, { basis: 'diff' }],
  ['`retry` is called, as rin wanted.', [], /rin says|what rin/, { basis: 'diff' }],
  ['kim-lee will like it.', [], /judges a person/, { basis: 'judgement' }],
];

test('a sentence about a review with another speaker, approval, result, reason or verdict fails the rules', () => {
  for (const [text, words, reason, more] of wrong)
    assert.match(rules(placed(text, words, more)).join('; '), reason, text);
});

test('a title, a lead and the rest of an article do not cite comments', () => {
  for (const part of ['title', 'standfirst', 'heading', 'also'] as const)
    assert.match(rules({ ...placed('rin asks about it.', [request]), part }).join(), /in sentences only/);
});
