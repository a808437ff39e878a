import type { Evidence, FileFacts } from '../../reading/facts.ts';
import { lineKey } from '../../reading/same-edits.ts';
import type { ArticleSource } from '../written-article.ts';
import { type ChosenHunks, evidenceOf, isOfDependencies, sentenceOfEdit } from './hunks.ts';
import { lastName, sentenceOfMove } from './moves.ts';
import {
  code,
  firstOf,
  type Names,
  type RulePhrases,
  type RuleSentence,
  type Unread,
  unreadKinds,
} from './phrases.ts';
import { fullName, isCode, type Piece, rangeAt } from './pieces.ts';

interface AlsoRow {
  sentence: RuleSentence;
  times: null;
  files: string[];
  additions: number;
  deletions: number;
}

interface AlreadySaid {
  lead: { text: string; evidence: Evidence[] } | null;
  /** Files whose tests the article names. */
  tests: string[];
}

/** More names say nothing: then their files are named with all others that are not shown. */
const mostNames = 5;
const mostFiles = 8;
const mostEdits = 3;

interface Named {
  name: string;
  file: FileFacts;
  evidence: Evidence | null;
}

type NamesPhrase = {
  [Key in keyof RulePhrases]: RulePhrases[Key] extends (names: Names) => string ? Key : never;
}[keyof RulePhrases];

const rowOfNames = (phrase: NamesPhrase, named: Named[], most = mostNames): AlsoRow[] =>
  rowOf(
    named.map(({ file }) => file),
    (phrases) =>
      phrases[phrase](
        firstOf(
          named.map(({ name }) => code(name)),
          most,
        ),
      ),
    named.flatMap(({ evidence }) => evidence ?? []),
  );

const rowOfFew = (phrase: NamesPhrase, named: Named[]): AlsoRow[] =>
  new Set(named.map(({ name }) => name)).size > mostNames ? [] : rowOfNames(phrase, named);

const byPath = (file: FileFacts): Named => ({ name: file.path, file, evidence: file.place });

export function alsoOf({ facts }: ArticleSource, chosen: ChosenHunks, already: AlreadySaid): AlsoRow[] {
  const { left, changes } = chosen;
  const shown = new Set(changes.map(({ file }) => file));
  const isQuoted = ({ path }: FileFacts): boolean =>
    already.lead?.evidence.some(({ fileName }) => fileName === path) === true;
  const ofCode = left.filter(
    ({ file, lines, isTest }) =>
      !isTest &&
      file.kind !== 'documentation' &&
      file.status !== 'removed' &&
      lines.some(isCode) &&
      !isOfDependencies(file, lines),
  );
  const own = namedIn(ofCode, chosen);
  const gone = facts.files.filter(({ status, skipped }) => status === 'removed' && skipped === null);
  const isInLead = ({ name }: Named): boolean => already.lead?.text.includes(`\`${name}\``) === true;
  const executable = Map.groupBy(facts.files.map(byPath), ({ file }) => file.becameExecutable);
  const rows = [
    ...rowOfFew(
      'alsoAdded',
      own.added.filter((one) => !isInLead(one)),
    ),
    ...rowOfFew('alsoChanged', own.changed),
    ...rowOfNames('alsoRemoved', gone.map(byPath), mostFiles),
    ...rowOfFew('alsoRemoved', own.removed),
    ...rowsOfEdits(facts.files, chosen),
    ...rowsOfMoves(facts.files, chosen),
    ...rowOfNames('madeExecutable', executable.get(true) ?? []),
    ...rowOfNames('noLongerExecutable', executable.get(false) ?? []),
    ...unreadRow(facts.files),
  ];
  const told = new Set([...rows.flatMap(({ files }) => files), ...chosen.told]);
  const isTold = (file: FileFacts): boolean =>
    file.dependencies.length > 0 ||
    told.has(file.path) ||
    shown.has(file) ||
    already.tests.includes(file.path) ||
    isQuoted(file);
  const isChange = ({ additions, deletions, skipped }: FileFacts): boolean =>
    skipped === null && additions + deletions > 0;
  const rest = facts.files.filter((file) => isChange(file) && !isTold(file));
  return [...rows, ...rowOfNames('notShown', rest.map(byPath), mostFiles)];
}

function namedIn(
  pieces: Piece[],
  { changes, declared }: ChosenHunks,
): Record<'added' | 'changed' | 'removed', Named[]> {
  const found = { added: [] as Named[], changed: [] as Named[], removed: [] as Named[] };
  const seen = new Set(changes.map(({ file, hunk }) => `${file.path}\0${hunk?.heading ?? ''}`));
  for (const piece of pieces) {
    const { file, lines } = piece;
    const isNamed = file.kind === 'source' || file.kind === 'test';
    for (const line of lines.filter(isCode)) {
      const range = isNamed ? rangeAt(file, line) : null;
      const name = range?.name ?? file.path;
      const key = `${file.path}\0${range?.name ?? ''}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const change = range ? changeOf(file, name) : file.status === 'added' ? 'added' : 'changed';
      if (!range && file.status === 'added' && file.ranges.length > 0) continue;
      const isOld = declared.old.has(`.${lastName(name)}`);
      const isNew = declared.new.has(`.${lastName(name)}`);
      // What is declared on one side alone is not merely changed.
      if (change === 'changed' && range && isOld !== isNew) continue;
      if ((change === 'added' && isOld) || (change === 'removed' && isNew)) continue;
      found[change].push({ name, file, evidence: evidenceOf(piece) });
    }
  }
  const added = new Set(found.added.map(({ name }) => name));
  const isMember = ({ name }: Named): boolean => added.has(name.slice(0, -lastName(name).length - 1));
  return { ...found, added: found.added.filter((one) => !isMember(one)) };
}

function changeOf({ symbols, status }: FileFacts, name: string): 'added' | 'changed' | 'removed' {
  const symbol = symbols.find(
    (one) => fullName(one) === name && (one.change === 'added' || one.change === 'removed'),
  );
  if (status === 'added' || symbol?.change === 'added') return 'added';
  return symbol ? 'removed' : 'changed';
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

/** More files that moved are one row. */
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
    ({ skipped, status, additions, deletions }) =>
      skipped !== null && (status !== 'renamed' || additions + deletions > 0),
  );
  const whyOf = ({ kind, isSubmodule }: FileFacts): Unread =>
    isSubmodule ? 'submodule' : (unreadKinds.find((known) => known === kind) ?? 'tooLarge');
  const counts = unreadKinds.map((why): [Unread, number] => [
    why,
    unread.filter((file) => whyOf(file) === why).length,
  ]);
  return rowOf(unread, (phrases) => phrases.unread(counts.filter(([, count]) => count > 0)));
}
