import type { FileKind } from '../../domain/file-kinds.ts';
import type { Evidence, FileFacts } from '../../reading/facts.ts';
import type { Grounded } from './grounded.ts';
import type { PlannedChange, Statement } from './outline.ts';
import {
  binary,
  dependencyStatements,
  documentStatements,
  filesNamed,
  lockStatements,
  manifestStatements,
  placesOf,
  sizeOf,
  testStatements,
} from './plan-company.ts';
import { type Homes, homesOf, statementsOf } from './plan-file.ts';

/** More than this nobody reads one by one; what is left is told together. */
const mostHeads = 6;
const mostEvidence = 5;

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
  grounded: Grounded[];
}

/** Files in which the same was done belong together, under the most important one. */
function groupAlike(files: FileFacts[], homes: Homes): Group[] {
  const groups = new Map<string, Group>();
  for (const file of files) {
    const grounded = statementsOfAny(file, homes);
    const key = keyOf(file, grounded);
    const known = groups.get(key);
    if (known) known.files.push(file);
    else groups.set(key, { files: [file], grounded });
  }
  return [...groups.values()];
}

function statementsOfAny(file: FileFacts, homes: Homes): Grounded[] {
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

function keyOf({ path }: FileFacts, grounded: Grounded[]): string {
  const statements = grounded.map(({ statement }) => statement);
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

function planGroup({ files, grounded }: Group, sentences: number): PlannedChange {
  const [first, ...others] = files;
  if (!first) throw new Error('A group has at least one file.');
  const [only] = grounded;
  const status = grounded.length === 1 && only && others.length > 0 ? wholeFileStatus(only.statement) : null;
  if (status) return planMany(files, first.path, status);
  const told = grounded.slice(0, sentences);
  const statements = told.map(({ statement }) => statement);
  if (others.length > 0) {
    const named = others.slice(0, filesNamed).map(({ path }) => path);
    statements.push({ say: 'alsoIn', files: named, more: others.length - named.length });
  }
  const evidence = [
    ...told.flatMap((some) => some.evidence),
    ...others.slice(0, filesNamed).flatMap(({ place }) => place ?? []),
  ];
  return changeOf(files, first.path, statements, evidence);
}

/** Many files that only came, went or moved are one piece of news. */
function planMany(
  files: FileFacts[],
  fileName: string,
  status: 'added' | 'removed' | 'moved' | 'binary',
): PlannedChange {
  const named = files.slice(0, filesNamed).map(({ path }) => path);
  const { additions, deletions } = sizeOf(files);
  const statement: Statement = {
    say: 'manyFiles',
    status,
    files: named,
    more: files.length - named.length,
    lines: additions + deletions,
  };
  return changeOf(files, fileName, [statement], placesOf(files));
}

function planRest(files: FileFacts[]): PlannedChange {
  const [first] = files;
  if (!first) throw new Error('There is a rest only where there are files.');
  const named = files.slice(0, filesNamed).map(({ path }) => path);
  const { additions, deletions } = sizeOf(files);
  const statement: Statement = {
    say: 'smaller',
    files: named,
    more: files.length - named.length,
    additions,
    deletions,
  };
  return changeOf(files, first.path, [statement], placesOf(files));
}

function planCompany(kind: FileKind, files: FileFacts[], all: FileFacts[], homes: Homes): PlannedChange[] {
  const [first] = files;
  if (!first) return [];
  const plan = (grounded: Grounded[]): PlannedChange[] =>
    grounded.length === 0
      ? []
      : [
          changeOf(
            files,
            first.path,
            grounded.map(({ statement }) => statement),
            grounded.flatMap(({ evidence }) => evidence),
          ),
        ];
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
        {
          statement:
            kind === 'binary' && files.length === 1
              ? binary(first)
              : { say: 'generated', files: files.length, ...sizeOf(files) },
          evidence: placesOf(files),
        },
      ]);
  }
}

function changeOf(
  files: FileFacts[],
  fileName: string,
  statements: Statement[],
  evidence: Evidence[],
): PlannedChange {
  const unique = new Map(
    evidence.map((one) => [`${one.fileName}:${one.side}${one.startLine}-${one.endLine}`, one]),
  );
  return {
    fileName,
    changeTypes: [...new Set(files.map(({ changeType }) => changeType))],
    statements,
    evidence: [...unique.values()].slice(0, mostEvidence),
  };
}
