import type { Evidence, SignatureEdit, SymbolChange } from '../../reading/facts.ts';
import { type Caption, weightOf } from './captions.ts';
import { compareConditions, conditionIn } from './conditions.ts';
import type { NewNames } from './new-names.ts';
import type { Piece, PieceUnit } from './pieces.ts';
import { wholeFile } from './whole-file.ts';

/** Longer than this is not read in a sentence: the excerpt shows it. */
const longestSpan = 72;

const isShort = (...texts: string[]): boolean =>
  texts.every((text) => text !== '' && text.length <= longestSpan) && new Set(texts).size === texts.length;

/** Everything certain that a caption can say of a piece, what says most first. */
export function captionsOf(piece: Piece, newNames: NewNames): Caption[] {
  const isWhole = piece.file.status === 'added' || piece.file.status === 'removed';
  const whole = isWhole ? wholeFile(piece.file) : null;
  if (whole?.kind === 'newFile') return [whole, { ...whole, doc: null }, { ...whole, names: [], doc: null }];
  if (whole?.kind === 'removedFile') return [whole, { ...whole, names: [] }];
  if (whole) return [whole];
  const found = [
    ...ofDeclaration(piece),
    ...ofSurfaces(piece),
    ...ofDependencies(piece),
    ...(piece.isNew || piece.symbol?.change === 'added' || piece.symbol?.change === 'removed'
      ? []
      : ofStatements(piece)),
    ...ofUses(piece, newNames),
  ];
  return found.sort((one, other) => weightOf(other) - weightOf(one));
}

/** Where nothing is certain: the place. */
export const placeOf = ({ name, file: { path } }: Piece): Caption =>
  name === null ? { kind: 'inFile', path } : { kind: 'within', name };

function ofDeclaration(piece: Piece): Caption[] {
  const { symbol, name, file, isNew, isFunction } = piece;
  if (name === null) return [];
  if (isNew && file.kind === 'documentation') return [{ kind: 'newSections', names: [name] }];
  if (!symbol) {
    const thing = name.includes('.') ? 'method' : 'function';
    return isNew && isFunction ? [{ kind: 'newDeclaration', thing, name, isPublic: false, doc: null }] : [];
  }
  const { change, kind: thing, previousName, movedFrom, isPublic, explanation } = symbol;
  const replaced = change === 'added' ? replacedBy(piece) : null;
  if (replaced !== null) return [{ kind: 'replaces', thing, from: replaced, to: symbol.name }];
  switch (change) {
    case 'added':
      return [
        { kind: 'newDeclaration', thing, name, isPublic: isDeclaredOpen(symbol), doc: whole(explanation) },
      ];
    case 'removed':
      return [{ kind: 'removedDeclarations', thing, names: [name] }];
    case 'renamed':
      return previousName === null ? [] : [{ kind: 'renamed', thing, from: previousName, to: symbol.name }];
    case 'moved':
      return movedFrom && movedFrom.fileName !== file.path
        ? [{ kind: 'movedHere', thing, name, isPublic, from: movedFrom.fileName, to: file.path }]
        : [];
    case 'signatureChanged':
      return symbol.signatureEdits.flatMap((edit) => ofSignature(edit, symbol, name));
    default:
      return [];
  }
}

/** The only declaration of its kind that stood where a new one stands. */
function replacedBy({ symbol, units, file }: Piece): string | null {
  const gone = file.symbols.filter(
    ({ change, kind, evidence }) =>
      change === 'removed' &&
      kind === symbol?.kind &&
      units.some(
        ({ change: { old, kind: became } }) =>
          became === 'removed' && old !== null && old.startLine === evidence.startLine,
      ),
  );
  return gone.length === 1 ? (gone[0]?.name ?? null) : null;
}

/** Said only where the language has a word for it. */
const isDeclaredOpen = ({ isPublic, signature }: SymbolChange): boolean =>
  isPublic && /\b(?:export|pub|public|open)\b/.test(signature ?? '');

/** A sentence of a comment as the end of one of ours; half of one says too little. */
const whole = (sentence: string | null): string | null =>
  sentence !== null && /[.!?。！？]$/.test(sentence) ? sentence : null;

function ofSignature(edit: SignatureEdit, { signature, isPublic }: SymbolChange, of: string): Caption[] {
  switch (edit.kind) {
    case 'parameterAdded': {
      const escaped = edit.name.replace(/[$]/g, '\\$&');
      const value =
        new RegExp(`\\b${escaped}\\b[^,=()]*=\\s*([^,()]{1,40}?)\\s*[,)]`).exec(signature ?? '')?.[1] ?? null;
      return [{ kind: 'newParameter', of, name: edit.name, value }];
    }
    case 'parameterRemoved':
      return [{ kind: 'removedParameter', of, name: edit.name }];
    case 'parameterType':
      return isShort(edit.from, edit.to) ? [{ ...edit, kind: 'parameterType', of }] : [];
    case 'default':
      return isPublic && isShort(edit.from, edit.to)
        ? [{ kind: 'defaultValue', of: edit.name, from: edit.from, to: edit.to }]
        : [];
    case 'returns':
      return isShort(edit.from, edit.to) ? [{ kind: 'returnType', of, from: edit.from, to: edit.to }] : [];
    default:
      return [];
  }
}

const lies = ({ startLine, side }: Evidence, { units }: Piece): boolean =>
  units.some(({ change }) => {
    const span = side === 'new' ? change.new : change.old;
    return (
      change.of !== 'comment' && span !== null && span.startLine <= startLine && span.endLine >= startLine
    );
  });

function ofSurfaces(piece: Piece): Caption[] {
  const own = piece.file.surfaces.filter(
    ({ change, evidence, kind }) =>
      change === 'added' && kind !== 'configurationKey' && lies(evidence, piece),
  );
  const byKind = Map.groupBy(own, ({ kind }) => kind);
  return [...byKind].map(([surface, some]) => ({
    kind: 'surface',
    surface,
    change: 'added',
    names: [...new Set(some.map(({ name }) => name))].slice(0, 4),
  }));
}

/** More packages than these are read in the manifest. */
const mostDependencies = 12;

/** What the whole change does to packages, told with the first piece that touches one. */
function ofDependencies(piece: Piece): Caption[] {
  const changes = piece.file.dependencies
    .filter(({ evidence, change }) => change !== 'moved' && lies(evidence, piece))
    .map(({ name, from, to, change }) => ({
      name,
      from: change === 'added' ? null : (from ?? ''),
      to: change === 'removed' ? null : (to ?? ''),
    }))
    .filter(({ from, to }) => from === null || to === null || (from !== '' && to !== ''));
  return changes.length === 0 ? [] : [{ kind: 'dependencies', changes: changes.slice(0, mostDependencies) }];
}

const isNews = ({ deed }: PieceUnit): boolean =>
  deed !== 'comment' && deed !== 'import' && deed !== 'closing' && deed !== 'layout';

function ofStatements(piece: Piece): Caption[] {
  const { units, name: within, isFunction } = piece;
  const all = units.filter(isNews);
  const news = all.filter((unit) => !unit.isInner);
  const firstInner = units.findIndex(({ change, deed }) => change.kind === 'added' && deed === 'declaration');
  // What stands in a function inside of another is not done by the outer one.
  const own = (!isFunction ? [] : firstInner < 0 ? units : units.slice(0, firstInner)).filter(
    (unit) => !unit.isInner,
  );
  return [
    ...own.flatMap((unit, index) => ofBranch(unit, own.slice(index + 1, index + 4), within)),
    ...(isFunction ? news.flatMap((unit) => ofCondition(unit, within)) : []),
    ...(all.length === 1 && news[0] ? ofOnly(news[0], within) : []),
  ];
}

const error = /(?:throw(?:\s+new)?|raise)\s+(?:new\s+)?([A-Za-z_$][\w$.:]*)/;
const message =
  /(?:panic!?|Errorf|errors\.New|bail!|anyhow!|Err)\(\s*(?:\w+::\w+\()?\s*("(?:[^"\\]|\\.){4,70}")/;

/** What fails, by its class or by what it says. */
const failureIn = (text: string): string | null => {
  const name = error.exec(text)?.[1];
  // What is handed on is no failure of its own.
  return name !== undefined && /(?:^|[.:])[A-Z]\w*$/.test(name) ? name : (message.exec(text)?.[1] ?? null);
};

/** A branch that is new, and ends the function or fails. */
function ofBranch({ change, after, deed }: PieceUnit, next: PieceUnit[], within: string | null): Caption[] {
  if (change.kind !== 'added' || after === null) return [];
  if (deed === 'throw') {
    const failure = failureIn(after);
    return failure !== null && isShort(failure) ? [{ kind: 'throws', within, error: failure }] : [];
  }
  if (deed !== 'condition' || /^\s*\}?\s*(?:else|elif|elsif|case|when|unless|guard)/.test(after)) return [];
  const condition = conditionIn(after.replace(/\)\s*(?:return|throw|continue)\b.*$/, ') {'));
  const [first] = next;
  const body =
    /\)\s*((?:return|throw)\b.*)$/.exec(after)?.[1] ?? (first?.change.kind === 'added' ? first.after : null);
  if (condition === null || !isShort(condition) || body === null) return [];
  const failure = /^\s*(?:throw|raise|panic|return\s+(?:fmt\.Errorf|errors\.New|Err)|bail!)/.test(body)
    ? failureIn(body)
    : null;
  if (failure !== null && isShort(failure))
    return [{ kind: 'throwsWhen', within, error: failure, condition }];
  return /^\s*return\b/.test(body) ? [{ kind: 'returnsEarly', within, condition }] : [];
}

function ofCondition({ change, before, after }: PieceUnit, within: string | null): Caption[] {
  if (change.kind !== 'replaced' || before === null || after === null) return [];
  const [was, is] = [conditionIn(before), conditionIn(after)];
  if (was === null || is === null) return [];
  const found = compareConditions(was, is);
  if (!found) return [];
  if (found.kind !== 'otherCondition' && isShort(found.condition)) return [{ ...found, within }];
  return within === null ? [] : [{ kind: 'otherCondition', from: was, to: is, within }];
}

const returned = /^\s*return\s+(.+?);?$/;
const assigned =
  /^\s*(?:(?:const|let|var|val|static|final|export|pub|public|private)\s+)*([\w$.'"-]+)\s*(?::\s*[\w<>[\]]+\s*)?(?:=|:)\s*(.+?)[;,]?$/;

/** What is said of a statement where nothing else changed. */
function ofOnly({ change, before, after }: PieceUnit, within: string | null): Caption[] {
  if (change.kind !== 'replaced' || before === null || after === null) return [];
  const [was, is] = [returned.exec(before)?.[1], returned.exec(after)?.[1]];
  if (was !== undefined && is !== undefined)
    return isShort(was, is) ? [{ kind: 'returnsInstead', within, from: was, to: is }] : [];
  const [old, current] = [assigned.exec(before), assigned.exec(after)];
  const [of, from, to] = [current?.[1], old?.[2], current?.[2]];
  if (of === undefined || from === undefined || to === undefined || old?.[1] !== of) return [];
  return from !== to && isValue(from) && isValue(to)
    ? [{ kind: 'value', within, of: of.replace(/^['"]|['"]$/g, ''), from, to }]
    : [];
}

/** A number, a text, or a name: what else stands behind a sign of equality is read in the excerpt. */
const isValue = (text: string): boolean =>
  isShort(text) && /^(?:-?[\d_.]+\w{0,3}|"[^"]*"|'[^']*'|`[^`]*`|[\w.:]+|\[[^[\]]*\])$/.test(text);

/** The use of something that the change brings. */
function ofUses(piece: Piece, newNames: NewNames): Caption[] {
  const { units, name: within } = piece;
  for (const { change, before, after } of units) {
    if (after === null || change.of !== 'code') continue;
    for (const word of after.match(/[A-Za-z_$][\w$]{2,}/g) ?? []) {
      const owner = newNames.ownerOf(word, piece.file);
      const isOwn = within?.split(/[.:]+/).includes(word);
      if (owner && owner !== piece && !isOwn && !before?.includes(word))
        return [{ kind: 'uses', within, name: word }];
    }
  }
  return [];
}
