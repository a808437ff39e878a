import { type AttentionReason, attentionReasons } from '../../domain/attention-reasons.ts';
import type { AttentionPoint, Edit, Facts, FileFacts, TestChange } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { plainText } from '../plain-text.ts';
import type { ArticleSource } from './article-source.ts';
import { type PlannedPoint, quoteCode, tell } from './outline.ts';
import { documented, givesReason, messageOf } from './plan-edits.ts';
import { publicApiChanged, publicApiGone } from './plan-public-api.ts';
import { isOnlyWords, keyOfLine, wordsOnlyIn } from './prose-lines.ts';
import { settingsIn } from './settings.ts';
import { type Statement, subjectsNamed } from './statements.ts';
import { nearnessTo, titleWordsOf } from './title-nearness.ts';

const mostPoints = 5;

/** What a reader should not miss, with its reason; `isTold` knows the comments and messages that the article has repeated already. */
export function planPoints(
  { facts, diff, title }: ArticleSource,
  isTold: (quote: string) => boolean,
): PlannedPoint[] {
  const points = [
    ...facts.attention.filter((point) => isWorthwhile(point, facts, title)).flatMap(fromAttention),
    ...publicApiGone(facts),
    ...publicApiChanged(facts),
    ...settingsRemoved(facts.files, diff),
    ...frameworksDropped(diff),
    ...untested(facts, diff),
    ...newErrors(facts.files, isTold),
    ...reasonsGiven(facts.files, isTold),
    ...passedOver(facts),
  ];
  return points
    .filter(({ told }) => (told[0]?.evidence.length ?? 0) > 0)
    .sort((one, other) => attentionReasons.indexOf(one.reason) - attentionReasons.indexOf(other.reason))
    .slice(0, mostPoints);
}

/** What is merely touched matters where it is new. */
const touched = new Set<AttentionReason>([
  'authenticationTouched',
  'cryptographyTouched',
  'concurrency',
  'dangerousCall',
]);

/** What stands here is shown or tried out, and nobody runs on it. */
const aside = /(?:^|\/)(?:examples?|samples?|\w*tests?|specs?|docs?|benchmarks?|fixtures)\//i;

function isWorthwhile(
  { reason, subjects, transitions, evidence }: AttentionPoint,
  { files }: Facts,
  title: string,
): boolean {
  if (subjects.length + transitions.length === 0) return false;
  if (reason !== 'testsRemoved' && evidence.every(({ fileName }) => aside.test(fileName))) return false;
  if (reason === 'userVisibleText') {
    // What is new as a whole changes nothing that anybody has seen.
    const isOld = new Set(files.filter(({ status }) => status !== 'added').map(({ path }) => path));
    return evidence.some(({ side, fileName }) => side === 'new' && isOld.has(fileName));
  }
  if (touched.has(reason)) return evidence.some(({ side }) => side === 'new');
  return reason !== 'testsRemoved' || areTestsMissed(files, title);
}

/** Whether tests go that nothing explains: neither what they tested nor their file goes, and none has another name. */
function areTestsMissed(files: FileFacts[], title: string): boolean {
  const isExplained = files.some(
    ({ kind, status, symbols }) =>
      status === 'removed' ||
      status === 'renamed' ||
      (kind !== 'test' && symbols.some(({ change }) => change === 'removed' || change === 'renamed')),
  );
  const tests = files.flatMap((file) => file.tests);
  const count = (wanted: TestChange['change']) => tests.filter(({ change }) => change === wanted).length;
  // Where they test what the title speaks of, they go with it.
  const gone = tests.filter(({ change }) => change === 'removed').map(({ name }) => name);
  const isMeant =
    nearnessTo(
      titleWordsOf(title),
      gone.map((name) => name.replaceAll('_', ' ')),
    ) > 1;
  return !isExplained && !isMeant && count('renamed') === 0 && count('removed') > count('added');
}

interface About {
  subjects: string[];
  isOne: boolean;
  transitions: AttentionPoint['transitions'];
}

/** What is said of each reason, and what follows from it; nothing where the main changes say it already. */
const sayings: Record<AttentionReason, (about: About) => Statement[]> = {
  publicApiRemoved: () => [],
  publicApiChanged: () => [],
  closedToAdditions: ({ subjects }) => [{ say: 'closedToAdditions', subjects }],
  openedToAdditions: ({ subjects }) => [{ say: 'openedToAdditions', subjects }],
  minimumVersionRaised: ({ transitions }) => [{ say: 'minimumVersion', isRaised: true, transitions }],
  minimumVersionLowered: ({ transitions }) => [{ say: 'minimumVersion', isRaised: false, transitions }],
  fallbackRemoved: ({ subjects, isOne }) => [
    { say: 'fallbackRemoved', subjects },
    { say: 'mustBeSet', isOne },
  ],
  defaultChanged: ({ transitions }) => [
    { say: 'defaultChanged', transitions: transitions.slice(0, subjectsNamed) },
    { say: 'reliersGetAnother' },
  ],
  schemaMigration: ({ subjects }) => [{ say: 'schemaMigration', subjects }, { say: 'migrationNeeded' }],
  settingRemoved: () => [],
  majorUpgrade: ({ transitions }) =>
    transitions.length === 0 ? [] : [{ say: 'majorUpgrade', transitions }, { say: 'mayBreak' }],
  settingAdded: () => [],
  dangerousCall: ({ subjects }) => [{ say: 'dangerousCall', subjects }, { say: 'lookWhereFrom' }],
  testsRemoved: ({ subjects }) => [{ say: 'testsRemoved', names: subjects }],
  authenticationTouched: ({ subjects }) => [{ say: 'authenticationTouched', subjects }],
  cryptographyTouched: ({ subjects }) => [{ say: 'cryptographyTouched', subjects }],
  concurrency: ({ subjects }) => [{ say: 'concurrency', subjects }, { say: 'orderMatters' }],
  // That a line speaks of a cache says nothing of whether it makes anything faster.
  performanceSensitive: () => [],
  userVisibleText: ({ subjects: [text] }) => (text === undefined ? [] : [{ say: 'userVisibleText', text }]),
  newErrors: () => [],
  reasonGiven: () => [],
  untested: () => [],
  passedOver: () => [],
};

function fromAttention({
  category,
  reason,
  subjects,
  transitions,
  evidence,
}: AttentionPoint): PlannedPoint[] {
  const named = [...new Set(subjects.map((subject) => subject.replace(/(?<![({=\s])[({=\s]+$/, '')))];
  const statements = sayings[reason]({ subjects: named, isOne: named.length === 1, transitions });
  if (statements.length === 0) return [];
  const told = statements.map((statement, index) => tell(statement, index === 0 ? evidence : []));
  return [{ reason, categories: [category], told }];
}

/** Settings, options and routes that somebody may rely on. What tests set, or another line still reads, is not gone. */
function settingsRemoved(files: FileFacts[], diff: FileDiff[]): PlannedPoint[] {
  const diffs = new Map(diff.map((file) => [file.path, file]));
  const gone = files
    .filter(
      ({ kind, path, status }) =>
        kind !== 'test' && status !== 'removed' && !/(?:^|\/)(?:\w*tests?|specs?)(?:\/|$)/i.test(path),
    )
    .flatMap((file) => settingsIn(file, diffs.get(file.path)))
    .filter(
      ({ kind, change, name }) =>
        // What one file no longer reads, others may.
        kind !== 'environmentVariable' && change === 'removed' && !diff.some((file) => stands(file, name)),
    );
  const [first] = gone;
  if (!first) return [];
  const same = gone.filter(({ kind }) => kind === first.kind);
  const unique = [...new Map(same.map((setting) => [setting.name, setting])).values()];
  const statement: Statement = {
    say: 'settingRemoved',
    kind: first.kind,
    subjects: unique.map(({ name }) => name),
  };
  const evidence = unique.slice(0, subjectsNamed).map((setting) => setting.evidence);
  return [{ reason: 'settingRemoved', categories: ['RISK'], told: [tell(statement, evidence)] }];
}

/** Whether a name stands on a line that the change leaves or brings. */
const stands = ({ hunks }: FileDiff, name: string): boolean =>
  hunks.some((hunk) => linesOf(hunk).some(({ side, text }) => side !== 'removed' && text.includes(name)));

/** Messages that existing code did not have; what is new as a whole brings its own. */
function newErrors(files: FileFacts[], isTold: (message: string) => boolean): PlannedPoint[] {
  const errors = files.flatMap((file) =>
    editsOf([file], 'errorAdded').filter(
      (edit) =>
        file.status !== 'added' &&
        edit.symbol !== null &&
        !isTold(messageOf(edit)) &&
        !file.symbols.some(({ name, change }) => name === edit.symbol && change === 'added'),
    ),
  );
  if (errors.length === 0) return [];
  const told = errors.slice(0, 2);
  const evidence = told.map((error) => error.evidence);
  const statement: Statement = { say: 'newErrors', messages: told.map(messageOf) };
  return [{ reason: 'newErrors', categories: ['UX'], told: [tell(statement, evidence)] }];
}

/** The frameworks that a project file builds for. */
const targets = /<TargetFrameworks?>([^<]*)<\/TargetFrameworks?>/;

/** What was built for a framework and is no longer: whoever runs on it stays behind. */
function frameworksDropped(diff: FileDiff[]): PlannedPoint[] {
  return diff
    .filter(
      ({ path, status }) => /\.(?:cs|fs|vb)proj$/.test(path) && status === 'modified' && !aside.test(path),
    )
    .flatMap(({ path, hunks }): PlannedPoint[] => {
      const lines = hunks.flatMap(linesOf).filter(({ text }) => targets.test(text));
      const namesOn = (isOn: (side: DiffLine['side']) => boolean): string[] =>
        lines
          .filter(({ side }) => isOn(side))
          .flatMap(({ text }) => (targets.exec(text)?.[1] ?? '').split(';'))
          .filter((name) => /^[\w.-]+$/.test(name));
      const now = new Set(namesOn((side) => side !== 'removed'));
      const gone = namesOn((side) => side === 'removed').filter((name) => !now.has(name));
      const places = lines.flatMap(({ side, oldLine }) =>
        side === 'removed' && oldLine !== null
          ? [{ fileName: path, startLine: oldLine, endLine: oldLine, side: 'old' as const }]
          : [],
      );
      if (gone.length === 0 || now.size === 0) return [];
      const told = [tell({ say: 'frameworksDropped', names: gone }, places)];
      return [{ reason: 'minimumVersionRaised', categories: ['RISK'], told }];
    })
    .slice(0, 1);
}

/** Code that does something new or differently, and no test among the files that change with it. */
function untested({ changeType, files }: Facts, diff: FileDiff[]): PlannedPoint[] {
  const diffs = new Map(diff.map((file) => [file.path, file]));
  const isSpoken = ({ path, language }: FileFacts): boolean => {
    const file = diffs.get(path);
    return file !== undefined && isOnlyWords(file, documented.has(language ?? ''));
  };
  const code = files.filter(
    (file) =>
      file.kind === 'source' &&
      file.status !== 'removed' &&
      file.status !== 'renamed' &&
      !aside.test(file.path) &&
      !isSpoken(file),
  );
  const lines = code.reduce((sum, { path }) => sum + codeLinesIn(diffs.get(path)), 0);
  const isTested = files.some(
    ({ kind, path, tests }) => kind === 'test' || tests.length > 0 || /test|spec/i.test(path),
  );
  const first = code.find(({ symbols }) => symbols.length > 0);
  if (isTested || lines < 10 || !first?.place || !['FEAT', 'FIX', 'PERF'].includes(changeType)) return [];
  return [{ reason: 'untested', categories: ['RISK'], told: [tell({ say: 'untested' }, [first.place])] }];
}

/** How many lines come that are code. */
function codeLinesIn(diff: FileDiff | undefined): number {
  if (!diff) return 0;
  const words = wordsOnlyIn(diff);
  return diff.hunks.flatMap(linesOf).filter((line) => line.side === 'added' && !words.has(keyOfLine(line)))
    .length;
}

/** A comment that gives a reason was written for whoever asks why. */
function reasonsGiven(files: FileFacts[], isTold: (quote: string) => boolean): PlannedPoint[] {
  return editsOf(files, 'comment')
    .map((edit) => ({ ...edit, quote: plainText(edit.text) }))
    .filter(({ quote }) => givesReason.test(quote) && !isTold(quote))
    .slice(0, 1)
    .map(({ quote, evidence, symbol }) => ({
      reason: 'reasonGiven',
      categories: ['TECH'],
      told: [quoteCode({ say: 'reasonGiven', symbol, quote }, evidence)],
    }));
}

const editsOf = (files: FileFacts[], kind: Edit['kind']): Edit[] =>
  files.flatMap((file) => (file.kind === 'source' ? file.edits.filter((edit) => edit.kind === kind) : []));

/** Large parts of the change that a description of some length does not speak of. */
function passedOver({ files, description }: Facts): PlannedPoint[] {
  if (description.text.length < 200) return [];
  const parts = description.unmentioned.flatMap((path) =>
    files.filter((file) => file.path === path || file.path.startsWith(`${path}/`)).slice(0, 1),
  );
  const evidence = parts.flatMap(({ place }) => place ?? []).slice(0, subjectsNamed);
  if (evidence.length === 0) return [];
  const paths = description.unmentioned.slice(0, subjectsNamed);
  return [
    { reason: 'passedOver', categories: ['TECH'], told: [tell({ say: 'passedOver', paths }, evidence)] },
  ];
}
