import type { Evidence, FileFacts, SignatureEdit, SymbolChange } from '../../reading/facts.ts';
import type { FileDiff } from '../../reading/file-diff.ts';
import { isBalanced, losesAddress, plainText } from '../plain-text.ts';
import { quoteCode, type Told, tell, type Unit } from './outline.ts';
import { documented } from './plan-edits.ts';
import { isSaidInComments } from './prose-lines.ts';
import type { IsElsewhere } from './standing-names.ts';
import { type Named, namesPerList, type Statement } from './statements.ts';
import { declaresMore } from './unnamed-declarations.ts';

/** What others can use weighs more than what is behind it. */
const publicWeight = 12;

/** What happened to what a file declares. */
export function symbolUnits(file: FileFacts, diff: FileDiff | undefined, isElsewhere: IsElsewhere): Unit[] {
  // What a new file defines it does define, whatever else has that name; but for a part of something that others hold.
  const isNews = (symbol: SymbolChange): boolean =>
    file.status === 'added' && symbol.change !== 'moved'
      ? !/\bpartial\b/.test(symbol.signature ?? '')
      : !isElsewhere(symbol);
  const changed = (change: SymbolChange['change']) =>
    withoutMembers(file.symbols.filter((symbol) => symbol.change === change)).filter(isNews);
  return [
    ...removedSymbols(file, changed('removed'), diff),
    ...changed('renamed').flatMap(renamedSymbol),
    ...newSymbols(file, changed('added'), diff),
    ...movedSymbols(file, changed('moved')),
    ...wrappedSymbols(changed('wrapped')),
    ...newSignatures([...changed('signatureChanged'), ...changed('renamed')]),
    ...file.symbols.flatMap(newValue),
  ];
}

/** What belongs to a class that comes or goes as a whole comes and goes with it. */
export function withoutMembers(symbols: SymbolChange[]): SymbolChange[] {
  const holders = new Set(symbols.filter(isDeclaringType).map(({ container }) => container));
  const declared = new Set(symbols.filter(isDeclaringType).map(({ name }) => name));
  // What holds classes and types is a namespace, which other files hold as well.
  const own = symbols.filter(({ kind, name, container }) => {
    const makes = (kind === 'method' || kind === 'constructor') && container === name;
    const isNamespace = (kind === 'type' || kind === 'module') && holders.has(name);
    return !isNamespace && !(makes && declared.has(name));
  });
  const names = new Set(own.map(({ name }) => name));
  return own.filter(
    ({ container, name }) => container === null || container === name || !names.has(container),
  );
}

const isDeclaringType = ({ kind }: SymbolChange): boolean =>
  kind === 'class' || kind === 'type' || kind === 'module';

const namesOf = (symbols: SymbolChange[]): Named[] => {
  // Several types may have a method of the same name.
  const unique = new Map(symbols.map(({ kind, name }) => [`${kind} ${name}`, { kind, name }]));
  // What is called like its class makes one, and is no method that anybody calls by that name.
  const classes = new Set(symbols.filter(({ kind }) => kind !== 'method').map(({ name }) => name));
  return [...unique.values()].filter(({ kind, name }) => kind !== 'method' || !classes.has(name));
};

/** A declaration is seen in its first line; what follows is its body. */
const headOf = ({ evidence }: SymbolChange): Evidence => ({ ...evidence, endLine: evidence.startLine });
const headsOf = (symbols: SymbolChange[]): Evidence[] => symbols.slice(0, namesPerList).map(headOf);

const byPublic = (one: SymbolChange, other: SymbolChange): number =>
  Number(other.isPublic) - Number(one.isPublic);

const unit = (told: Told[], weight: number, about: string | null = null): Unit => ({ told, weight, about });

/** What something is called, and was. */
export const bothNames = ({ name, previousName }: SymbolChange): { name: string }[] => [
  { name },
  { name: previousName ?? name },
];

/** What moved or was renamed has neither come nor gone, by either name. */
const apartFrom = (change: SymbolChange['change'], symbols: SymbolChange[]): { name: string }[] =>
  symbols.filter((symbol) => symbol.change !== change).flatMap(bothNames);

/** What it means that something public goes is told among the points. */
function removedSymbols({ symbols }: FileFacts, removed: SymbolChange[], diff: FileDiff | undefined): Unit[] {
  const isPart = declaresMore(diff, 'removed', removed, apartFrom('removed', symbols));
  return [true, false].flatMap((isPublic) => {
    const same = removed.filter((symbol) => symbol.isPublic === isPublic);
    if (same.length === 0) return [];
    const told = tell({ say: 'removes', names: namesOf(same), withFile: false, isPart }, headsOf(same));
    return [unit([told], 40 + (isPublic ? publicWeight : 0))];
  });
}

function renamedSymbol({ kind, previousName, name, isPublic, evidence }: SymbolChange): Unit[] {
  if (previousName === null) return [];
  const told = tell({ say: 'renames', kind, from: previousName, to: name }, [evidence]);
  return [unit([told], 48 + (isPublic ? publicWeight : 0), name)];
}

function newSymbols(
  { status, language, symbols }: FileFacts,
  added: SymbolChange[],
  diff: FileDiff | undefined,
): Unit[] {
  if (added.length === 0) return [];
  const isComment = (quote: string): boolean =>
    !documented.has(language ?? '') || (diff !== undefined && isSaidInComments(diff, quote));
  const sorted = [...added].sort(byPublic);
  const names = namesOf(sorted);
  const isPart = declaresMore(diff, 'added', names, apartFrom('added', symbols));
  const told = [tell({ say: 'defines', names, inNewFile: status === 'added', isPart }, headsOf(sorted))];
  const explains = (name: string, quote: string, evidence: Evidence): Told =>
    quoteCode(
      { say: 'explains', name, isOnly: names.length === 1, isComment: isComment(quote), quote },
      evidence,
    );
  const explained = sorted
    .slice(0, namesPerList)
    .flatMap(({ name, explanation, evidence }) =>
      explanation === null || /<\/?\w+>/.test(explanation) || losesAddress(explanation)
        ? []
        : [explains(name, plainText(explanation), evidence)],
    );
  const isPublic = sorted[0]?.isPublic === true;
  const [first] = names;
  return [
    unit(
      [...told, ...explained.slice(0, 2)],
      46 + (isPublic ? publicWeight : 0),
      names.length === 1 ? (first?.name ?? null) : null,
    ),
  ];
}

function movedSymbols({ path }: FileFacts, moved: SymbolChange[]): Unit[] {
  const groups = Map.groupBy(
    moved,
    ({ movedFrom, movedTo, isEdited }) => `${isEdited} ${movedFrom?.fileName} ${movedTo?.fileName}`,
  );
  return [...groups.values()].flatMap((same) => {
    const [first] = same;
    const [from, to] = [first?.movedFrom?.fileName, first?.movedTo?.fileName];
    if (!first || from === undefined || to === undefined) return [];
    const names = namesOf(same);
    const own = ({ movedFrom, movedTo }: SymbolChange) =>
      (to === path ? [movedTo, movedFrom] : [movedFrom, movedTo]).flatMap((place) =>
        place ? [firstLine(place)] : [],
      );
    const evidence = same.slice(0, namesPerList).flatMap(own);
    // Of what was rewritten in another place of its file, nobody can tell that it moved.
    if (from === to)
      return first.isEdited ? [] : [unit([tell({ say: 'movesWithin', names, path }, evidence)], 8)];
    return to === path
      ? [unit([tell({ say: 'movesHere', names, from, to, isEdited: first.isEdited }, evidence)], 36)]
      : [unit([tell({ say: 'movesAway', names, from, to }, evidence)], 34)];
  });
}

const firstLine = (evidence: Evidence): Evidence => ({ ...evidence, endLine: evidence.startLine });

function wrappedSymbols(wrapped: SymbolChange[]): Unit[] {
  const groups = Map.groupBy(wrapped, ({ wrapper }) => wrapper ?? '');
  return [...groups].flatMap(([wrapper, same]) =>
    wrapper === ''
      ? []
      : [
          unit(
            [
              tell(
                { say: 'wraps', names: namesOf(same), wrapper },
                same.slice(0, namesPerList).map(({ evidence }) => evidence),
              ),
            ],
            32,
          ),
        ],
  );
}

function newValue({ name, value, evidence, isPublic, change }: SymbolChange): Unit[] {
  if (value === null || change === 'added' || change === 'removed' || value.from === value.to) return [];
  return [
    unit([tell({ say: 'value', name, ...value }, [evidence])], 40 + (isPublic ? publicWeight : 0), name),
  ];
}

function newSignatures(changed: SymbolChange[]): Unit[] {
  const units: Unit[] = [];
  for (const symbol of [...changed].sort(byPublic)) {
    for (const statement of statementsOn(symbol)) {
      const known = units.flatMap(({ told }) => told).find((one) => isSameReturn(one.statement, statement));
      if (known?.statement.say === 'returns' && known.statement.names.includes(symbol.name)) continue;
      if (known?.statement.say === 'returns' && known.statement.names.length < namesPerList) {
        known.statement.names.push(symbol.name);
        known.evidence.push(symbol.evidence);
      } else {
        units.push(
          unit([tell(statement, [symbol.evidence])], 36 + (symbol.isPublic ? publicWeight : 0), symbol.name),
        );
      }
    }
  }
  return units;
}

const isSameReturn = (one: Statement, other: Statement): boolean =>
  one.say === 'returns' && other.say === 'returns' && one.from === other.from && one.to === other.to;

/** What longer declarations have in common hides what tells them apart. */
const longestDeclaration = 110;

function statementsOn({
  kind,
  name: of,
  signatureEdits,
  signature,
  previousSignature,
  change,
}: SymbolChange): Statement[] {
  // A type may hold functions that take something, and takes nothing itself.
  if (!['function', 'method', 'constructor'].includes(kind)) return [];
  // Whether a parameter has only another name, its type and what is done with it would have to tell.
  if (signatureEdits.every((edit) => edit.kind === 'parameterRenamed')) {
    const isShown =
      change === 'signatureChanged' &&
      signature !== null &&
      previousSignature !== null &&
      !/…/.test(signature + previousSignature) &&
      isBalanced(signature) &&
      isBalanced(previousSignature) &&
      Math.max(signature.length, previousSignature.length) <= longestDeclaration;
    if (!isShown) return [];
    const isFunction = kind === 'function' || kind === 'method';
    const [from, to] = isFunction
      ? [headWithoutBody(previousSignature), headWithoutBody(signature)]
      : [previousSignature, signature];
    return from === to ? [] : [{ say: 'resigned', from, to }];
  }
  const parameters = parametersIn(kind, of, signatureEdits);
  return [...parameters, ...signatureEdits.flatMap((edit) => statementOn(of, edit))];
}

/** What is declared, without what it does where that begins on the same line. */
function headWithoutBody(signature: string): string {
  let depth = 0;
  for (const { 0: sign, index } of signature.matchAll(/[([{]|[)\]}]| =(?=\s|$)/g)) {
    if (sign === ' =' && depth === 0) return signature.slice(0, index);
    if (sign !== ' =') depth += '([{'.includes(sign) ? 1 : -1;
  }
  return signature;
}

function parametersIn(kind: Named['kind'], name: string, edits: SignatureEdit[]): Statement[] {
  const added = edits.filter((edit) => edit.kind === 'parameterAdded');
  const required = added.filter(({ isOptional }) => !isOptional).map((edit) => edit.name);
  const optional = added.filter(({ isOptional }) => isOptional).map((edit) => edit.name);
  const gone = edits.filter((edit) => edit.kind === 'parameterRemoved').map((edit) => edit.name);
  // What is taken apart where it is taken has no name.
  const isNameless = [...required, ...optional, ...gone].some((one) => /^[{[(]/.test(one));
  return isNameless || added.length + gone.length === 0
    ? []
    : [{ say: 'parameters', kind, name, required, optional, gone }];
}

const withoutAnnotations = (type: string): string => type.replace(/@\w+(?:\([^()]*\))?\s*/g, '').trim();

function statementOn(of: string, edit: SignatureEdit): Statement[] {
  if (edit.kind !== 'default' && edit.kind !== 'parameterType' && edit.kind !== 'returns') return [];
  const { from, to } = edit;
  if (edit.kind === 'default') return [{ say: 'parameterDefault', of, name: edit.name, from, to }];
  // Where no type is written, nothing can be said of it; and an annotation is no part of one.
  if (withoutAnnotations(from) === withoutAnnotations(to)) return [];
  if (from === '' || to === '' || /=(?!>)/.test(from + to)) return [];
  return edit.kind === 'returns'
    ? [{ say: 'returns', names: [of], from, to }]
    : [{ say: 'parameterType', of, name: edit.name, from, to }];
}
