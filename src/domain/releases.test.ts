import assert from 'node:assert/strict';
import { test } from 'node:test';
import {
  commitTitle,
  isRefName,
  parseRange,
  releaseWordsFor,
  saysBreaking,
  settleChanges,
  suggestRefs,
} from './releases.ts';

/** A change whose commit id begins with its number, or with letters of its title without one. */
const change = (number: number | null, title: string, body = '', more: string[] = []) => {
  const sha = (
    number === null ? `${Buffer.from(title).toString('hex')}${'a'.repeat(40)}` : `${number}${'0'.repeat(40)}`
  ).slice(0, 40);
  const brought = more.map((text) => ({ sha: 'b'.repeat(40), subject: '', body: text }));
  return { number, title, body, commits: [{ sha, subject: title, body }, ...brought] };
};
const shaOf = ({ commits: [first] }: ReturnType<typeof change>) => first?.sha ?? '';

const rocket = { owner: 'acme', name: 'rocket' };

/** The kept numbers, the reverted pairs and the backported pairs of changes given newest first. */
function settled(...changes: ReturnType<typeof change>[]) {
  const { kept, reverted, backported } = settleChanges(changes, rocket);
  const pairs = (of: typeof reverted) => of.map((pair) => `${pair.change.number}<${pair.other.number}`);
  return [kept.map(({ number }) => number), pairs(reverted), pairs(backported)];
}

test('`settleChanges` removes a revert with the change that it names, and keeps a revert whose change is not in the range', () => {
  const valve = change(4, 'Valve');
  const by = `This reverts commit ${shaOf(valve)}.`;
  assert.deepEqual(settled(change(5, 'Revert "Valve (#4)"'), valve), [[], ['4<5'], []]);
  assert.deepEqual(settled(change(5, 'Revert "Valve"', by), valve), [[], ['4<5'], []]);
  assert.deepEqual(settled(change(5, 'Take it back', by), valve), [[], ['4<5'], []]);
  assert.deepEqual(settled(change(5, 'Revert "Valve"', 'Reverts acme/rocket#4'), valve), [[], ['4<5'], []]);
  assert.deepEqual(settled(change(5, 'Revert "Valve"', '', [by]), valve), [[], ['4<5'], []]);
  assert.deepEqual(settled(change(5, 'Revert "Valve"'), valve), [[], ['4<5'], []]);
  // These reverts name another commit, another number, or a change that comes later.
  assert.deepEqual(settled(change(5, 'Revert "Valve"', `This reverts commit ${'9'.repeat(40)}.`), valve), [
    [5, 4],
    [],
    [],
  ]);
  assert.deepEqual(settled(change(5, 'Revert "Valve (#3)"'), valve), [[5, 4], [], []]);
  assert.deepEqual(settled(valve, change(5, 'Revert "Valve"')), [[4, 5], [], []]);
  // A squashed change quotes messages of its own commits, so a revert among them is not a revert of the whole.
  assert.deepEqual(settled(change(5, 'Pump', `* first\n\n* Revert "first"\n\n${by}`), valve), [
    [5, 4],
    [],
    [],
  ]);
});

test('a change that is reverted and reapplied is kept, and so is a revert of two changes when one is outside the range', () => {
  const valve = change(4, 'Valve');
  const undo = change(5, 'Revert "Valve (#4)"', `This reverts commit ${shaOf(valve)}.`);
  for (const redo of [
    change(6, 'Revert "Revert "Valve (#4)" (#5)"'),
    change(6, 'Reapply "Valve (#4)"', `This reverts commit ${shaOf(undo)}.`),
    change(6, 'Reapply "Valve (#4)"'),
  ])
    assert.deepEqual(settled(redo, undo, valve), [[4], ['5<6'], []]);
  const both = change(
    7,
    'Revert two',
    `This reverts commit ${shaOf(valve)}.\nThis reverts commit ${'8'.repeat(40)}.`,
  );
  assert.deepEqual(settled(both, valve), [[7], ['4<7'], []]);
});

test('a pull request counts as reverted if its merge or all its commits are reverted, not if only one of several is', () => {
  const [one, other] = ['c'.repeat(40), 'd'.repeat(40)];
  const parts = [one, other].map((sha) => ({ sha, subject: 'Part', body: '' }));
  const valve = change(4, 'Valve');
  const merge = { ...valve, commits: [...valve.commits, ...parts] };
  const naming = (...shas: string[]) => shas.map((sha) => `This reverts commit ${sha}.`).join('\n');
  assert.deepEqual(settled(change(5, 'Revert "Part"', naming(one)), merge), [[5, 4], [], []]);
  assert.deepEqual(settled(change(5, 'Revert "Part"', naming(one, other)), merge), [[], ['4<5'], []]);
  assert.deepEqual(settled(change(5, 'Revert "Valve"', naming(shaOf(valve))), merge), [[], ['4<5'], []]);
});

test('`settleChanges` reads 2,000 changes that each name 70 others fewer than 20 times each', () => {
  const shaAt = (place: number) => place.toString(16).padStart(8, '0').padEnd(40, '0');
  const changes = Array.from({ length: 2_000 }, (_, place) => {
    const names = Array.from({ length: 70 }, (_other, more) => shaAt(1e6 + 70 * place + more).slice(0, 8));
    const body = names.map((name) => `This reverts commit ${name}`).join('\n');
    const commits = [{ sha: shaAt(place), subject: '', body }];
    return {
      number: place + 1,
      title: 'Pump',
      body,
      get commits() {
        looks += 1;
        return commits;
      },
    };
  });
  let looks = 0;
  assert.equal(settleChanges(changes, rocket).kept.length, changes.length);
  assert.ok(looks < 20 * changes.length, `${looks} looks: one map, not every change for every name`);
});

test('a backport or cherry-pick is listed under its original', () => {
  const valve = change(4, 'Valve (#4)');
  for (const copy of [
    change(5, '[Backport 1.x] Valve'),
    change(5, 'Valve (backport #4)'),
    change(5, 'Valve of old', 'Backport of #4'),
    change(5, 'Valve', `(cherry picked from commit ${shaOf(valve)})`),
  ])
    assert.deepEqual(settled(copy, valve), [[4], [], ['5<4']], copy.title);
  assert.deepEqual(settled(change(5, '[Backport 1.x] Pump'), change(6, 'Valve'), valve), [[5, 6, 4], [], []]);
});

test("a revert or backport of another repository's number is not matched with this repository", () => {
  const valve = change(4, 'Valve');
  for (const other of [
    change(5, 'Revert "Valve"', 'Reverts upstream/lib#4'),
    change(5, 'Valve of theirs', 'Backport of upstream/lib#4'),
    change(5, '[Backport 1.x] Valve', 'Backport of upstream/lib#4'),
  ])
    assert.deepEqual(settled(other, valve), [[5, 4], [], []], other.body);
  assert.deepEqual(settled(change(5, 'Old valve', 'Backport of Acme/Rocket#4'), valve), [[4], [], ['5<4']]);
});

test('`saysBreaking` recognizes "!" and BREAKING CHANGE as in Conventional Commits', () => {
  assert.deepEqual(
    ['fix(api)!: less', 'feat!: more', 'fix: wow!', 'Mind! this: one'].map((title) =>
      saysBreaking(change(1, title)),
    ),
    [true, true, false, false],
  );
  assert.ok(saysBreaking(change(1, 'less', 'More.\n\nBREAKING CHANGE: none is left')));
});

test('`parseRange` reads two names with two or three dots, and `suggestRefs` lists the most similar names first and counts the others', () => {
  assert.deepEqual(parseRange('v1.4.0...release/v1.5'), { from: 'v1.4.0', to: 'release/v1.5' });
  assert.deepEqual(parseRange('a..b'), { from: 'a', to: 'b' });
  for (const text of ['v1', 'v1...', '...v1', 'a....b', 'a..b..c', '-n..b'])
    assert.equal(parseRange(text), null, text);
  assert.ok(['@scope/thing@1.2.0', 'v1', 'リリース', 'feat/x+y'].every(isRefName));
  const names = ['v1.4.1', 'v1.4.0', 'v2'];
  assert.deepEqual(suggestRefs('1.4', ['v2', 'v1.4.1', 'v1.4.0']), { names, more: 0, isWhole: true });
  const many = Array.from({ length: 14 }, (_, place) => `v${place}`);
  assert.deepEqual([suggestRefs('x', many).names.length, suggestRefs('x', many).more], [10, 4]);
});

test('`commitTitle` gives a merge the title of its pull request, and the count of further entries is translated', () => {
  const subject = 'Merge pull request #7 from ann/nozzle';
  assert.equal(commitTitle({ subject, body: '\nMend the nozzle\n\nAt last.' }), 'Mend the nozzle');
  assert.equal(commitTitle({ subject, body: '' }), subject);
  assert.equal(commitTitle({ subject: 'Tidy (#7)', body: 'By hand' }), 'Tidy (#7)');
  assert.deepEqual(
    ['en', 'ja', 'de'].map((language) => releaseWordsFor(language).more(62)),
    ['62 more', 'ほか 62 件', '62 more'],
  );
});
