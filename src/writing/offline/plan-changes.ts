import type { FileKind } from '../../domain/file-kinds.ts';
import type { FileFacts } from '../../reading/facts.ts';
import { type PlannedChange, type Statement, type Told, tell } from './outline.ts';
import {
  binary,
  dependencyStatements,
  documentStatements,
  lockStatements,
  manifestStatements,
  pathsOf,
  placesOf,
  sizeOf,
  testStatements,
} from './plan-company.ts';
import { type Homes, homesOf, statementsOf } from './plan-file.ts';

/** More than this nobody reads one by one; what is left is told together. */
const mostHeads = 6;

/** How much is said of the first file, of the next ones, and of those after them. */
const sentencesAt = (position: number): number => (position === 0 ? 5 : position < 3 ? 3 : 2);

/** The files that a change is about, then those that go with it. */
const heart: FileKind[] = ['source', 'configuration', 'build'];
const company: FileKind[] = ['manifest', 'test', 'documentation', 'lock', 'generated', 'vendored', 'binary'];

/** What is told of each file, the heart of the change first; what was done many times is told once. */
export function planChanges(files: FileFacts[]): PlannedChange[] {
  const kinds = heartOf(files);
  const homes = homesOf(files);
  if (kinds.includes('manifest')) return planCompanies(files, homes);
  const groups = groupAlike(
    files.filter(({ kind }) => kinds.includes(kind)),
    homes,
  );
  // A single one that is left over is told like the others.
  const heads = groups.slice(0, groups.length === mostHeads + 1 ? mostHeads + 1 : mostHeads);
  const changes = heads.map((group, position) => planGroup(group, sentencesAt(position)));
  const rest = groups.slice(heads.length).flatMap(({ files: some }) => some);
  if (rest.length > 0) changes.push(planRest(rest));
  const others = files.filter(({ kind }) => !kinds.includes(kind));
  return [...changes, ...planCompanies(others, homes)];
}

function planCompanies(files: FileFacts[], homes: Homes): PlannedChange[] {
  return company.flatMap((kind) => {
    const some = files.filter((file) => file.kind === kind);
    return some.length > 0 ? planCompany(kind, some, files, homes) : [];
  });
}

/** Without code, what is left is the heart: a change of nothing but documents is about documents. */
function heartOf(files: FileFacts[]): FileKind[] {
  const present = new Set(files.map(({ kind }) => kind));
  if (heart.some((kind) => present.has(kind))) return heart;
  const first = company.find((kind) => present.has(kind));
  return first === undefined ? heart : [first];
}

interface Group {
  files: FileFacts[];
  told: Told[];
}

/** Files in which the same was done belong together, under the most important one. */
function groupAlike(files: FileFacts[], homes: Homes): Group[] {
  const groups = new Map<string, Group>();
  for (const file of files) {
    const told = statementsOfAny(file, homes);
    const key = keyOf(file, told);
    const known = groups.get(key);
    if (known) known.files.push(file);
    else groups.set(key, { files: [file], told });
  }
  return [...groups.values()];
}

function statementsOfAny(file: FileFacts, homes: Homes): Told[] {
  if (file.kind === 'test') return testStatements([file]);
  if (file.kind === 'manifest' || file.dependencies.length > 0) {
    return [
      ...dependencyStatements([file]),
      ...(file.dependencies.length > 0 ? [] : statementsOf(file, homes)),
    ];
  }
  if (file.kind === 'lock') return lockStatements([file]);
  return statementsOf(file, homes);
}

function keyOf({ path }: FileFacts, told: Told[]): string {
  const statements = told.map(({ statement }) => statement);
  const [only] = statements;
  const status = statements.length === 1 && only ? wholeFileStatus(only) : null;
  if (status) return status;
  // What says only how many lines changed says nothing that two files could have in common.
  const isOwn = statements.every(({ say }) => say === 'reworked' || say === 'testsChanged');
  return isOwn ? path : JSON.stringify(statements);
}

/** What happened to a file as a whole, where that is all there is to say. */
function wholeFileStatus(statement: Statement): 'added' | 'removed' | 'moved' | 'binary' | null {
  if (statement.say === 'newFile') return 'added';
  if (statement.say === 'removedFile') return statement.names.length === 0 ? 'removed' : null;
  if (statement.say === 'movedFile') return statement.isEdited ? null : 'moved';
  return statement.say === 'binaryFile' ? 'binary' : null;
}

function planGroup({ files, told }: Group, sentences: number): PlannedChange {
  const [first, ...others] = files;
  if (!first) throw new Error('A group has at least one file.');
  const [only] = told;
  const status = told.length === 1 && only && others.length > 0 ? wholeFileStatus(only.statement) : null;
  if (status) return planMany(files, first.path, status);
  const also = others.length > 0 ? [tell({ say: 'alsoIn', paths: pathsOf(others) }, placesOf(others))] : [];
  return changeOf(files, first.path, [...told.slice(0, sentences), ...also]);
}

/** Many files that only came, went or moved are one piece of news. */
function planMany(
  files: FileFacts[],
  fileName: string,
  status: 'added' | 'removed' | 'moved' | 'binary',
): PlannedChange {
  const { additions, deletions } = sizeOf(files);
  const statement: Statement = {
    say: 'manyFiles',
    status,
    paths: pathsOf(files),
    lines: additions + deletions,
  };
  return changeOf(files, fileName, [tell(statement, placesOf(files))]);
}

function planRest(files: FileFacts[]): PlannedChange {
  const [first] = files;
  if (!first) throw new Error('There is a rest only where there are files.');
  const statement: Statement = { say: 'smaller', paths: pathsOf(files), ...sizeOf(files) };
  return changeOf(files, first.path, [tell(statement, placesOf(files))]);
}

function planCompany(kind: FileKind, files: FileFacts[], all: FileFacts[], homes: Homes): PlannedChange[] {
  const [first] = files;
  if (!first) return [];
  const plan = (told: Told[]): PlannedChange[] =>
    told.length === 0 ? [] : [changeOf(files, first.path, told)];
  switch (kind) {
    case 'manifest':
      return plan(manifestStatements(files, homes));
    case 'test':
      return plan(testStatements(files));
    case 'documentation':
      return plan(documentStatements(files, homes));
    case 'lock':
      // It follows its manifest; by itself it is worth a sentence.
      return all.some((file) => file.kind === 'manifest') ? [] : plan(lockStatements(files));
    default:
      return plan([
        tell(
          kind === 'binary' && files.length === 1
            ? binary(first)
            : { say: 'generated', paths: pathsOf(files), ...sizeOf(files) },
          placesOf(files),
        ),
      ]);
  }
}

function changeOf(files: FileFacts[], fileName: string, told: Told[]): PlannedChange {
  return { fileName, changeTypes: [...new Set(files.map(({ changeType }) => changeType))], told };
}
