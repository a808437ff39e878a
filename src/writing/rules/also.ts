import { changelogName } from '../../reading/changelog-entries.ts';
import type { DependencyChange, Evidence, FileFacts } from '../../reading/facts.ts';
import { lineKey, type SameEdit } from '../../reading/same-edits.ts';
import type { ArticleSource } from '../article-source.ts';
import { type ChosenHunks, evidenceOf, isOfDependencies, sentenceOfEdit, shownIn } from './hunks.ts';
import { lastName, sentenceOfMove } from './moves.ts';
import { code, firstOf, type Names, type RuleSentence } from './phrases.ts';
import { fullName, isCode, type Piece, rangeAt } from './pieces.ts';

/** One row of what is left, before it has a language; it counts the lines of its files. */
export interface AlsoRow {
  sentence: RuleSentence;
  times: number | null;
  files: string[];
  additions: number;
  deletions: number;
}

/** What other parts of the article say already. */
interface AlreadySaid {
  lead: { text: string; evidence: Evidence[] } | null;
  dependencies: boolean;
}

const mostNames = 8;
const mostTests = 5;
const mostEdits = 3;
const mostDependencies = 8;

/** What no hunk shows, by what was done and not by file. */
export function alsoOf({ facts }: ArticleSource, chosen: ChosenHunks, already: AlreadySaid): AlsoRow[] {
  const { left, rest, changes, converted } = chosen;
  const files = new Map(facts.files.map((file) => [file.path, file]));
  const shown = new Set(changes.flatMap(({ file, hunk }) => (hunk ? [file] : [])));
  const isQuoted = ({ path, kind }: FileFacts): boolean =>
    kind === 'documentation' && already.lead?.evidence.some(({ fileName }) => fileName === path) === true;
  const isInLead = ({ name }: NamedPiece): boolean => already.lead?.text.includes(`\`${name}\``) === true;
  const unsaid = left.filter(
    ({ file, lines }) =>
      !isQuoted(file) &&
      file.status !== 'removed' &&
      !chosen.tooLong.includes(file) &&
      lines.some(isCode) &&
      !isOfDependencies(file, lines),
  );
  const documents = unsaid.filter(({ file, isTest }) => !isTest && file.kind === 'documentation');
  const own = namedIn(
    unsaid.filter(({ isTest, file }) => !isTest && file.kind !== 'documentation'),
    chosen,
  );
  const gone = facts.files.filter(
    ({ path, status, skipped }) => status === 'removed' && skipped === null && !converted.has(path),
  );
  const tests = namedIn(
    unsaid.filter(({ isTest }) => isTest),
    chosen,
  );
  const isTestName = ({ name, piece: { file } }: NamedPiece): boolean =>
    /test|spec|bench|fuzz/i.test(name) && !file.tests.some((test) => lastName(name) === lastName(test.name));
  const hasCode = facts.files.some(({ kind }) => kind === 'source');
  const isOfCode = (edit: SameEdit): boolean =>
    !hasCode || edit.files.some((path) => files.get(path)?.kind !== 'test');
  const rowOfNames = (
    named: NamedPiece[],
    phrase: 'alsoAdded' | 'alsoChanged' | 'alsoRemoved' | 'changedTests' | 'documentation',
    most = mostNames,
  ): AlsoRow[] =>
    rowOf(
      named.map(({ piece: { file } }) => file),
      (phrases) =>
        phrases[phrase](
          firstOf(
            named.map(({ name }) => code(name)),
            most,
          ),
        ),
      named.map(({ piece }) => evidenceOf(piece)),
    );
  const byPath = (piece: Piece): NamedPiece => ({ name: piece.file.path, piece });
  const isNew = ({ file }: Piece): boolean => file.status === 'added';
  const edited = documents.filter(
    (piece) => !isNew(piece) && !changelogName.test(piece.file.path) && !shown.has(piece.file),
  );
  const quiet = chosen.quiet.filter((file) => !shown.has(file));
  const tooLong = chosen.tooLong.filter(({ status }) => status !== 'removed');
  return [
    ...rowOfNames(
      [...own.added.filter((one) => !isInLead(one)), ...documents.filter(isNew).map(byPath)],
      'alsoAdded',
    ),
    ...rowOfNames(own.changed, 'alsoChanged'),
    ...rowOf(
      [...gone, ...own.removed.map(({ piece: { file } }) => file)],
      (phrases) =>
        phrases.alsoRemoved(
          firstOf(
            [...gone.map(({ path }) => path), ...own.removed.map(({ name }) => name)].map(code),
            mostNames,
          ),
        ),
      [...gone.flatMap(({ place }) => place ?? []), ...own.removed.map(({ piece }) => evidenceOf(piece))],
    ),
    ...rest.edits
      .filter(isOfCode)
      .slice(0, mostEdits)
      .flatMap((edit) =>
        rowOf(
          edit.files.flatMap((path) => files.get(path) ?? []),
          sentenceOfEdit(edit).say,
          edit.evidence,
          edit.times,
        ),
      ),
    ...rowsOfMoves(files, chosen),
    ...rowOfNames(tests.changed.filter(isTestName), 'changedTests', mostTests),
    ...rowOfNames(edited.map(byPath), 'documentation'),
    ...rowOf(tooLong, (phrases) => phrases.tooLong(pathsOf(tooLong))),
    ...rowOf(quiet, (phrases) => phrases.nothingButLayout(pathsOf(quiet))),
    ...(already.dependencies ? [] : dependencyRow(facts.files, chosen)),
    ...executableRows(facts.files),
    ...unreadRow(facts.files),
  ];
}

interface NamedPiece {
  name: string;
  piece: Piece;
}

/** Functions and types that lines are in, by what became of them; what may be the same under both sides is in none. */
function namedIn(
  pieces: Piece[],
  { changes, declared }: ChosenHunks,
): Record<'added' | 'changed' | 'removed', NamedPiece[]> {
  const found = { added: [] as NamedPiece[], changed: [] as NamedPiece[], removed: [] as NamedPiece[] };
  const seen = new Set(changes.map(({ file, hunk }) => `${file.path}\0${hunk?.heading ?? ''}`));
  for (const piece of pieces) {
    const { file, lines } = piece;
    const isNamed = file.kind === 'source' || file.kind === 'test';
    for (const line of lines.filter(isCode)) {
      const range = isNamed ? rangeAt(file, line) : null;
      if (piece.isTest && !range?.isFunction) continue;
      const name = range?.name ?? file.path;
      const key = `${file.path}\0${range?.name ?? ''}`;
      if (seen.has(key)) continue;
      seen.add(key);
      const change = range ? changeOf(file, name) : file.status === 'added' ? 'added' : 'changed';
      if (!range && file.status === 'added' && file.ranges.length > 0) continue;
      const isOld = declared.old.has(`.${lastName(name)}`);
      const isNew = declared.new.has(`.${lastName(name)}`);
      // What is declared on one side alone is not merely changed, and another test may have taken over a name.
      if (change === 'changed' && range && (isOld !== isNew || (isNew && piece.isTest))) continue;
      if ((change === 'added' && isOld) || (change === 'removed' && isNew)) continue;
      found[change].push({ name, piece });
    }
  }
  const added = new Set(found.added.map(({ name }) => name));
  const isMember = ({ name }: NamedPiece): boolean => added.has(name.slice(0, -lastName(name).length - 1));
  return { ...found, added: found.added.filter((one) => !isMember(one)) };
}

function changeOf({ symbols, status }: FileFacts, name: string): 'added' | 'changed' | 'removed' {
  const symbol = symbols.find(
    (one) => fullName(one) === name && (one.change === 'added' || one.change === 'removed'),
  );
  if (status === 'added' || symbol?.change === 'added') return 'added';
  return symbol ? 'removed' : 'changed';
}

/** A row about some files, unless there are none. */
function rowOf(
  about: FileFacts[],
  say: RuleSentence['say'],
  evidence: Evidence[] = about.flatMap(({ place }) => place ?? []),
  times: number | null = null,
): AlsoRow[] {
  const files = [...new Set(about)];
  if (files.length === 0) return [];
  const distinct = new Map(evidence.map((one) => [lineKey(one.fileName, one.side, one.startLine), one]));
  return [
    {
      sentence: { say, evidence: [...distinct.values()].slice(0, 20) },
      times,
      files: files.map(({ path }) => path),
      additions: files.reduce((sum, { additions }) => sum + additions, 0),
      deletions: files.reduce((sum, { deletions }) => sum + deletions, 0),
    },
  ];
}

/** More files that moved are one row. */
const mostMoves = 3;

function rowsOfMoves(files: Map<string, FileFacts>, { rest: { moves } }: ChosenHunks): AlsoRow[] {
  const whole = moves.filter(({ names }) => names.length === 0);
  const isMany = whole.length > mostMoves;
  const single = isMany ? moves.filter(({ names }) => names.length > 0) : moves;
  const filesOf = (paths: string[]): FileFacts[] => paths.flatMap((path) => files.get(path) ?? []);
  return [
    ...single.slice(0, mostMoves + 3).flatMap((move) => {
      const { say, evidence } = sentenceOfMove(move);
      return rowOf(filesOf([move.to, move.from]), say, evidence);
    }),
    ...(isMany
      ? rowOf(filesOf(whole.map(({ to }) => to)), (phrases) => phrases.filesMoved(whole.length))
      : []),
  ];
}

const pathsOf = (files: FileFacts[]): Names =>
  firstOf(
    files.map(({ path }) => code(path)),
    mostNames,
  );

function dependencyRow(files: FileFacts[], { changes }: ChosenHunks): AlsoRow[] {
  const isShown = shownIn(changes.flatMap(({ hunk }) => hunk ?? []));
  const found = new Map<string, DependencyChange>();
  for (const { dependencies } of files)
    for (const one of dependencies)
      if (one.change !== 'moved' && !isShown(one.evidence))
        found.set([one.name, one.change, one.from, one.to].join('\0'), one);
  const all = [...found.values()];
  return rowOf(
    all.length === 0 ? [] : files.filter(({ dependencies }) => dependencies.length > 0),
    (phrases) => phrases.dependencies(all, mostDependencies),
    all.slice(0, mostDependencies).map(({ evidence }) => evidence),
  );
}

const executableRows = (files: FileFacts[]): AlsoRow[] =>
  [true, false].flatMap((now) => {
    const own = files.filter(({ becameExecutable }) => becameExecutable === now);
    return rowOf(own, (phrases) => phrases.executable(pathsOf(own), now));
  });

function unreadRow(files: FileFacts[]): AlsoRow[] {
  const unread = files.filter(({ skipped, status, additions, deletions }) => {
    const isMovedOnly = status === 'renamed' && additions + deletions === 0;
    return skipped !== null && !isMovedOnly;
  });
  const of = (kind: FileFacts['kind']): number =>
    unread.filter((file) => file.kind === kind && !file.isSubmodule).length;
  const counts = {
    locks: of('lock'),
    generated: of('generated'),
    vendored: of('vendored'),
    binary: of('binary'),
    submodules: unread.filter(({ isSubmodule }) => isSubmodule).length,
  };
  const tooLarge = unread.length - Object.values(counts).reduce((total, one) => total + one, 0);
  return rowOf(unread, (phrases) => phrases.unread({ ...counts, tooLarge }));
}
