import assert from 'node:assert/strict';
import { test } from 'node:test';
import { type ChangedList, lastMerged } from './lists.ts';

interface Item {
  number: number;
  changedAt: string;
  mergedAt: string | null;
}

const sizes = { usual: 2, large: 3, small: 1 };

/** A list as hosts return it, the latest change first. */
function listOf(items: Item[]): { list: ChangedList<Item>; read: () => number } {
  let calls = 0;
  const readPage = async (size: number, page: number) => {
    calls += 1;
    const rest = items.slice((page - 1) * size);
    return { items: rest.slice(0, size), isLast: rest.length <= size, tag: null };
  };
  const list: ChangedList<Item> = {
    sizes,
    readPage,
    changedAt: (item) => item.changedAt,
    numberOf: (item) => item.number,
    mergedOf: ({ number, mergedAt }) =>
      mergedAt === null
        ? null
        : {
            number,
            mergedAt: new Date(mergedAt),
            authorLogin: 'ada',
            isBot: false,
            isDraft: false,
            labels: [],
          },
  };
  return { list, read: () => calls };
}

const on = (day: number): string => `2026-03-${String(day).padStart(2, '0')}T12:00:00Z`;
const merged = (number: number, mergedOn: number, changedOn = mergedOn): Item => ({
  ...{ number, changedAt: on(changedOn), mergedAt: on(mergedOn) },
});

test('`lastMerged` finds the latest merges behind older ones with newer comments', async () => {
  const { list } = listOf([merged(1, 1, 20), merged(2, 2, 19), merged(9, 18), merged(8, 17), merged(7, 16)]);
  const last = await lastMerged(list, { most: 2, isWanted: () => true });
  assert.deepEqual(
    last?.map(({ number }) => number),
    [9, 8],
  );
});

test('`lastMerged` reads one page when no later page can have a newer merge', async () => {
  const { list, read } = listOf([merged(9, 18), merged(8, 17), merged(7, 16)]);
  const last = await lastMerged(list, { most: 2, isWanted: () => true });
  assert.deepEqual(
    last?.map(({ number }) => number),
    [9, 8],
  );
  assert.equal(read(), 1);
});
