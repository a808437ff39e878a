import assert from 'node:assert/strict';
import { test } from 'node:test';
import { commentSignsIn } from '../comment-signs.ts';
import type { FileFacts, FileKind } from '../facts.ts';
import { readHunkLines } from '../hunk-lines.ts';
import { parseDiff } from '../parse-diff.ts';
import { WholeDiff } from '../whole-diff.ts';
import { attentionInFacts } from './in-facts.ts';
import { attentionInLines } from './in-lines.ts';
import { mergeAttention } from './merge.ts';

function change(path: string, lines: string[]) {
  const removed = lines.filter((line) => line.startsWith('-')).length;
  const text = [
    `diff --git a/${path} b/${path}`,
    'index 1111111..2222222 100644',
    `--- a/${path}`,
    `+++ b/${path}`,
    `@@ -10,${removed} +10,${lines.length - removed} @@`,
    ...lines,
    '',
  ].join('\n');
  const [file] = parseDiff(Buffer.from(text));
  if (!file) throw new Error('The diff has no file.');
  return file;
}

function factsOf(path: string, kind: FileKind, more: Partial<FileFacts> = {}): FileFacts {
  return {
    path,
    previousPath: null,
    status: 'modified',
    kind,
    language: null,
    additions: 1,
    deletions: 1,
    changeType: 'CHORE',
    importance: 0,
    symbols: [],
    dependencies: [],
    surfaces: [],
    tests: [],
    edits: [],
    isSubmodule: false,
    becameExecutable: null,
    place: null,
    skipped: null,
    ...more,
  };
}

function pointsIn(path: string, lines: string[], kind: FileKind = 'source') {
  const file = change(path, lines);
  const whole = new WholeDiff();
  whole.note(file);
  return attentionInLines(path, kind, readHunkLines(file.hunks, commentSignsIn(file)), whole);
}

const reasons = (path: string, lines: string[], kind: FileKind = 'source') =>
  pointsIn(path, lines, kind).map(({ category, reason }) => `${category} ${reason}`);

test('lines about signing in, cryptography, concurrency and caches are noticed, with the line they stand on', () => {
  assert.deepEqual(reasons('src/a.ts', ['+if (!user.password) return deny();']), [
    'SECURITY authenticationTouched',
  ]);
  assert.deepEqual(reasons('src/a.ts', ['+return timingSafeEqual(one, other);']), [
    'SECURITY cryptographyTouched',
  ]);
  assert.deepEqual(reasons('src/a.ts', ['+await Promise.all(jobs);']), ['TECH concurrency']);
  assert.deepEqual(reasons('src/a.ts', ['+const cached = memo.get(key);']), ['PERF performanceSensitive']);
  const [point] = pointsIn('src/a.ts', ['-one', '+const jwt = sign(user);']);
  assert.deepEqual(point?.evidence, [{ fileName: 'src/a.ts', startLine: 10, endLine: 10, side: 'new' }]);
});

test('comments, imports, other words and files that nobody runs are not', () => {
  for (const line of [
    'using System.Threading.Tasks;',
    'import bcrypt',
    'from threading import Lock',
    'use tls::Stream;',
  ])
    assert.deepEqual(reasons('src/a.cs', [`+${line}`]), [], line);
  assert.deepEqual(reasons('src/a.cs', ['+using (var all = threading.Lock()) run();']), ['TECH concurrency']);
  assert.deepEqual(reasons('src/a.ts', ['+// the password is checked elsewhere']), []);
  assert.deepEqual(reasons('src/a.ts', ['+const author = "someone";']), []);
  assert.deepEqual(reasons('docs/a.md', ['+Set a password.'], 'documentation'), []);
  assert.deepEqual(reasons('test/a.ts', ['+login("password");'], 'test'), []);
});

test('migrations and text that users read are noticed where they are', () => {
  assert.deepEqual(reasons('migrations/2.sql', ['+ALTER TABLE parcels ADD COLUMN weight int;']), [
    'RISK schemaMigration',
  ]);
  assert.deepEqual(reasons('src/page.tsx', ['+<button>Send it now</button>']), ['UX userVisibleText']);
  assert.deepEqual(reasons('locales/en.json', ['+"send": "Send it"'], 'configuration'), [
    'UX userVisibleText',
  ]);
});

test('public functions that go or change, major upgrades and settings that go are risks', () => {
  const evidence = { fileName: 'src/a.ts', startLine: 1, endLine: 1, side: 'old' as const };
  const symbol = {
    container: null,
    previousName: null,
    movedFrom: null,
    movedTo: null,
    isEdited: false,
    wrapper: null,
    signatureEdits: [],
    concernsCallers: false,
    value: null,
    signature: null,
    previousSignature: null,
    explanation: null,
    evidence,
  };
  const files = [
    factsOf('src/a.ts', 'source', {
      symbols: [
        { ...symbol, kind: 'function', name: 'gone', change: 'removed', isPublic: true },
        { ...symbol, kind: 'function', name: 'inner', change: 'removed', isPublic: false },
        {
          ...symbol,
          kind: 'function',
          name: 'wider',
          change: 'signatureChanged',
          isPublic: true,
          concernsCallers: true,
        },
      ],
      surfaces: [{ kind: 'environmentVariable', name: 'OLD_PORT', change: 'removed', evidence }],
    }),
    factsOf('package.json', 'manifest', {
      dependencies: [
        {
          name: 'zod',
          change: 'upgraded',
          movedFrom: null,
          movedTo: null,
          from: '^3.25.0',
          to: '^4.3.0',
          scope: 'runtime',
          evidence,
        },
        {
          name: 'pino',
          change: 'upgraded',
          movedFrom: null,
          movedTo: null,
          from: '10.0.0',
          to: '10.4.0',
          scope: 'runtime',
          evidence,
        },
      ],
    }),
  ];
  const found = attentionInFacts(files).map(({ reason, subjects }) => `${reason}: ${subjects.join(' ')}`);
  assert.deepEqual(found, [
    'publicApiRemoved: gone',
    'publicApiChanged: wider',
    'majorUpgrade: zod',
    'settingRemoved: OLD_PORT',
  ]);
});

test('each reason is told once, with what all files say', () => {
  const point = (subject: string) => ({
    category: 'PERF' as const,
    reason: 'performanceSensitive' as const,
    subjects: [subject],
    transitions: [],
    evidence: [],
  });
  assert.deepEqual(mergeAttention([point('cache'), point('pool'), point('cache')]), [
    { ...point('cache'), subjects: ['cache', 'pool'] },
  ]);
});
