import type { Evidence, Facts, FileFacts, SymbolChange } from '../../src/reading/facts.ts';
import type { Draft, StatedFact } from '../../src/writing/draft.ts';
import { numberSentences } from '../../src/writing/number-sentences.ts';

/** What a sentence or a fact says, in a form in which it can be held against the truth. */
export type Claim =
  | Exclude<StatedFact, { relation: 'moved' | 'parameter' }>
  | { relation: 'moved'; name: string; fromFile: string; toFile: string }
  | { relation: 'renamed' | 'default' | 'returns'; from: string; to: string }
  | { relation: 'version' }
  | { relation: 'parameter'; of: string; name: string; isOptional?: boolean }
  /** Something in the declaration is not as it was. */
  | { relation: 'reworked'; name: string }
  | { relation: 'reworded'; from: string; to: string }
  /** The changed lines are about this. */
  | { relation: 'touches'; name: string };

/** Everything that facts and the article made of them say. */
export function claimsOf(facts: Facts, draft: Draft): Claim[] {
  return [
    ...facts.files.flatMap(claimsOfFile),
    ...facts.attention.flatMap(claimsOfPoint),
    ...numberSentences(draft).flatMap((sentence) => sentence.facts),
  ];
}

function claimsOfFile(file: FileFacts): Claim[] {
  return [
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
    ...file.tests.map(({ name, change, previousName, movedFrom, movedTo, evidence }): Claim => {
      if (change === 'renamed') return { relation: 'renamed', from: previousName ?? '', to: name };
      if (change === 'moved') return movedClaim(name, movedFrom, movedTo ?? evidence);
      return { relation: change === 'added' ? 'comes' : 'goes', thing: 'test', name };
    }),
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
      { relation: 'becomes', of: [], from: previousSignature ?? '', to: signature ?? '' },
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
    else claims.push({ relation: 'becomes', of: [], from: edit.from, to: edit.to });
  }
  return claims;
}

const goingReasons = new Set(['publicApiRemoved', 'settingRemoved']);
const comingReasons = new Set(['testSkipped', 'permissionChanged', 'debugOnlyCheck', 'noteInCode']);

function claimsOfPoint({ reason, subjects, transitions }: Facts['attention'][number]): Claim[] {
  if (transitions.length > 0)
    return transitions.map(({ from, to }): Claim => ({ relation: 'default', from, to }));
  return subjects.map((name): Claim => {
    if (goingReasons.has(reason)) return { relation: 'goes', thing: 'text', name };
    if (comingReasons.has(reason)) return { relation: 'comes', thing: 'text', name };
    return reason === 'publicApiChanged' ? { relation: 'reworked', name } : { relation: 'touches', name };
  });
}
