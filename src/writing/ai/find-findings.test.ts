import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../test/diff-of.ts';
import { readFacts } from '../../../test/read-facts.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import type { Draft, Sentence } from '../draft.ts';
import { Ground } from '../verify/ground.ts';
import { findFindings } from './find-findings.ts';

const say = (text: string, more: Partial<Sentence> = {}): Sentence => ({
  text,
  basis: 'diff',
  quote: null,
  evidence: [],
  words: [],
  facts: [],
  ...more,
});

const silent: Draft = {
  title: say('A title'),
  ownTitle: 'A title',
  standfirst: null,
  scope: null,
  authorWords: null,
  changeTypes: [],
  background: [],
  mainChanges: [],
  notablePoints: [],
  tests: null,
  also: [],
};

function findIn(diff: FileDiff[], rules: Draft = silent) {
  const text = { repository: 'some/where', title: 'A title', body: null, commitMessages: [], labels: [] };
  const facts = readFacts(text, diff);
  const ranges = new Map(facts.files.map((file) => [file.path, file.ranges]));
  return findFindings(rules, facts, new Ground({ diff, words: [], ranges }));
}

const source = diffOf(
  'src/parcel.ts',
  `
-export function weigh(parcel: Parcel): number {
+export function weigh(parcel: Parcel, unit: string): number {
   return parcel.weight;
 }
-export const limit = 30;
+export const limit = 60;
+export function label(parcel: Parcel): string {
+  return parcel.name;
+}
-export function discard(parcel: Parcel): void {
-  parcel.remove();
-}
`,
);
const manifest = diffOf(
  'package.json',
  '\n   "dependencies": {\n-    "undici": "8.1.0"\n+    "undici": "8.2.0"\n   }\n',
);

test('findings state additions, removals, parameters, values and versions, each with a fact', () => {
  const findings = findIn([source, manifest]);
  const texts = findings.map(({ text }) => text);
  for (const expected of [
    'New function `label`.',
    'The function `discard` is removed.',
    '`weigh` takes a new parameter `unit`.',
    '`limit`: `30` → `60`.',
    '`undici`: `8.1.0` → `8.2.0`.',
  ])
    assert.ok(texts.includes(expected), `${expected} is not in ${texts.join(' ')}`);
  for (const { text, facts } of findings) assert.ok(facts.length > 0, text);
});

test('a function that moved is neither new nor removed', () => {
  const body = (sign: string) =>
    `\n${sign}export function stamp(parcel: Parcel): void {\n${sign}  parcel.mark();\n${sign}  parcel.seal();\n${sign}}\n`;
  const texts = findIn([diffOf('src/old.ts', body('-')), diffOf('src/new.ts', body('+'))]).map(
    ({ text }) => text,
  );
  assert.ok(!texts.some((text) => /New function|is removed/.test(text)), texts.join(' '));
  assert.ok(texts.includes('The function `stamp` moves from `src/old.ts` to `src/new.ts`.'), texts.join(' '));
});

test('sentences of the rules about lines are findings, and quoted words are not', () => {
  const evidence = [{ fileName: 'src/parcel.ts', startLine: 1, endLine: 1, side: 'new' as const }];
  const rules: Draft = {
    ...silent,
    standfirst: say('Parcels are heavy', { basis: 'words', source: 'changelog' }),
    scope: { kind: 'tests', sentence: say('Tests only.', { evidence }) },
  };
  const findings = findIn([source], rules);
  const text = 'Tests only.';
  assert.deepEqual(findings[1], { text, evidence, facts: [{ relation: 'found', text }] });
  assert.ok(!findings.some(({ text }) => text === 'Parcels are heavy' || text === 'A title'));
});
