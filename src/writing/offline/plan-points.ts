import { type AttentionReason, attentionReasons } from '../../domain/attention-reasons.ts';
import type { AttentionPoint, Evidence, FileFacts } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';
import type { ArticleSource } from '../article-source.ts';
import { aside } from './aside.ts';
import { type PlannedPoint, tell } from './outline.ts';
import { publicApiChanged, publicApiGone } from './plan-public-api.ts';
import { settingsIn } from './settings.ts';
import { type Statement, subjectsNamed } from './statements.ts';

const mostPoints = 5;

/** What a reader should not miss, with its reason. */
export function planPoints({ facts, diff }: ArticleSource): PlannedPoint[] {
  const points = [
    ...facts.attention.filter((point) => isWorthwhile(point, diff)).flatMap(fromAttention),
    ...publicApiGone(facts, diff),
    ...publicApiChanged(facts),
    ...settingsRemoved(facts.files, diff),
    ...frameworksDropped(diff),
  ];
  return points
    .filter(({ told }) => (told[0]?.evidence.length ?? 0) > 0)
    .sort((one, other) => attentionReasons.indexOf(one.reason) - attentionReasons.indexOf(other.reason))
    .slice(0, mostPoints);
}

function isWorthwhile(
  { reason, subjects, transitions, evidence }: AttentionPoint,
  diff: FileDiff[],
): boolean {
  if (subjects.length + transitions.length === 0) return false;
  // The language itself is told by its lowest version.
  if (reason === 'majorUpgrade' && transitions.some(({ subject }) => runtimes.test(subject))) return false;
  if (reason === 'closedToAdditions' || reason === 'openedToAdditions')
    return evidence.every((one) => isOpenTo(one, diff));
  if (evidence.every(({ fileName }) => aside.test(fileName))) return false;
  // What is merely touched matters where it is new.
  return reason !== 'dangerousCall' || evidence.some(({ side }) => side === 'new');
}

const runtimes = /^(?:php|python|node|ruby|go|elixir|erlang|java|dart|sdk|dotnet|rust)$/i;

/** Whether what stands on a line can be used from elsewhere at all. */
const isOpenTo = ({ fileName, startLine, side }: Evidence, diff: FileDiff[]): boolean =>
  (diff.find(({ path }) => path === fileName)?.hunks ?? [])
    .flatMap((hunk) => linesOf(hunk))
    .some(
      ({ oldLine, newLine, text }) =>
        (side === 'new' ? newLine : oldLine) === startLine &&
        !/^\s*(?:sealed|internal|private|final|class)\b(?!.*\bpublic\b)/.test(text),
    );

interface About {
  subjects: string[];
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
  fallbackRemoved: ({ subjects }) => [{ say: 'fallbackRemoved', subjects }],
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
  // That a line speaks of a lock or a cache says nothing of what it does to them, and why tests go nobody sees.
  testsRemoved: () => [],
  authenticationTouched: () => [],
  cryptographyTouched: () => [],
  concurrency: () => [],
  performanceSensitive: () => [],
  userVisibleText: () => [],
};

function fromAttention({
  category,
  reason,
  subjects,
  transitions,
  evidence,
}: AttentionPoint): PlannedPoint[] {
  const named = [...new Set(subjects.map((subject) => subject.replace(/(?<![({=\s])[({=\s]+$/, '')))];
  const statements = sayings[reason]({ subjects: named, transitions });
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
