import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chance } from '../../../test/chance.ts';
import type { Statement } from '../../contract/article-parts.ts';
import type { PublishedContent } from '../../db/articles.ts';
import { withoutStatements } from './leave-out-lost.ts';

test('of 500 articles without some of their sentences, each has all the others and no text of those', () => {
  for (let seed = 1; seed <= 500; seed += 1) {
    const chance = new Chance(seed);
    const all: Statement[] = [];
    const some = (most: number): Statement[] =>
      Array.from({ length: Math.floor(chance.from(0, most)) }, () => {
        const id = `id${all.length}`;
        all.push({ id, text: `Sentence <${id}>.`, basis: 'words', evidence: [] });
        return all.at(-1) as Statement;
      });
    const joined = (statements: Statement[]): string => statements.map(({ text }) => text).join(' ');
    const background = some(3);
    const mainChanges = Array.from({ length: Math.floor(chance.from(1, 4)) }, (_, at) => {
      const statements = some(4);
      return { fileName: `src/${at}.ts`, statements, description: joined(statements) };
    });
    const notablePoints = mainChanges.flatMap(({ statements }) =>
      statements.slice(0, 1).map((one) => ({ statements: [one], point: one.text })),
    );
    const beforeAfter = { before: 'a()', after: 'b()', statements: mainChanges[0]?.statements.slice(0, 1) };
    const parts = { background, backgroundAndPurpose: joined(background), mainChanges, notablePoints };
    const content = { ...parts, beforeAfter } as unknown as PublishedContent;
    const lost = new Set(all.filter(() => Math.floor(chance.from(0, 2)) === 0).map(({ id }) => id));
    const left = withoutStatements(content, lost);
    const printed = JSON.stringify(left);
    for (const { id } of all) assert.equal(printed.includes(`<${id}>`), !lost.has(id), `${seed} ${id}`);
    assert.equal(left.mainChanges.length, mainChanges.length);
  }
});
