import type { Edit, Evidence } from '../../reading/facts.ts';
import { type FileDiff, linesOf } from '../../reading/file-diff.ts';
import { tell, type Unit } from './outline.ts';
import { callsWhatIsGone } from './removed-declarations.ts';

/** What a branch does, as far as single lines tell; that it branches again tells nothing. */
export const effectOf = ({ effect }: Edit): string[] =>
  effect.filter((text) => !/^(?:if|elif|else|for|while|switch|match|try|with|do)\b/.test(text)).slice(0, 2);

/** A condition without what stands behind it: a remark, an arrow, a brace. */
export const conditionOf = ({ text }: Edit): string =>
  text.replace(/:?(?<!\s)\s+(?:#|\/\/)\s.*$/, '').replace(/(?<!\s)\s*(?:=>|\{|:|\bdo|\bthen)\s*$/, '');

export const placesOf = (edits: Edit[]): Evidence[] => edits.map(({ evidence }) => evidence);

/** Conditions of which nothing more is known than that they are asked, or no longer. */
export function conditionUnits(symbol: string | null, edits: Edit[]): Unit[] {
  // A bare name says nothing of what is asked.
  const telling = edits.filter(({ text }) => !/^\w+$/.test(text));
  const added = telling
    .filter(({ kind, effect }) => kind === 'conditionAdded' && effect.length === 0)
    .slice(0, 3);
  const removed = telling.filter(({ kind }) => kind === 'conditionRemoved').slice(0, 3);
  const unit = (say: 'checks' | 'dropsChecks', some: Edit[], weight: number): Unit[] => {
    const conditions = some.map(conditionOf);
    return some.length === 0
      ? []
      : [{ told: [tell({ say, symbol, conditions }, placesOf(some))], weight, about: symbol }];
  };
  return [...unit('checks', added, 29), ...unit('dropsChecks', removed, 20)];
}

/** What writes a log is called everywhere and says nothing. */
const logging = /^(?:logging|log|logger|console|tracing|slog|print\w*|get_logger)\b/;

/** A name that is called no longer in one place and newly in another was only moved, and one that stays was there before. */
export function callUnits(symbol: string, edits: Edit[], diff: FileDiff | undefined): Unit[] {
  const effects = edits.flatMap(effectOf).join('\n');
  const calls = edits.filter(
    ({ kind, text }) =>
      (kind === 'callAdded' || kind === 'callRemoved') &&
      !logging.test(text) &&
      !effects.includes(`${text}(`),
  );
  const stays = calls.length > 0 && diff ? contextOf(diff) : '';
  const of = (kind: Edit['kind']) =>
    calls.filter((call) => call.kind === kind && !stays.includes(`${call.text}(`));
  const [added, removed] = [of('callAdded'), of('callRemoved')];
  const gone = new Set(removed.map(({ text }) => text));
  const now = new Set(added.map(({ text }) => text));
  const come = added.filter(({ text }) => !gone.has(text)).slice(0, 3);
  const isInlined = callsWhatIsGone(diff);
  const go = removed.filter(({ text }) => !now.has(text) && !isInlined(`${text}(`)).slice(0, 2);
  if (come.length + go.length === 0) return [];
  const names = come.map(({ text }) => text);
  const instead = go.map(({ text }) => text);
  const told = tell({ say: 'calls', symbol, names, instead }, placesOf([...come, ...go]));
  return [{ told: [told], weight: names.length > 0 ? 18 : 14, about: symbol }];
}

const contextOf = (diff: FileDiff): string =>
  diff.hunks
    .flatMap(linesOf)
    .filter(({ side }) => side === 'context')
    .map(({ text }) => text)
    .join('\n');
