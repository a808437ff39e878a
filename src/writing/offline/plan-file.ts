import type { Evidence, FileFacts, SymbolChange } from '../../reading/facts.ts';
import { plainText } from '../plain-text.ts';
import { type Named, namesPerList, type Statement, type Told, tell } from './outline.ts';
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
export function statementsOf(file: FileFacts, homes: Homes): Told[] {
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

function fileStatements(file: FileFacts): Told[] {
  const evidence = file.place ? [file.place] : [];
  const { path, status, kind, additions, deletions, previousPath } = file;
  const say = (statement: Statement): Told[] => [tell(statement, evidence)];
  if (file.isSubmodule) return say({ say: 'submodule', path });
  if (kind === 'binary') {
    return say({
      say: 'binaryFile',
      path,
      status: status === 'added' || status === 'removed' ? status : 'modified',
    });
  }
  // What it defines says that it is new.
  if (status === 'added' && file.symbols.some(({ change }) => change === 'added')) return [];
  if (status === 'added') return say({ say: 'newFile', path, kind, lines: additions });
  if (status === 'removed') {
    return say({
      say: 'removedFile',
      path,
      lines: deletions,
      names: namesOf(file.symbols.filter(({ isPublic }) => isPublic)).slice(0, namesPerList),
    });
  }
  if (status === 'renamed' && previousPath)
    return say({ say: 'movedFile', path, from: previousPath, isEdited: additions + deletions > 0 });
  if (status === 'copied' && previousPath) return say({ say: 'copiedFile', path, from: previousPath });
  if (file.becameExecutable !== null)
    return say({ say: 'modeChanged', path, isExecutable: file.becameExecutable });
  return [];
}

const namesOf = (symbols: SymbolChange[]): Named[] => symbols.map(({ kind, name }) => ({ kind, name }));

/** Settings, routes and options are what people outside the code meet first. */
function surfaceStatements({ surfaces, kind, status }: FileFacts): Told[] {
  const isEdited = kind === 'configuration' && status === 'modified';
  const told = surfaces.filter((surface) => surface.kind !== 'configurationKey' || isEdited);
  const groups = Map.groupBy(told, (surface) => `${surface.kind} ${surface.change}`);
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    if (!first) return [];
    const names = [...new Set(same.map(({ name }) => name))].slice(0, namesPerList);
    const statement: Statement = { say: 'setting', kind: first.kind, change: first.change, names };
    return [
      tell(
        statement,
        same.slice(0, 3).map(({ evidence }) => evidence),
      ),
    ];
  });
}

function goneSymbols({ path, symbols, status }: FileFacts, homes: Homes): Told[] {
  if (status === 'removed') return [];
  const told = symbols.flatMap(({ change, kind, previousName, name, isPublic, evidence }): Told[] =>
    change === 'renamed' && previousName !== null
      ? [tell({ say: 'renames', kind, from: previousName, to: name }, [evidence]), ...usersOf(1, isPublic)]
      : [],
  );
  const gone = symbols.filter(({ change }) => change === 'removed');
  const newHome = ({ name }: SymbolChange) => homes.get(name)?.find((home) => home !== path);
  for (const [to, moved] of Map.groupBy(gone, newHome)) {
    if (to === undefined) continue;
    const names = namesOf(moved).slice(0, namesPerList);
    told.push(tell({ say: 'movesSymbols', names, from: path, to }, declarationsOf(moved)));
  }
  const removed = gone.filter((symbol) => newHome(symbol) === undefined);
  const known = new Set<string>();
  for (const isPublic of [true, false]) {
    // Several types may have had a method of the same name.
    const same = removed.filter((symbol) => symbol.isPublic === isPublic && !known.has(symbol.name));
    for (const { name } of same) known.add(name);
    if (same.length === 0) continue;
    const names = namesOf(same).slice(0, namesPerList);
    told.push(
      tell({ say: 'removes', names, hasMore: same.length > names.length }, declarationsOf(same)),
      ...usersOf(same.length, isPublic),
    );
  }
  return told;
}

/** What it means for those outside that something they could use is gone. */
const usersOf = (count: number, isPublic: boolean): Told[] =>
  isPublic ? [tell({ say: 'usersMustChange', isOne: count === 1 }, [])] : [];

/** A declaration is seen in its first line; what follows is its body. */
const declarationsOf = (symbols: SymbolChange[]): Evidence[] =>
  symbols.slice(0, namesPerList).map(({ evidence }) => ({ ...evidence, endLine: evidence.startLine }));

function newSymbols({ symbols, status }: FileFacts): Told[] {
  const added = symbols
    .filter(({ change }) => change === 'added')
    .sort((one, other) => Number(other.isPublic) - Number(one.isPublic));
  if (added.length === 0) return [];
  const told = added.slice(0, namesPerList);
  const defines = tell(
    {
      say: 'defines',
      names: namesOf(told),
      hasMore: added.length > told.length,
      inNewFile: status === 'added',
    },
    declarationsOf(told),
  );
  const explained = told.flatMap(({ name, explanation, evidence }) => {
    if (explanation === null) return [];
    const quote = plainText(explanation);
    return [
      tell({ say: 'explains', name, quote }, [evidence], [{ speaker: name, where: 'code', text: quote }]),
    ];
  });
  return [defines, ...explained.slice(0, 2)];
}

function changedSignatures({ symbols }: FileFacts): Told[] {
  const told: Told[] = [];
  const changed = symbols
    .filter(({ change }) => change === 'signatureChanged')
    .sort((one, other) => Number(other.isPublic) - Number(one.isPublic));
  for (const symbol of changed) {
    const statement = resigned(symbol);
    if (!statement) continue;
    const same = told.find(({ statement: known }) => isSameReturn(known, statement))?.statement;
    if (same?.say !== 'returns') told.push(tell(statement, [symbol.evidence]));
    else if (same.names.length < namesPerList) same.names.push(symbol.name);
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
      return { say: 'returns', names: [name], before: before.returns, after: after.returns };
    }
  }
  const isQuotable =
    !/[`…]/.test(signature + previousSignature) && signature.length + previousSignature.length <= 180;
  return isQuotable ? { say: 'resigned', name, before: previousSignature, after: signature } : null;
}

function reworked({ path, symbols, additions, deletions, place }: FileFacts): Told {
  const names = [...new Set(symbols.map(({ name }) => name))].slice(0, 3);
  return tell({ say: 'reworked', path, names, additions, deletions }, place ? [place] : []);
}
