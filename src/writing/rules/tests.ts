import { likeness } from '../../domain/text.ts';
import type { Evidence, FileFacts, TestChange } from '../../reading/facts.ts';
import { type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { innermostRange } from '../../reading/name-ranges.ts';
import { lineKey, type SameEdit } from '../../reading/same-edits.ts';
import type { ArticleSource, Hunk } from '../articles.ts';
import { shownIn } from './hunks.ts';
import { codeNames, type RuleSentence } from './phrases.ts';
import { isChanged, isIn } from './pieces.ts';

interface TestSentences {
  added: string[];
  sentences: RuleSentence[];
  files: string[];
}

const mostRemoved = 5;
const mostAssertions = 3;
const longestAssertion = 100;
const leastAlike = 0.6;

export function testsOf(
  { facts: { files }, diff }: ArticleSource,
  hunks: Hunk[],
  edits: SameEdit[],
): TestSentences | null {
  const byPath = new Map(diff.map((file) => [file.path, file]));
  const all = files.flatMap((file) => newTestsIn(file, byPath.get(file.path)));
  const isShown = shownIn(hunks);
  const added = all.every(({ evidence }) => isShown(evidence)) ? [] : all;
  const removed = files.flatMap(({ tests }) => tests.filter(({ change }) => change === 'removed'));
  const removedNames = codeNames(
    removed.map(({ name }) => name),
    mostRemoved,
  );
  const removal: RuleSentence = {
    say: (phrases) => phrases.removedTests(removedNames),
    evidence: removed.map(({ evidence }) => evidence),
  };
  const explained = new Set(edits.flatMap(({ lines }) => [...lines]));
  const edited = files.filter(({ kind, skipped }) => kind === 'test' && skipped === null);
  const areTestsShown = edited.some(({ path }) => hunks.some(({ fileName }) => fileName === path));
  const assertions = new Map(
    (areTestsShown ? [] : edited).flatMap((file) => assertionsIn(file, byPath.get(file.path), explained)),
  );
  const sentences = [
    // A removed test is not reported beside new ones, because it may have been renamed.
    ...(removed.length > 0 && all.length === 0 ? [removal] : []),
    ...(assertions.size <= mostAssertions ? assertions.values() : []),
  ];
  const names = [...new Set(added.map(({ name }) => name))];
  if (names.length + sentences.length === 0) return null;
  const places = [
    ...added,
    ...sentences.flatMap(({ evidence }) => evidence.map((one) => ({ evidence: one }))),
  ];
  return { added: names, sentences, files: places.map(({ evidence: { fileName } }) => fileName) };
}

/**
 * Tests whose first lines are new, without nested ones: a test with old lines below a new first line was only renamed.
 */
function newTestsIn({ tests, ranges }: FileFacts, diff: FileDiff | undefined): TestChange[] {
  const heads = new Set(
    (diff?.hunks ?? []).flatMap((hunk) => {
      const lines = linesOf(hunk).filter(({ side, text }) => side !== 'removed' && text.trim() !== '');
      return lines.flatMap(({ newLine }, at) =>
        lines.slice(at, at + 2).every(isChanged) ? [newLine ?? 0] : [],
      );
    }),
  );
  const added = tests.filter(({ change, evidence }) => change === 'added' && heads.has(evidence.startLine));
  const isInside = ({ evidence }: TestChange): boolean => {
    const around = innermostRange(
      ranges.filter(({ isFunction, startLine }) => isFunction && startLine < evidence.startLine),
      evidence,
    );
    return added.some((other) => other.evidence.startLine === around?.startLine);
  };
  return added.filter((test) => !isInside(test));
}

const assertion =
  /^\s*(?:(?:self\.)?assert\w*!?[\s(.]|expect\w*[\s(]|require\.\w+\(|\w{1,3}\.(?:is|equal|deepEqual|same|Equal)\w*\(|(?:EXPECT|ASSERT)_\w+\()/;

function assertionsIn(
  { path, changes, ranges }: FileFacts,
  diff: FileDiff | undefined,
  explained: ReadonlySet<string>,
): [key: string, RuleSentence][] {
  const lines = (diff?.hunks ?? []).flatMap(linesOf).filter(({ text }) => assertion.test(text));
  const textAt = (span: Evidence): string => {
    const isOther =
      span.startLine === span.endLine && !explained.has(lineKey(path, span.side, span.startLine));
    return (isOther && lines.find((line) => isChanged(line) && isIn(line, span))?.text.trim()) || '';
  };
  return changes.flatMap(({ kind, old, new: current }): [string, RuleSentence][] => {
    if (kind !== 'replaced' || !old || !current) return [];
    const [from, to] = [textAt(old), textAt(current)];
    const isShort = [from, to].every((text) => text !== '' && text.length <= longestAssertion);
    const [before, after] = [innermostRange(ranges, old), innermostRange(ranges, current)];
    if (!isShort || likeness(from, to) < leastAlike || (before && before.name !== after?.name)) return [];
    const test = after?.isFunction ? after.name : null;
    const say: RuleSentence['say'] = (phrases) => phrases.assertion(test, from, to);
    return [[`${from}\0${to}`, { say, evidence: [old, current] }]];
  });
}
