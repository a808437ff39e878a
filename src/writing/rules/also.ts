import type { Evidence, FileFacts } from '../../reading/facts.ts';
import { isReadLock } from '../../reading/lock-files.ts';
import { lineKey } from '../../reading/same-edits.ts';
import type { ArticleSource } from '../articles.ts';
import { type ChosenHunks, sentenceOfEdit } from './hunks.ts';
import { sentenceOfMove } from './moves.ts';
import {
  code,
  firstNames,
  type Names,
  type RulePhrases,
  type RuleSentence,
  type Unread,
  unreadKinds,
} from './phrases.ts';

interface AlsoRow {
  sentence: RuleSentence;
  times: null;
  files: string[];
  additions: number;
  deletions: number;
}

interface AlreadySaid {
  lead: { evidence: Evidence[] } | null;
  /** Files whose tests the article names. */
  tests: string[];
}

const mostFiles = 8;
const mostEdits = 3;

type FilesPhrase = {
  [Key in keyof RulePhrases]: RulePhrases[Key] extends (names: Names) => string ? Key : never;
}[keyof RulePhrases];

const rowOfFiles = (phrase: FilesPhrase, files: FileFacts[]): AlsoRow[] =>
  rowOf(files, (phrases) =>
    phrases[phrase](
      firstNames(
        files.map(({ path }) => code(path)),
        mostFiles,
      ),
    ),
  );

export function alsoOf({ facts }: ArticleSource, chosen: ChosenHunks, already: AlreadySaid): AlsoRow[] {
  const shown = new Set(chosen.changes.map(({ file }) => file));
  const isQuoted = ({ path }: FileFacts): boolean =>
    already.lead?.evidence.some(({ fileName }) => fileName === path) === true;
  const nameIn = (path: string): string => path.split('/').at(-1) ?? path;
  const come = new Set(facts.files.flatMap(({ path, status }) => (status === 'added' ? nameIn(path) : [])));
  // A file that was removed here and added in another folder was moved.
  const gone = facts.files.filter(
    ({ path, status, skipped }) => status === 'removed' && skipped === null && !come.has(nameIn(path)),
  );
  const executable = Map.groupBy(facts.files, ({ becameExecutable }) => becameExecutable);
  const rows = [
    ...rowOfFiles('alsoRemoved', gone),
    ...rowsOfEdits(facts.files, chosen),
    ...rowsOfMoves(facts.files, chosen),
    ...rowOfFiles('madeExecutable', executable.get(true) ?? []),
    ...rowOfFiles('noLongerExecutable', executable.get(false) ?? []),
    ...unreadRow(facts.files),
  ];
  const named = new Set([...rows.flatMap(({ files }) => files), ...chosen.namedFiles]);
  const isNamed = (file: FileFacts): boolean =>
    file.dependencies.length > 0 ||
    named.has(file.path) ||
    shown.has(file) ||
    already.tests.includes(file.path) ||
    isQuoted(file);
  const isChange = ({ additions, deletions, skipped }: FileFacts): boolean =>
    skipped === null && additions + deletions > 0;
  const rest = facts.files.filter((file) => isChange(file) && !isNamed(file));
  return [
    ...rows,
    ...rowOfFiles(
      'alsoAdded',
      rest.filter(({ status }) => status === 'added'),
    ),
    ...rowOfFiles(
      'otherFiles',
      rest.filter(({ status }) => status !== 'added'),
    ),
  ];
}

function rowOf(
  about: FileFacts[],
  say: RuleSentence['say'],
  evidence: Evidence[] = about.flatMap(({ place }) => place ?? []),
): AlsoRow[] {
  const files = [...new Set(about)];
  if (files.length === 0) return [];
  const distinct = new Map(evidence.map((one) => [lineKey(one.fileName, one.side, one.startLine), one]));
  return [
    {
      sentence: { say, evidence: [...distinct.values()].slice(0, 20) },
      times: null,
      files: files.map(({ path }) => path),
      additions: files.reduce((sum, { additions }) => sum + additions, 0),
      deletions: files.reduce((sum, { deletions }) => sum + deletions, 0),
    },
  ];
}

const filesAt = (paths: string[], files: FileFacts[]): FileFacts[] =>
  paths.flatMap((path) => files.find((file) => file.path === path) ?? []);

function rowsOfEdits(files: FileFacts[], { rest: { edits } }: ChosenHunks): AlsoRow[] {
  const hasCode = files.some(({ kind }) => kind === 'source');
  return edits
    .map((edit) => ({ edit, own: filesAt(edit.files, files) }))
    .filter(({ own }) => !hasCode || own.some(({ kind }) => kind !== 'test'))
    .slice(0, mostEdits)
    .flatMap(({ edit, own }) => rowOf(own, sentenceOfEdit(edit).say, edit.evidence));
}

/** A longer list of moved files is folded into one row. */
const mostMoves = 3;

function rowsOfMoves(files: FileFacts[], { rest: { moves } }: ChosenHunks): AlsoRow[] {
  const whole = moves.filter(({ names }) => names.length === 0).map(({ to }) => to);
  const isMany = whole.length > mostMoves;
  const single = isMany ? moves.filter(({ names }) => names.length > 0) : moves;
  return [
    ...single.slice(0, mostMoves + 3).flatMap((move) => {
      const { say, evidence } = sentenceOfMove(move);
      return rowOf(filesAt([move.to, move.from], files), say, evidence);
    }),
    ...(isMany ? rowOf(filesAt(whole, files), (phrases) => phrases.filesMoved(whole.length)) : []),
  ];
}

function unreadRow(files: FileFacts[]): AlsoRow[] {
  const unread = files.filter(
    (file) =>
      file.skipped !== null &&
      !isReadLock(file) &&
      (file.status !== 'renamed' || file.additions + file.deletions > 0),
  );
  const whyOf = ({ kind, isSubmodule }: FileFacts): Unread =>
    isSubmodule ? 'submodule' : (unreadKinds.find((known) => known === kind) ?? 'tooLarge');
  const counts = unreadKinds.map((why): [Unread, number] => [
    why,
    unread.filter((file) => whyOf(file) === why).length,
  ]);
  return rowOf(unread, (phrases) => phrases.unread(counts.filter(([, count]) => count > 0)));
}
