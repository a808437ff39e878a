import assert from 'node:assert/strict';
import { test } from 'node:test';
import { diffOf } from '../../../../test/diff-of.ts';
import { readFacts } from '../../../../test/read-facts.ts';
import { composeMaterial, type Note } from './read-parts.ts';

const lineCount = 60;
const lines = Array.from({ length: lineCount }, (_, at) => `+const value${at} = '${'long '.repeat(20)}';`);
const diff = [diffOf('src/a.ts', `\n${lines.join('\n')}`, { status: 'added' })];
const text = { repository: 'some/where', title: 'Values', body: null, commitMessages: [], labels: [] };
const source = { diff, facts: readFacts(text, diff, new Map()), findings: [], sentences: [] };

const noteOn = (line: number, weight: number): Note => {
  const evidence = [
    { fileName: 'src/a.ts', startLine: line, endLine: line, side: 'new' as const, hostUrl: null },
  ];
  const sentence = {
    text: `It has ${line}.`,
    basis: 'diff' as const,
    quote: null,
    evidence,
    words: [],
    facts: [],
  };
  return { sentence, weight };
};

const printed = (shown: string[], label: RegExp): string[] => shown.filter((line) => label.test(line));

test('the prompt shows each note with the few lines around it, not with its whole hunk, and notes of greater weight come first', () => {
  const notes = [noteOn(5, 1), noteOn(25, 5), noteOn(45, 3)];
  const { lines: shown } = composeMaterial(source, notes, 10_000);
  assert.deepEqual(
    printed(shown, /^n\d/),
    ['n1 (5; f1+25) It has 25.', 'n2 (3; f1+45) It has 45.', 'n3 (1; f1+5) It has 5.'],
    'the weightiest first',
  );
  assert.equal(printed(shown, /^\d+\+/).length, 21);
});

test('notes have space beside many findings and words, and words take at most a third', () => {
  const sentences = Array.from({ length: 90 }, (_, at) => ({
    speaker: 'rin',
    where: 'comment' as const,
    text: `Said ${at}: ${'words '.repeat(15)}`,
  }));
  const many = Array.from({ length: lineCount }, (_, at) => noteOn(at + 1, 3));
  const findings = Array.from({ length: 60 }, (_, at) => ({
    text: `Found ${at}: ${'words '.repeat(40)}`,
    evidence: [],
    facts: [],
  }));
  const { lines: shown } = composeMaterial({ ...source, findings, sentences }, many, 10_000);
  assert.ok(printed(shown, /^n\d/).length > 3);
  const said = printed(shown, /^w\d/).join('\n');
  assert.ok(said.length > 3_100 && said.length <= 3_334, `${said.length} bytes of words`);
  assert.ok(printed(shown, /^k\d/).length > 0);
  assert.ok(Buffer.byteLength(shown.join('\n')) <= 10_000);
});

test('lines cited by many notes are counted once, and the lightest notes are left out if space is short', () => {
  const same = Array.from({ length: 30 }, (_, at) => ({ ...noteOn(30, 3), weight: (at % 5) + 1 }));
  const notesIn = (notes: Note[], bytes: number) =>
    printed(composeMaterial(source, notes, bytes).lines, /^n\d/);
  assert.equal(notesIn(same, 5_000).length, 30);
  const apart = Array.from({ length: 8 }, (_, at) => noteOn(at * 7 + 3, at < 4 ? 5 : 1));
  const left = notesIn(apart, 8_000);
  assert.ok(left.length >= 4 && left.length < 8, `${left.length} notes`);
  assert.equal(printed(left, /^n\d+ \(5;/).length, 4);
});
