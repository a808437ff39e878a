import assert from 'node:assert/strict';
import { test } from 'node:test';
import { setImmediate as turn } from 'node:timers/promises';
import { diffOf } from '../../../../test/diff-of.ts';
import { readFacts } from '../../../reading/read-facts.ts';
import { type PartReader, readParts } from './read-parts.ts';

const diff = Array.from({ length: 16 }, (_, at) => diffOf(`src/file${at}.ts`, `\n+const value = ${at};`));
const text = { repository: 'some/where', title: 'Values', body: null, commitMessages: [], labels: [] };
const source = { diff, facts: readFacts(text, diff, new Map()), findings: [], sentences: [] };
const prompts = {
  'write-article': '',
  'read-part': '',
  'judge-sentences': '',
  'mend-sentences': '',
  'say-again': '',
  'ask-again': '',
};
const checking = { check: async () => [], prompts, project: 'some/where', onProgress: () => {} };

test('parts that are too long are halved without asking more at a time than is allowed', async () => {
  let open = 0;
  let mostOpen = 0;
  let asked = 0;
  const reader: PartReader = {
    name: 'reader',
    async ask({ prompt }) {
      asked += 1;
      open += 1;
      mostOpen = Math.max(mostOpen, open);
      await turn();
      open -= 1;
      return (prompt.match(/^f\d+ /gm)?.length ?? 0) > 1 ? 'tooLong' : { notes: [] };
    },
    find: async () => null,
    save: async () => {},
    parallel: 2,
  };
  const { unread } = await readParts(checking, reader, source, [diff.slice(0, 8), diff.slice(8)]);
  assert.deepEqual([asked, unread.size, mostOpen], [30, 0, 2]);
});
