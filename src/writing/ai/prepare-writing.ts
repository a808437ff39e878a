import { type Category, type FileKind, turningLabels } from '../../domain/articles.ts';
import { indentedLanguages } from '../../reading/compare/units.ts';
import type { DependencyChange, Facts, FileFacts, LookedLines } from '../../reading/facts.ts';
import { type DiffLine, type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { dependencyTable } from '../../reading/lock-files.ts';
import {
  type ArticleSource,
  type CheckedDraft,
  countChange,
  isOfflineLanguage,
  type WrittenArticle,
  type WrittenStatement,
} from '../articles.ts';
import type { Draft } from '../draft.ts';
import { draftByRules } from '../rules/write.ts';
import type { CheckedSentence } from '../verify/check-sentence.ts';
import { Ground } from '../verify/ground.ts';
import { asWritten, verifyDraft } from '../verify/verify-drafts.ts';
import { type AuthorFrame as KnownGround, keepCitedHunks, mostLines } from './draft-from-reply.ts';
import { refuseEchoes, withoutEchoes } from './echoes.ts';
import { findFindings } from './find-findings.ts';
import type { MaterialSource } from './material.ts';
import { checkFreeWriting } from './sentence-rules.ts';
import { spokenSentences, spokenWords } from './spoken.ts';
import { headedByLead, saysScope } from './summaries.ts';

const written: ReadonlySet<FileKind> = new Set(['lock', 'generated', 'vendored']);

const ownVersion = /^\s*["']?version["']?\s*[:=]\s*["']?v?\d/i;

/**
 * Whether a change needs no explanation: it contains only generated files, new versions of dependencies or reformatted
 * code.
 */
export function isTrivial({ files }: Pick<Facts, 'files'>, diff: FileDiff[]): boolean {
  const diffs = new Map(diff.map((file) => [file.path, file]));
  return files.length > 0 && files.every((file) => isTrivialFile(file, diffs.get(file.path)));
}

function isTrivialFile(file: FileFacts, diff: FileDiff | undefined): boolean {
  if (written.has(file.kind)) return true;
  if (file.status !== 'modified' || file.skipped !== null || !diff) return false;
  if (isOnlyRewrapped(file)) return true;
  return file.kind === 'manifest' && hasOnlyVersions(file.dependencies, diff);
}

/** In languages where indentation matters, reformatting can change the program. */
const isOnlyRewrapped = ({ changes, language }: FileFacts): boolean =>
  language !== null &&
  !indentedLanguages.has(language) &&
  changes.length > 0 &&
  changes.every(({ kind }) => kind === 'rewrapped');

const version = /^["']?\s*(?:[:=@~^<>!]+|\s)\s*["']?[~^<>=!v\s]*\d[\w.+~^<>=*, -]*["']?,?$/;

function isVersionOf(name: string, text: string): boolean {
  const key = text.trim().replace(/^["']/, '');
  return key.startsWith(name) && version.test(key.slice(name.length));
}

function hasOnlyVersions(dependencies: DependencyChange[], { hunks }: FileDiff): boolean {
  if (!dependencies.every(({ change }) => change === 'changed')) return false;
  const isNamed = ({ text }: DiffLine) =>
    ownVersion.test(text) || dependencies.some(({ name }) => isVersionOf(name, text));
  const changed = hunks.flatMap((hunk) => linesOf(hunk).filter(({ side }) => side !== 'context'));
  return changed.length > 0 && changed.every(isNamed);
}

export interface ModelSource extends ArticleSource {
  linkedIssues: { number: number; title: string; body: string | null }[];
}

export interface PreparedWriting {
  material: MaterialSource;
  known: KnownGround;
  check: (draft: Draft) => CheckedSentence[];
  /** Lets sentences cite these lines from then on. */
  takeIn: (looked: LookedLines[]) => void;
  publish: (
    draft: Draft,
  ) => { article: CheckedDraft } & Pick<WrittenArticle, 'quote' | 'counts' | 'dependencies'>;
}

export function prepareWriting(source: ModelSource, languageCode: string): PreparedWriting {
  const { author, facts, diff, commits } = source;
  const { description } = facts;
  const sentences = spokenSentences(source, description);
  const words = [
    ...spokenWords(source),
    { speaker: author, where: 'description' as const, text: description.text },
    ...sentences,
  ];
  const definitions = new Map(facts.files.map(({ path, definitions: own }) => [path, own]));
  const ground = new Ground({
    diff,
    words,
    repository: source.repository,
    definitions,
    ranges: new Map(facts.files.map(({ path, ranges }) => [path, ranges])),
  });
  const rules = draftByRules(source);
  const { ownTitle, changeTypes, authorWords } = rules.en;
  const findings = findFindings(rules.en, facts, ground);
  let check = checkFreeWriting({ ground, diff, words, findings, definitions });
  return {
    material: { findings, facts, diff, sentences },
    known: { title: ownTitle, changeTypes, size: sizeOf(facts) },
    check: (draft) => refuseEchoes(draft, check(draft)),
    takeIn(looked) {
      if (looked.length === 0) return;
      ground.takeIn(looked);
      check = checkFreeWriting({ ground, diff, words, findings, definitions, looked });
    },
    publish(draft) {
      const { scope, title: certain } = rules[isOfflineLanguage(languageCode) ? languageCode : 'en'];
      const headed = headedByLead(withoutEchoes(verifyDraft(draft, ground), certain.text), languageCode);
      const isRisky = headed.mainChanges.some(({ sentences: own }) => own.some(({ label }) => label));
      const article = asWritten({
        ...headed,
        ownTitle: certain.text,
        // Next to a risk, the scope would read as if there were no risks.
        scope: scope && (isRisky || saysScope(headed, scope.kind)) ? null : scope,
        also: headed.also.filter(({ files }) => areNoticed(files, facts.files)),
        // A list of commits is about intermediate steps, and by several people.
        authorWords: authorWords?.from === 'commits' ? null : authorWords,
      });
      const sections = article.mainChanges.filter(({ statements }) => statements.length > 0);
      // A later section whose heading failed the checks would look like a part of the previous one.
      const isHeaded = sections.slice(1).every(({ heading }) => heading !== null);
      const mainChanges = keepCitedHunks(sections, facts.files).map((change) => {
        const place = change.hunk?.fileName ?? mainFileOf(change.statements, facts.files) ?? change.fileName;
        return { ...change, fileName: place, heading: isHeaded ? change.heading : null };
      });
      const also = article.also.map((row) => {
        const own = row.files.filter((path) => facts.files.some((file) => file.path === path));
        return { ...row, files: own, filesTotal: own.length, ...linesIn(own, facts.files) };
      });
      const notablePoints = [...article.notablePoints, ...risksIn(mainChanges)];
      return {
        article: { ...article, mainChanges, notablePoints, beforeAfter: blockIn(mainChanges), also },
        counts: countChange(facts.files, commits.length),
        dependencies: dependencyTable(facts.files, diff),
        quote: rules.en.quote,
      };
    },
  };
}

/** The lines of a change up to which headings would break up the text. */
const linesOfSmall = 40;

function sizeOf({ files }: Pick<Facts, 'files'>): KnownGround['size'] {
  const own = files.filter(({ kind }) => !written.has(kind));
  const linesIn = (some: FileFacts[]): number =>
    some.reduce((sum, { additions, deletions }) => sum + additions + deletions, 0);
  if (linesIn(own) >= linesOfSmall) return 'usual';
  const besideTests = own.filter(({ kind }) => kind !== 'test');
  return linesIn(besideTests.length > 0 ? besideTests : own) <= mostLines ? 'tiny' : 'small';
}

/** Users do not notice changes of tests and generated files, and documents about code repeat what a section says. */
function areNoticed(paths: string[], files: FileFacts[]): boolean {
  const hasCode = files.some(({ kind }) => kind === 'source');
  const isNoticed = ({ kind }: FileFacts): boolean =>
    kind !== 'test' && !written.has(kind) && !(hasCode && kind === 'documentation');
  return paths.length === 0 || files.some((file) => paths.includes(file.path) && isNoticed(file));
}

/** The sentences of sections that the writer labelled as risks. */
const risksIn = (sections: CheckedDraft['mainChanges']): CheckedDraft['notablePoints'] =>
  sections.flatMap(({ statements }, section) =>
    statements.flatMap((statement) => {
      const { label } = statement;
      const categories: Category[] = [label === 'security' ? 'SECURITY' : 'RISK'];
      return label ? [{ categories, label, severity: null, section, statements: [statement] }] : [];
    }),
  );

function blockIn(sections: CheckedDraft['mainChanges']): CheckedDraft['beforeAfter'] {
  for (const statement of sections.flatMap(({ statements }) => statements)) {
    const label = turningLabels.find((one) => one === statement.label);
    if (label && statement.beforeAfter) return { label, ...statement.beforeAfter, statements: [statement] };
  }
  return null;
}

/** The first cited file: code before documents, and tests last. */
function mainFileOf(statements: WrittenStatement[], files: FileFacts[]): string | undefined {
  const cited = statements
    .flatMap(({ evidence }) => evidence.map(({ fileName }) => fileName))
    .filter((path) => files.some((file) => file.path === path));
  const isOf = (path: string, kind: FileFacts['kind']): boolean =>
    files.some((file) => file.path === path && file.kind === kind);
  return cited.find((path) => isOf(path, 'source')) ?? cited.find((path) => !isOf(path, 'test')) ?? cited[0];
}

function linesIn(paths: string[], files: FileFacts[]): { additions: number; deletions: number } {
  const own = files.filter(({ path }) => paths.includes(path));
  return {
    additions: own.reduce((sum, file) => sum + file.additions, 0),
    deletions: own.reduce((sum, file) => sum + file.deletions, 0),
  };
}
