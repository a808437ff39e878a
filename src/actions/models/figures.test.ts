import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type TrialFigures, verdictOn, verdicts } from './figures.ts';

type Judged = Parameters<typeof verdictOn>[0];

const good: Judged = {
  articles: { asked: 4, written: 4, noRoom: 0, seconds: 1, tokens: 1 },
  sentences: { written: 30, byRules: 30, kept: 30, mended: 0, dropped: 0 },
  reader: {
    lies: { told: 20, caught: 20, missed: {} },
    truths: { told: 20, passed: 20, refused: 0 },
    unread: 0,
  },
  stopped: null,
};
const reader = (caught: number, passed: number): TrialFigures['reader'] => ({
  lies: { told: 20, caught, missed: {} },
  truths: { told: 20, passed, refused: 20 - passed },
  unread: 0,
});
const articles = (written: number) => ({ ...good.articles, written });
const sentences = (byRules: number, kept: number) => ({ ...good.sentences, byRules, kept });

test('`verdictOn` changes its verdict exactly at each threshold', () => {
  const cases: [Partial<Judged>, string][] = [
    [{}, verdicts.good],
    [{ articles: articles(3) }, verdicts.good],
    [{ articles: articles(2) }, verdicts.weakWriter],
    [{ sentences: sentences(30, 20) }, verdicts.good],
    [{ sentences: sentences(30, 19) }, verdicts.weakWriter],
    [{ reader: reader(18, 18) }, verdicts.good],
    [{ reader: reader(17, 20) }, verdicts.weakReader],
    [{ reader: reader(20, 17) }, verdicts.weakReader],
    // The verdict on the writer ignores the sentences that an unreliable second model kept or dropped.
    [{ reader: reader(0, 0), sentences: sentences(30, 0) }, verdicts.weakReader],
    [{ reader: reader(0, 20), sentences: sentences(10, 30) }, verdicts.weakWriter],
    [{ reader: null }, verdicts.untriedReader],
    [{ reader: null, sentences: sentences(10, 10) }, verdicts.weakWriter],
    [{ articles: articles(0), sentences: { ...sentences(0, 0), written: 0 } }, verdicts.weakWriter],
    [{ stopped: { model: 'a/b', reason: 'timeout' } }, verdicts.silent],
  ];
  for (const [change, expected] of cases)
    assert.equal(verdictOn({ ...good, ...change }), expected, JSON.stringify(change));
});
