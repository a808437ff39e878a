import { type AttentionReason, attentionReasons } from '../../domain/attention-reasons.ts';
import type { AttentionPoint, Edit, Facts, FileFacts, TestChange } from '../../reading/facts.ts';
import { plainText } from '../plain-text.ts';
import type { PlannedPoint } from './outline.ts';
import { messageOf } from './plan-edits.ts';

const mostPoints = 6;
const subjectsNamed = 3;

const order = new Map(attentionReasons.map((reason, place) => [reason, place]));

const touched = new Set<AttentionReason>([
  'authenticationTouched',
  'cryptographyTouched',
  'concurrency',
  'performanceSensitive',
  'userVisibleText',
  'dangerousCall',
]);

/** What a reader should not miss, with its reason. */
export function planPoints(facts: Facts): PlannedPoint[] {
  const points = [
    ...facts.attention.filter((point) => isWorthwhile(point, facts)).map(fromAttention),
    ...untested(facts),
    ...newErrors(facts.files),
    ...reasonsGiven(facts.files),
    ...passedOver(facts),
  ];
  return points
    .filter(({ evidence }) => evidence.length > 0)
    .sort((one, other) => (order.get(one.reason) ?? 0) - (order.get(other.reason) ?? 0))
    .slice(0, mostPoints);
}

/** What is merely touched matters where it stays; and a test that was renamed looks removed. */
function isWorthwhile({ reason, subjects, evidence }: AttentionPoint, { files }: Facts): boolean {
  if (subjects.length === 0) return false;
  if (touched.has(reason)) return evidence.some(({ side }) => side === 'new');
  if (reason !== 'testsRemoved') return true;
  const tests = files.flatMap((file) => file.tests);
  const count = (wanted: TestChange['change']) => tests.filter(({ change }) => change === wanted).length;
  return count('removed') > count('added');
}

function fromAttention({ category, reason, subjects, transitions, evidence }: AttentionPoint): PlannedPoint {
  const named = [...new Set(subjects.map((subject) => subject.replace(/[({=\s]+$/, '')))].filter(
    (subject) => !/[`<>]/.test(subject),
  );
  return {
    categories: [category],
    reason,
    subjects: named.slice(0, subjectsNamed),
    transitions,
    count: named.length,
    evidence,
  };
}

function newErrors(files: FileFacts[]): PlannedPoint[] {
  const errors = editsOf(files, 'errorAdded');
  if (errors.length === 0) return [];
  const told = errors.slice(0, 2);
  return [
    {
      categories: ['UX'],
      reason: 'newErrors',
      subjects: told.map(messageOf),
      transitions: [],
      count: errors.length,
      evidence: told.map(({ evidence }) => evidence),
    },
  ];
}

/** Code that does something new or differently, with nothing beside it that would notice if it stopped. */
function untested({ changeType, files }: Facts): PlannedPoint[] {
  const code = files.filter(
    ({ kind, status }) => kind === 'source' && status !== 'removed' && status !== 'renamed',
  );
  const lines = code.reduce((sum, file) => sum + file.additions, 0);
  const isTested = files.some(({ kind, tests }) => kind === 'test' || tests.length > 0);
  const first = code.find(({ symbols }) => symbols.length > 0);
  if (isTested || lines < 10 || !first?.place || !['FEAT', 'FIX', 'PERF'].includes(changeType)) return [];
  return [
    {
      categories: ['RISK'],
      reason: 'untested',
      subjects: [],
      transitions: [],
      count: 0,
      evidence: [first.place],
    },
  ];
}

const reason =
  /\b(?:because|since|so that|otherwise|in order to|to avoid|to prevent|to ensure|instead of|must not|workaround|on purpose|race)\b|ため|ので|から、/i;

/** A comment that gives a reason was written for whoever asks why. */
function reasonsGiven(files: FileFacts[]): PlannedPoint[] {
  return editsOf(files, 'comment')
    .filter(({ text }) => reason.test(text))
    .slice(0, 1)
    .map(
      ({ text, evidence }): PlannedPoint => ({
        categories: ['TECH'],
        reason: 'reasonGiven',
        subjects: [plainText(text)],
        transitions: [],
        count: 1,
        evidence: [evidence],
      }),
    );
}

const editsOf = (files: FileFacts[], kind: Edit['kind']): Edit[] =>
  files.flatMap((file) => (file.kind === 'source' ? file.edits.filter((edit) => edit.kind === kind) : []));

/** Large parts of the change that the description does not speak of. */
function passedOver({ files, description }: Facts): PlannedPoint[] {
  const parts = description.unmentioned.flatMap((path) =>
    files.filter((file) => file.path === path || file.path.startsWith(`${path}/`)).slice(0, 1),
  );
  const evidence = parts.flatMap(({ place }) => place ?? []).slice(0, subjectsNamed);
  if (evidence.length === 0) return [];
  const named = description.unmentioned.slice(0, subjectsNamed);
  return [
    {
      categories: ['TECH'],
      reason: 'passedOver',
      subjects: named,
      transitions: [],
      count: description.unmentioned.length,
      evidence,
    },
  ];
}
