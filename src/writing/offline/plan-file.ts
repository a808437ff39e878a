import type { FileFacts, SymbolChange } from '../../reading/facts.ts';
import { plainText } from '../plain-text.ts';
import { type Grounded, namesPerList } from './grounded.ts';
import type { Named, Statement } from './outline.ts';
import { parseSignature } from './parse-signature.ts';
import { editStatements } from './plan-edits.ts';

/** In which files a name is newly declared, to tell what moved from what went. */
export type Homes = Map<string, string[]>;

export function homesOf(files: FileFacts[]): Homes {
  const homes: Homes = new Map();
  for (const { path, symbols } of files) {
    for (const { name, change } of symbols)
      if (change === 'added') homes.set(name, [...(homes.get(name) ?? []), path]);
  }
  return homes;
}

/** Everything worth saying of one file, the most important first. */
export function statementsOf(file: FileFacts, homes: Homes): Grounded[] {
  const statements = [
    ...fileStatements(file),
    ...surfaceStatements(file),
    ...goneSymbols(file, homes),
    ...newSymbols(file),
    ...changedSignatures(file),
    ...editStatements(file),
  ];
  return statements.length > 0 ? statements : [reworked(file)];
}

function fileStatements(file: FileFacts): Grounded[] {
  const evidence = file.place ? [file.place] : [];
  const { status, kind, additions, deletions, previousPath } = file;
  const say = (statement: Statement): Grounded[] => [{ statement, evidence }];
  if (file.isSubmodule) return say({ say: 'submodule' });
  if (kind === 'binary') {
    return say({
      say: 'binaryFile',
      status: status === 'added' || status === 'removed' ? status : 'modified',
    });
  }
  // What it defines says that it is new.
  if (status === 'added' && file.symbols.some(({ change }) => change === 'added')) return [];
  if (status === 'added') return say({ say: 'newFile', kind, lines: additions });
  if (status === 'removed') {
    return say({
      say: 'removedFile',
      lines: deletions,
      names: namesOf(file.symbols.filter(({ isPublic }) => isPublic)).slice(0, namesPerList),
    });
  }
  if (status === 'renamed' && previousPath)
    return say({ say: 'movedFile', from: previousPath, isEdited: additions + deletions > 0 });
  if (status === 'copied' && previousPath) return say({ say: 'copiedFile', from: previousPath });
  if (file.becameExecutable !== null) return say({ say: 'modeChanged', isExecutable: file.becameExecutable });
  return [];
}

const namesOf = (symbols: SymbolChange[]): Named[] => symbols.map(({ kind, name }) => ({ kind, name }));

/** Settings, routes and options are what people outside the code meet first. */
function surfaceStatements({ surfaces, kind, status }: FileFacts): Grounded[] {
  const isEdited = kind === 'configuration' && status === 'modified';
  const told = surfaces.filter((surface) => surface.kind !== 'configurationKey' || isEdited);
  const groups = Map.groupBy(told, (surface) => `${surface.kind} ${surface.change}`);
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const names = [...new Set(same.map(({ name }) => name))].slice(0, namesPerList);
    const statement: Statement = { say: 'setting', kind: first.kind, change: first.change, names };
    return [{ statement, evidence: same.slice(0, 3).map(({ evidence }) => evidence) }];
  });
}

function goneSymbols({ path, symbols, status }: FileFacts, homes: Homes): Grounded[] {
  if (status === 'removed') return [];
  const renamed = symbols.flatMap(({ change, kind, previousName, name, isPublic, evidence }): Grounded[] =>
    change === 'renamed' && previousName !== null
      ? [
          {
            statement: { say: 'renames', kind, from: previousName, to: name, isPublic },
            evidence: [evidence],
          },
        ]
      : [],
  );
  const gone = symbols.filter(({ change }) => change === 'removed');
  const newHome = ({ name }: SymbolChange) => homes.get(name)?.find((home) => home !== path);
  for (const [to, moved] of Map.groupBy(gone, newHome)) {
    if (to === undefined) continue;
    const names = moved.map(({ name }) => name).slice(0, namesPerList);
    renamed.push({
      statement: { say: 'movesSymbols', names, to },
      evidence: moved.slice(0, 3).map(({ evidence }) => evidence),
    });
  }
  const removed = gone.filter((symbol) => newHome(symbol) === undefined);
  const told = new Set<string>();
  for (const isPublic of [true, false]) {
    // Several types may have had a method of the same name.
    const same = removed.filter((symbol) => symbol.isPublic === isPublic && !told.has(symbol.name));
    for (const { name } of same) told.add(name);
    if (same.length === 0) continue;
    const names = namesOf(same).slice(0, namesPerList);
    renamed.push({
      statement: { say: 'removes', names, more: same.length - names.length, isPublic },
      evidence: same.slice(0, 3).map(({ evidence }) => evidence),
    });
  }
  return renamed.slice(0, 3);
}

function newSymbols({ symbols, status }: FileFacts): Grounded[] {
  const added = symbols
    .filter(({ change }) => change === 'added')
    .sort((one, other) => Number(other.isPublic) - Number(one.isPublic));
  if (added.length === 0) return [];
  const told = added.slice(0, namesPerList);
  const explained = told.flatMap(({ name, explanation }) =>
    explanation === null ? [] : [{ name, quote: plainText(explanation) }],
  );
  return [
    {
      statement: {
        say: 'defines',
        names: namesOf(told),
        more: added.length - told.length,
        explained: explained.slice(0, 2),
        inNewFile: status === 'added',
      },
      evidence: told.slice(0, 3).map(({ evidence }) => evidence),
    },
  ];
}

function changedSignatures({ symbols }: FileFacts): Grounded[] {
  const told: Grounded[] = [];
  const changed = symbols
    .filter(({ change }) => change === 'signatureChanged')
    .sort((one, other) => Number(other.isPublic) - Number(one.isPublic));
  for (const symbol of changed) {
    const statement = resigned(symbol);
    if (!statement) continue;
    const same = told.find(({ statement: known }) => isSameReturn(known, statement))?.statement;
    if (same?.say !== 'returns') told.push({ statement, evidence: [symbol.evidence] });
    else if (same.names.length < namesPerList) same.names.push(symbol.name);
    else same.more += 1;
  }
  return told.slice(0, 3);
}

const isSameReturn = (one: Statement, other: Statement): boolean =>
  one.say === 'returns' &&
  other.say === 'returns' &&
  one.before === other.before &&
  one.after === other.after;

function resigned({ name, kind, signature, previousSignature }: SymbolChange): Statement | null {
  if (signature === null || previousSignature === null) return null;
  const before = parseSignature(previousSignature);
  const after = parseSignature(signature);
  if (before && after && (kind === 'function' || kind === 'method')) {
    const had = new Set(before.parameters.map((parameter) => parameter.name));
    const has = new Set(after.parameters.map((parameter) => parameter.name));
    const fresh = after.parameters.filter((parameter) => !had.has(parameter.name));
    const gone = before.parameters
      .filter((parameter) => !has.has(parameter.name))
      .map((parameter) => parameter.name);
    // One name for another, or a list of names for a single one, is better shown than told.
    const isSwap = fresh.length === 1 && gone.length === 1;
    if (!isSwap && fresh.length + gone.length > 0 && !/`/.test(fresh.map((one) => one.name).join(''))) {
      return {
        say: 'parameters',
        name,
        required: fresh.filter(({ isOptional }) => !isOptional).map((parameter) => parameter.name),
        optional: fresh.filter(({ isOptional }) => isOptional).map((parameter) => parameter.name),
        gone,
      };
    }
    if (before.returns !== after.returns && before.returns && after.returns) {
      return { say: 'returns', names: [name], more: 0, before: before.returns, after: after.returns };
    }
  }
  const isQuotable =
    !/[`…]/.test(signature + previousSignature) && signature.length + previousSignature.length <= 180;
  return isQuotable ? { say: 'resigned', name, before: previousSignature, after: signature } : null;
}

function reworked({ symbols, additions, deletions, place }: FileFacts): Grounded {
  const names = [...new Set(symbols.map(({ name }) => name))].slice(0, 3);
  return { statement: { say: 'reworked', names, additions, deletions }, evidence: place ? [place] : [] };
}
