import type { Evidence, SignatureEdit, SymbolChange } from '../../reading/facts.ts';
import type { Caption } from './captions/caption.ts';
import { weightOf } from './captions/captions.ts';
import { captionsOfStatements } from './find-statement-captions.ts';
import { literally } from './name-parts.ts';
import type { NewNames } from './new-names.ts';
import type { Piece } from './pieces.ts';
import { isShort } from './short-spans.ts';
import { captionsOfWhole, wholeSentence } from './whole-file.ts';

/** Everything certain that a caption can say of a piece, what says most first. */
export function captionsOf(piece: Piece, newNames: NewNames): Caption[] {
  if (piece.file.status === 'added' || piece.file.status === 'removed') return captionsOfWhole(piece.file);
  const found = [
    ...ofDeclaration(piece),
    ...ofSurfaces(piece),
    ...ofDependencies(piece),
    ...(piece.isNew || piece.symbol?.change === 'added' || piece.symbol?.change === 'removed'
      ? []
      : captionsOfStatements(piece)),
    ...ofUses(piece, newNames),
  ];
  return found.sort((one, other) => weightOf(other) - weightOf(one));
}

function ofDeclaration(piece: Piece): Caption[] {
  const { symbol, name, file, isNew, isFunction } = piece;
  if (name === null) return [];
  if (isNew && file.kind === 'documentation') return [{ kind: 'newSections', names: [name] }];
  if (!symbol) {
    const thing = name.includes('.') ? 'method' : 'function';
    return isNew && isFunction ? [{ kind: 'newDeclaration', thing, name, isPublic: false, doc: null }] : [];
  }
  const { change, kind: thing, previousName, movedFrom, explanation } = symbol;
  switch (change) {
    case 'added':
      return [
        {
          kind: 'newDeclaration',
          thing,
          name,
          isPublic: isDeclaredOpen(symbol),
          doc: wholeSentence(explanation),
        },
      ];
    case 'removed':
      return [{ kind: 'removedDeclaration', thing, name }];
    case 'renamed':
      return previousName === null ? [] : [{ kind: 'renamed', thing, from: previousName, to: symbol.name }];
    case 'moved':
      return movedFrom && movedFrom.fileName !== file.path
        ? [{ kind: 'movedHere', thing, name, from: movedFrom.fileName, to: file.path }]
        : [];
    case 'signatureChanged':
      return symbol.signatureEdits.flatMap((edit) => ofSignature(edit, symbol, name));
    default:
      return [];
  }
}

/** Said only where the language has a word for it. */
const isDeclaredOpen = ({ isPublic, signature }: SymbolChange): boolean =>
  isPublic && /\b(?:export|pub|public|open)\b/.test(signature ?? '');

function ofSignature(edit: SignatureEdit, { signature, isPublic }: SymbolChange, of: string): Caption[] {
  switch (edit.kind) {
    case 'parameterAdded': {
      const value =
        new RegExp(`\\b${literally(edit.name)}\\b[^,=()]*=\\s*([^,()]{1,40}?)\\s*[,)]`).exec(
          signature ?? '',
        )?.[1] ?? null;
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
    ({ change, evidence }) => change === 'added' && lies(evidence, piece),
  );
  const byKind = Map.groupBy(own, ({ kind }) => kind);
  return [...byKind].map(([surface, some]) => {
    const names = [...new Set(some.map(({ name }) => name))];
    return {
      kind: 'surface',
      surface,
      names: names.slice(0, mostSurfaces),
      hasMore: names.length > mostSurfaces,
    };
  });
}

const mostSurfaces = 4;

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

/** The use of something that the change brings. */
function ofUses(piece: Piece, newNames: NewNames): Caption[] {
  const { units, name: within } = piece;
  const own = within?.split(/[.:]+/) ?? [];
  for (const unit of units) {
    if (unit.change.of !== 'code') continue;
    const used = newNames
      .namesIn(unit, piece.file)
      .find(({ name, owner }) => owner !== piece && !own.includes(name));
    if (used) return [{ kind: 'uses', within, name: used.name }];
  }
  return [];
}
