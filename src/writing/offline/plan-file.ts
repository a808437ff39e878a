import type { Edit, Evidence, FileFacts, SymbolChange } from '../../reading/facts.ts';
import { plainText } from '../plain-text.ts';
import type { Named, Statement } from './outline.ts';
import { parseSignature } from './parse-signature.ts';

/** A statement and where it can be seen. */
export interface Grounded {
  statement: Statement;
  evidence: Evidence[];
}

const namesPerList = 5;

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

const importing = /^(?:import|from|use|export \*|export \{.*\} from|const .* = require\(|#include|require)\b/;

/** What single lines show, told for each function; the reason somebody gave in a comment comes before the rest. */
function editStatements(file: FileFacts): Grounded[] {
  const types = new Set(file.symbols.filter(({ kind }) => kind === 'type').map(({ name }) => name));
  const isTelling = (edit: Edit) =>
    !importing.test(edit.text) && !(edit.kind === 'conditionAdded' && /^\w+$/.test(edit.text));
  const isNew = new Set(file.symbols.filter(({ change }) => change === 'added').map(({ name }) => name));
  const gone = new Set(file.symbols.filter(({ change }) => change === 'removed').map(({ name }) => name));
  const declared = file.symbols
    .filter(({ change }) => change === 'signatureChanged' || change === 'renamed')
    .map(({ evidence }) => evidence);
  const isDeclaration = ({ evidence }: Edit) =>
    declared.some(
      ({ startLine, endLine, side }) =>
        evidence.side === side &&
        evidence.startLine >= startLine &&
        evidence.endLine <= Math.min(endLine, startLine + 3),
    );
  const explanations = new Set(file.symbols.map(({ explanation }) => explanation));
  const edits = file.edits.filter((edit) => {
    if (edit.kind === 'comment') return !explanations.has(edit.text);
    if (edit.kind === 'replaced' && isDeclaration(edit)) return false;
    if (edit.symbol !== null && gone.has(edit.symbol)) return false;
    // What an interface names is declared there, not called.
    if (edit.kind.startsWith('call') && edit.symbol !== null && types.has(edit.symbol)) return false;
    return (
      edit.kind === 'errorAdded' || edit.kind === 'heading' || edit.symbol === null || !isNew.has(edit.symbol)
    );
  });
  const telling = edits.filter(isTelling);
  const unique = new Map(
    (telling.length > 0 ? telling : edits).map((edit) => [`${edit.kind} ${edit.before} ${edit.text}`, edit]),
  );
  const groups = [...Map.groupBy(unique.values(), ({ symbol }) => symbol)];
  const told = groups.flatMap(([symbol, same]) => editsIn(symbol, same, file.kind === 'documentation'));
  // One voice from the code beside those that explain what is new; a row of quotations is not read.
  const remarks = told
    .filter(({ statement }) => statement.say === 'remarks')
    .slice(explanations.size > 1 ? 1 : 2);
  return told.filter((grounded) => !remarks.includes(grounded));
}

function editsIn(symbol: string | null, edits: Edit[], isText: boolean): Grounded[] {
  const of = (...kinds: Edit['kind'][]) => edits.filter(({ kind }) => kinds.includes(kind));
  const placesOf = (some: Edit[]) => some.slice(0, 3).map(({ evidence }) => evidence);
  const grounded: Grounded[] = [];
  const add = (statement: Statement, some: Edit[]) => grounded.push({ statement, evidence: placesOf(some) });

  const headings = of('heading');
  if (headings.length > 0) {
    const names = headings.slice(0, namesPerList).map(({ text }) => plainText(text));
    add({ say: 'sections', headings: names, more: headings.length - names.length }, headings);
  }
  for (const edit of of('textAdded').slice(0, 1)) {
    const quote = plainText(edit.text);
    // Where a link goes on from the line before, what is left of it is no sentence.
    if (quote.length >= 20 && !quote.includes('](')) add({ say: 'addsText', quote }, [edit]);
  }
  for (const edit of of('comment').slice(0, 1))
    add({ say: 'remarks', symbol, quote: plainText(edit.text) }, [edit]);
  for (const edit of of('replaced').slice(0, 2)) {
    const before = edit.before ?? '';
    add(
      isText
        ? { say: 'rewordedText', before, after: edit.text }
        : { say: 'replaced', symbol, before, after: edit.text },
      [edit],
    );
  }
  for (const edit of of('errorAdded').slice(0, 1))
    add({ say: 'raises', symbol, message: messageOf(edit) }, [edit]);
  const conditions = of('conditionAdded').slice(0, 2);
  if (conditions.length > 0)
    add({ say: 'checks', symbol, conditions: conditions.map(({ text }) => text) }, conditions);
  else
    for (const edit of of('conditionRemoved').slice(0, 1))
      add({ say: 'dropsCheck', symbol, condition: edit.text }, [edit]);
  addCalls(symbol, of('callAdded'), of('callRemoved'), add);
  const added = of('lineAdded');
  const removed = of('lineRemoved');
  if (added.length > 0)
    add({ say: 'addsLines', symbol, lines: added.slice(0, 3).map(({ text }) => text) }, added);
  if (removed.length > 0)
    add({ say: 'dropsLines', symbol, lines: removed.slice(0, 3).map(({ text }) => text) }, removed);
  return grounded;
}

/** An error's message, without the full stop that would end our own sentence too early. */
export const messageOf = ({ text }: Edit): string => plainText(text).replace(/\.$/, '');

/** A name that is called no longer in one place and newly in another was only moved. */
function addCalls(
  symbol: string | null,
  added: Edit[],
  removed: Edit[],
  add: (statement: Statement, some: Edit[]) => void,
): void {
  const gone = new Set(removed.map(({ text }) => text));
  const now = new Set(added.map(({ text }) => text));
  const names = [...now].filter((name) => !gone.has(name)).slice(0, 3);
  const instead = [...gone].filter((name) => !now.has(name)).slice(0, 2);
  if (names.length > 0) add({ say: 'calls', symbol, names, instead }, added);
  else if (instead.length > 0) add({ say: 'calls', symbol, names, instead }, removed);
}

function reworked({ symbols, additions, deletions, place }: FileFacts): Grounded {
  const names = [...new Set(symbols.map(({ name }) => name))].slice(0, 3);
  return { statement: { say: 'reworked', names, additions, deletions }, evidence: place ? [place] : [] };
}
