import { type AttentionReason, attentionReasons } from '../../domain/attention-reasons.ts';
import type { AttentionPoint, Edit, Facts, FileFacts, TestChange } from '../../reading/facts.ts';
import { plainText } from '../plain-text.ts';
import { type PlannedPoint, type Statement, tell } from './outline.ts';
import { messageOf } from './plan-edits.ts';

const mostPoints = 6;
const subjectsNamed = 3;

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
    ...facts.attention.filter((point) => isWorthwhile(point, facts)).flatMap(fromAttention),
    ...untested(facts),
    ...newErrors(facts.files),
    ...reasonsGiven(facts.files),
    ...passedOver(facts),
  ];
  const placeOf = ({ reason }: PlannedPoint) => attentionReasons.indexOf(reason);
  return points
    .filter(({ told }) => (told[0]?.evidence.length ?? 0) > 0)
    .sort((one, other) => placeOf(one) - placeOf(other))
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

interface Subjects {
  subjects: string[];
  hasMore: boolean;
  isOne: boolean;
  transitions: AttentionPoint['transitions'];
}

/** What is said of each reason, and what follows from it. */
const sayings: Partial<Record<AttentionReason, (named: Subjects) => Statement[]>> = {
  publicApiRemoved: ({ subjects, hasMore, isOne }) => [
    { say: 'publicApiRemoved', subjects, hasMore },
    { say: 'reliersBreak', isOne },
  ],
  publicApiChanged: ({ subjects, hasMore }) => [
    { say: 'publicApiChanged', subjects, hasMore },
    { say: 'callersFollow' },
  ],
  closedToAdditions: ({ subjects, hasMore }) => [{ say: 'closedToAdditions', subjects, hasMore }],
  openedToAdditions: ({ subjects, hasMore }) => [{ say: 'openedToAdditions', subjects, hasMore }],
  minimumVersionRaised: ({ transitions }) => [{ say: 'minimumVersion', isRaised: true, transitions }],
  minimumVersionLowered: ({ transitions }) => [{ say: 'minimumVersion', isRaised: false, transitions }],
  fallbackRemoved: ({ subjects, hasMore, isOne }) => [
    { say: 'fallbackRemoved', subjects, hasMore },
    { say: 'mustBeSet', isOne },
  ],
  defaultChanged: ({ transitions }) => [
    { say: 'defaultChanged', transitions: transitions.slice(0, subjectsNamed) },
    { say: 'reliersGetAnother' },
  ],
  schemaMigration: ({ subjects }) => [{ say: 'schemaMigration', subjects }, { say: 'migrationNeeded' }],
  settingRemoved: ({ subjects, hasMore }) => [{ say: 'settingRemoved', subjects, hasMore }],
  majorUpgrade: ({ subjects, hasMore }) => [{ say: 'majorUpgrade', subjects, hasMore }, { say: 'mayBreak' }],
  settingAdded: ({ subjects, hasMore }) => [{ say: 'settingAdded', subjects, hasMore }],
  dangerousCall: ({ subjects }) => [{ say: 'dangerousCall', subjects }],
  testsRemoved: ({ subjects }) => [{ say: 'testsRemoved', names: subjects }],
  authenticationTouched: ({ subjects }) => [{ say: 'authenticationTouched', subjects }],
  cryptographyTouched: ({ subjects }) => [{ say: 'cryptographyTouched', subjects }],
  concurrency: ({ subjects }) => [{ say: 'concurrency', subjects }],
  performanceSensitive: ({ subjects }) => [{ say: 'performanceSensitive', subjects }],
  userVisibleText: ({ subjects }) => [{ say: 'userVisibleText', subjects: subjects.slice(0, 1) }],
};

function fromAttention({
  category,
  reason,
  subjects,
  transitions,
  evidence,
}: AttentionPoint): PlannedPoint[] {
  const named = [...new Set(subjects.map((subject) => subject.replace(/[({=\s]+$/, '')))].filter(
    (subject) => !/[`<>]/.test(subject),
  );
  const told = sayings[reason]?.({
    subjects: named.slice(0, subjectsNamed),
    hasMore: named.length > subjectsNamed,
    isOne: named.length === 1,
    transitions,
  });
  if (named.length === 0 || !told) return [];
  return [
    {
      reason,
      categories: [category],
      told: told.map((statement, index) => tell(statement, index === 0 ? evidence : [])),
    },
  ];
}

function newErrors(files: FileFacts[]): PlannedPoint[] {
  const errors = editsOf(files, 'errorAdded');
  if (errors.length === 0) return [];
  const told = errors.slice(0, 2);
  return [
    {
      reason: 'newErrors',
      categories: ['UX'],
      told: [
        tell(
          { say: 'newErrors', messages: told.map(messageOf), hasMore: errors.length > told.length },
          told.map(({ evidence }) => evidence),
        ),
      ],
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
  return [{ reason: 'untested', categories: ['RISK'], told: [tell({ say: 'untested' }, [first.place])] }];
}

const reason =
  /\b(?:because|since|so that|otherwise|in order to|to avoid|to prevent|to ensure|instead of|must not|workaround|on purpose|race)\b|ため|ので|から、/i;

/** A comment that gives a reason was written for whoever asks why. */
function reasonsGiven(files: FileFacts[]): PlannedPoint[] {
  return editsOf(files, 'comment')
    .filter(({ text }) => reason.test(text))
    .slice(0, 1)
    .map(({ text, evidence, symbol }): PlannedPoint => {
      const quote = plainText(text);
      const words = [{ speaker: symbol ?? evidence.fileName, where: 'code' as const, text: quote }];
      return {
        reason: 'reasonGiven',
        categories: ['TECH'],
        told: [tell({ say: 'reasonGiven', quote }, [evidence], words)],
      };
    });
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
  const paths = description.unmentioned.slice(0, subjectsNamed);
  const hasMore = description.unmentioned.length > paths.length;
  return [
    {
      reason: 'passedOver',
      categories: ['TECH'],
      told: [tell({ say: 'passedOver', paths, hasMore }, evidence)],
    },
  ];
}
