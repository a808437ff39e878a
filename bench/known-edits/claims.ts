import type { Evidence, Facts, FileFacts, SymbolChange } from '../../src/reading/facts.ts';
import type { Draft, StatedFact, Thing } from '../../src/writing/draft.ts';
import { numberSentences } from '../../src/writing/number-sentences.ts';

/** What a sentence or a fact says, in a form in which it can be held against the truth. */
export type Claim =
  | StatedFact
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
    ...file.dependencies.flatMap(({ name, change, movedFrom, movedTo, from, to, evidence }): Claim[] => {
      if (change === 'added') return [{ relation: 'comes', thing: 'dependency', name }];
      if (change === 'removed') return [{ relation: 'goes', thing: 'dependency', name }];
      if (change === 'moved') return [movedClaim('dependency', name, movedFrom, movedTo ?? evidence)];
      return [{ relation: 'version', of: name, from, to }];
    }),
    ...file.surfaces.flatMap(({ kind, name, change }): Claim[] => {
      if (change === 'changed') return [{ relation: 'reworked', name }];
      return [{ relation: change === 'added' ? 'comes' : 'goes', thing: kind, name }];
    }),
    ...file.tests.map(({ name, change, previousName, movedFrom, movedTo, evidence }): Claim => {
      if (change === 'renamed')
        return { relation: 'renamed', thing: 'test', from: previousName ?? '', to: name };
      if (change === 'moved') return movedClaim('test', name, movedFrom, movedTo ?? evidence);
      return { relation: change === 'added' ? 'comes' : 'goes', thing: 'test', name };
    }),
  ];
}

function movedClaim(thing: Thing, name: string, from: Evidence | null, to: Evidence): Claim {
  return { relation: 'moved', thing, name, fromFile: from?.fileName ?? '', toFile: to.fileName };
}

function claimsOfSymbol(symbol: SymbolChange): Claim[] {
  const { kind, name, change, previousName, movedFrom, evidence, signature, previousSignature, wrapper } =
    symbol;
  const claims: Claim[] = [];
  if (change === 'added') claims.push({ relation: 'comes', thing: kind, name });
  if (change === 'removed') claims.push({ relation: 'goes', thing: kind, name });
  if (change === 'renamed')
    claims.push({ relation: 'renamed', thing: kind, from: previousName ?? '', to: name });
  if (change === 'moved') claims.push(movedClaim(kind, name, movedFrom, symbol.movedTo ?? evidence));
  if (change === 'wrapped') claims.push({ relation: 'wrapped', thing: kind, name, wrapper: wrapper ?? '' });
  if (change === 'bodyChanged') claims.push({ relation: 'reworked', name });
  if (change === 'signatureChanged') {
    claims.push(
      { relation: 'becomes', from: previousSignature ?? '', to: signature ?? '' },
      { relation: 'reworked', name },
    );
  }
  if (symbol.value) claims.push({ relation: 'default', of: name, ...symbol.value });
  for (const edit of symbol.signatureEdits) {
    if (edit.kind === 'parameterAdded')
      claims.push({
        relation: 'parameter',
        of: name,
        name: edit.name,
        change: 'added',
        isOptional: edit.isOptional,
      });
    else if (edit.kind === 'parameterRemoved')
      claims.push({ relation: 'parameter', of: name, name: edit.name, change: 'removed', isOptional: false });
    else if (edit.kind === 'returns')
      claims.push({ relation: 'returns', of: name, from: edit.from, to: edit.to });
    else if (edit.kind === 'default')
      claims.push({ relation: 'default', of: name, from: edit.from, to: edit.to });
    else claims.push({ relation: 'becomes', from: edit.from, to: edit.to });
  }
  return claims;
}

const goingReasons = new Set(['publicApiRemoved', 'settingRemoved']);
const comingReasons = new Set(['testSkipped', 'permissionChanged', 'debugOnlyCheck', 'noteInCode']);

function claimsOfPoint({ reason, subjects, transitions }: Facts['attention'][number]): Claim[] {
  if (transitions.length > 0)
    return transitions.map(
      ({ from, to, subject }): Claim => ({ relation: 'default', of: subject, from, to }),
    );
  return subjects.map((name): Claim => {
    if (goingReasons.has(reason)) return { relation: 'goes', thing: 'text', name };
    if (comingReasons.has(reason)) return { relation: 'comes', thing: 'text', name };
    return reason === 'publicApiChanged' ? { relation: 'reworked', name } : { relation: 'touches', name };
  });
}
