import type { FileKind } from '../../domain/file-kinds.ts';
import type { Evidence, FileFacts, TestChange } from '../../reading/facts.ts';
import { plainText } from '../plain-text.ts';
import type { PlannedChange, Statement } from './outline.ts';
import { type Grounded, type Homes, homesOf, statementsOf } from './plan-file.ts';

/** More than this nobody reads one by one; what is left is told together. */
const mostHeads = 6;
const mostEvidence = 5;
const filesNamed = 3;
const mostDependencies = 8;

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

const binary = ({ status }: FileFacts): Statement => ({
  say: 'binaryFile',
  status: status === 'added' || status === 'removed' ? status : 'modified',
});

function manifestStatements(files: FileFacts[], homes: Homes): Grounded[] {
  const dependencies = dependencyStatements(files);
  const [first] = files;
  return dependencies.length > 0 || !first ? dependencies : statementsOf(first, homes).slice(0, 2);
}

function dependencyStatements(files: FileFacts[]): Grounded[] {
  // The packages of a workspace often move the same dependency.
  const changes = new Map<string, FileFacts['dependencies'][number]>();
  for (const change of files.flatMap(({ dependencies }) => dependencies)) {
    changes.set(`${change.name} ${change.change} ${change.from} ${change.to}`, change);
  }
  const told = [...changes.values()]
    .sort((one, other) => Number(other.scope === 'runtime') - Number(one.scope === 'runtime'))
    .slice(0, mostDependencies);
  if (told.length === 0) return [];
  const plain = told.map(({ evidence: _, ...change }) => change);
  return [
    {
      statement: { say: 'dependencies', changes: plain, more: changes.size - told.length },
      evidence: told.map(({ evidence }) => evidence),
    },
    ...othersWithDependencies(files),
  ];
}

/** The other packages of a workspace in which dependencies move. */
function othersWithDependencies(files: FileFacts[]): Grounded[] {
  const [, ...others] = files.filter(({ dependencies }) => dependencies.length > 0);
  if (others.length === 0) return [];
  const named = others.slice(0, filesNamed).map(({ path }) => path);
  return [
    { statement: { say: 'dependenciesIn', files: named, more: others.length - named.length }, evidence: [] },
  ];
}

function testStatements(files: FileFacts[]): Grounded[] {
  const added = files.flatMap(({ tests }) => tests).filter(({ change }) => change === 'added');
  const [only] = files;
  if (added.length === 0) {
    const gone = files.flatMap(({ tests }) => tests).slice(0, 3);
    if (gone.length > 0) return [testsGone(files, gone)];
    if (only && files.length === 1 && only.edits.length > 0) return statementsOf(only, new Map()).slice(0, 2);
    return [
      {
        statement: { say: 'testsChanged', files: files.length, ...sizeOf(files) },
        evidence: placesOf(files),
      },
    ];
  }
  const told = added.slice(0, 3);
  const holders = files.filter(({ tests }) => tests.some(({ change }) => change === 'added')).length;
  return [
    {
      statement: {
        say: 'tests',
        count: added.length,
        names: told.map(({ name }) => plainText(name)),
        files: holders,
      },
      evidence: told.map(({ evidence }) => evidence),
    },
  ];
}

function testsGone(files: FileFacts[], told: TestChange[]): Grounded {
  const count = files.reduce((sum, { tests }) => sum + tests.length, 0);
  return {
    statement: { say: 'testsGone', count, names: told.map(({ name }) => plainText(name)) },
    evidence: told.map(({ evidence }) => evidence),
  };
}

function documentStatements(files: FileFacts[], homes: Homes): Grounded[] {
  const told = files
    .flatMap((file) => statementsOf(file, homes))
    .filter(({ statement }) => ['sections', 'rewordedText', 'addsText'].includes(statement.say));
  const sections = told.find(({ statement }) => statement.say === 'sections') ?? told[0];
  const size: Grounded = {
    statement: { say: 'docsChanged', files: files.length, ...sizeOf(files) },
    evidence: placesOf(files),
  };
  return sections ? [sections, ...(files.length > 1 ? [size] : [])] : [size];
}

function lockStatements(files: FileFacts[]): Grounded[] {
  return [{ statement: { say: 'lockOnly', ...sizeOf(files) }, evidence: placesOf(files) }];
}

function sizeOf(files: FileFacts[]): { additions: number; deletions: number } {
  return {
    additions: files.reduce((sum, file) => sum + file.additions, 0),
    deletions: files.reduce((sum, file) => sum + file.deletions, 0),
  };
}

const placesOf = (files: FileFacts[]): Evidence[] =>
  files.flatMap(({ place }) => place ?? []).slice(0, filesNamed);

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
