import type { Evidence, Facts, FileFacts, SymbolChange } from '../../src/reading/facts.ts';
import { type FileDiff, linesOf } from '../../src/reading/file-diff.ts';
import type { Thing } from '../../src/writing/draft.ts';

/** A fact in a form that can be compared with the truth. */
export type Claim =
  | { relation: 'comes' | 'goes'; thing: Thing | 'text'; name: string }
  | { relation: 'becomes'; from: string; to: string }
  | { relation: 'reformatted' }
  | { relation: 'moved'; name: string; fromFile: string; toFile: string }
  | { relation: 'renamed' | 'default' | 'returns'; from: string; to: string }
  | { relation: 'version' }
  | { relation: 'parameter'; of: string; name: string; isOptional?: boolean }
  /** A part of the declaration was changed. */
  | { relation: 'reworked'; name: string }
  /** The changed lines are about this. */
  | { relation: 'touches'; name: string };

/** All claims of the facts. */
export const claimsOf = (facts: Facts, diff: FileDiff[]): Claim[] => [
  ...facts.files.flatMap((file) => claimsOfFile(file, diff)),
  ...facts.attention.flatMap(claimsOfPoint),
];

function claimsOfFile(file: FileFacts, diff: FileDiff[]): Claim[] {
  const lines = diff.filter(({ path }) => path === file.path).flatMap(({ hunks }) => hunks.flatMap(linesOf));
  const textOf = ({ side, startLine, endLine }: Evidence): string =>
    lines
      .filter(({ oldLine, newLine }) => {
        const number = side === 'old' ? oldLine : newLine;
        return number !== null && number >= startLine && number <= endLine;
      })
      .map(({ text }) => text)
      .join('\n');
  const isReformatted = file.changes.length > 0 && file.changes.every(({ kind }) => kind === 'rewrapped');
  return [
    ...(isReformatted ? [{ relation: 'reformatted' as const }] : []),
    ...file.changes.flatMap(({ kind, old, new: now }): Claim[] => {
      if (kind !== 'replaced' || !old || !now) return [];
      return [{ relation: 'becomes', from: textOf(old), to: textOf(now) }];
    }),
    ...file.symbols.flatMap(claimsOfSymbol),
    ...file.dependencies.flatMap(({ name, change, movedFrom, movedTo, evidence }): Claim[] => {
      if (change === 'added') return [{ relation: 'comes', thing: 'dependency', name }];
      if (change === 'removed') return [{ relation: 'goes', thing: 'dependency', name }];
      if (change === 'moved') return [movedClaim(name, movedFrom, movedTo ?? evidence)];
      return [{ relation: 'version' }];
    }),
    ...file.surfaces.flatMap(({ kind, name, change }): Claim[] => {
      if (change === 'changed') return [{ relation: 'reworked', name }];
      return [{ relation: change === 'added' ? 'comes' : 'goes', thing: kind, name }];
    }),
    ...file.tests.flatMap(({ name, change }): Claim[] =>
      change === 'kept' ? [] : [{ relation: change === 'added' ? 'comes' : 'goes', thing: 'test', name }],
    ),
  ];
}

function movedClaim(name: string, from: Evidence | null, to: Evidence): Claim {
  return { relation: 'moved', name, fromFile: from?.fileName ?? '', toFile: to.fileName };
}

function claimsOfSymbol(symbol: SymbolChange): Claim[] {
  const { kind, name, change, previousName, movedFrom, evidence, signature, previousSignature } = symbol;
  const claims: Claim[] = [];
  if (change === 'added') claims.push({ relation: 'comes', thing: kind, name });
  if (change === 'removed') claims.push({ relation: 'goes', thing: kind, name });
  if (change === 'renamed') claims.push({ relation: 'renamed', from: previousName ?? '', to: name });
  if (change === 'moved') claims.push(movedClaim(name, movedFrom, symbol.movedTo ?? evidence));
  if (change === 'bodyChanged') claims.push({ relation: 'reworked', name });
  if (change === 'signatureChanged') {
    claims.push(
      { relation: 'becomes', from: previousSignature ?? '', to: signature ?? '' },
      { relation: 'reworked', name },
    );
  }
  if (symbol.value) claims.push({ relation: 'default', ...symbol.value });
  for (const edit of symbol.signatureEdits) {
    if (edit.kind === 'parameterAdded')
      claims.push({
        relation: 'parameter',
        of: name,
        name: edit.name,
        isOptional: edit.isOptional,
      });
    else if (edit.kind === 'parameterRemoved')
      claims.push({ relation: 'parameter', of: name, name: edit.name, isOptional: false });
    else if (edit.kind === 'returns') claims.push({ relation: 'returns', from: edit.from, to: edit.to });
    else if (edit.kind === 'default') claims.push({ relation: 'default', from: edit.from, to: edit.to });
    else claims.push({ relation: 'becomes', from: edit.from, to: edit.to });
  }
  return claims;
}

const claimsOfPoint = ({ subjects }: Facts['attention'][number]): Claim[] =>
  subjects.map((name): Claim => ({ relation: 'comes', thing: 'text', name }));
