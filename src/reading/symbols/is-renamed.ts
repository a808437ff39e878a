import { likeness } from '../compare/likeness.ts';
import type { Sighting } from './read-hunk.ts';

// Shorter bodies are alike by chance.
const shortestBody = 40;
const likeEnough = 0.8;

/** Whether one declaration became the other under another name. Only what hardly can be chance counts. */
export function isRenamed(before: Sighting, after: Sighting): boolean {
  const { found: was, container: wasIn } = before.declaration;
  const { found: is, container: isIn } = after.declaration;
  if (before.confirmed.kind !== after.confirmed.kind || wasIn !== isIn || was.name === is.name) return false;
  const sameSignature =
    shapeOf(before.confirmed.signature, was.name) === shapeOf(after.confirmed.signature, is.name);
  if (before.hunk === after.hunk && before.keptShare > 0.5 && after.keptShare > 0.5) {
    if (before.body !== after.body && tokenLikeness(before.body, after.body) < likeEnough) return false;
    return sameSignature || tokenLikeness(before.confirmed.signature, after.confirmed.signature) >= 0.5;
  }
  if (!before.declaration.isClosed || !after.declaration.isClosed) return false;
  const oldBody = shapeOf(before.body, was.name);
  const newBody = shapeOf(after.body, is.name);
  if (Math.min(oldBody.length, newBody.length) < shortestBody) return false;
  return oldBody === newBody || (sameSignature && tokenLikeness(oldBody, newBody) >= likeEnough);
}

/** Whether one stands where the other stood, and differs from it in nothing but the name. */
export const isRenamedInPlace = (before: Sighting, after: Sighting): boolean =>
  standsInPlaceOf(before, after) &&
  shapeOf(before.body, nameOf(before)) === shapeOf(after.body, nameOf(after));

/** With so much of it in common, what stands where another stood may be the same under another name. */
const maybeTheSame = 0.5;

export const mayBeRenamedInPlace = (before: Sighting, after: Sighting): boolean =>
  standsInPlaceOf(before, after, (signature) => signature.replace(modifiers, '')) &&
  (tokenLikeness(before.body, after.body) >= maybeTheSame ||
    Math.min(before.keptShare, after.keptShare) > 0.25);

/** Words that a declaration may get or lose and be the same. */
const modifiers =
  /\b(?:public|private|protected|internal|static|final|abstract|sealed|open|data|export|default)\s+/g;

/** Whether one has the head of the other but for the name, in the same lines. */
function standsInPlaceOf(
  before: Sighting,
  after: Sighting,
  headOf = (signature: string): string => signature,
): boolean {
  const { found: was, container: wasIn } = before.declaration;
  const { found: is, container: isIn } = after.declaration;
  if (before.confirmed.kind !== after.confirmed.kind || wasIn !== isIn || was.name === is.name) return false;
  if (!before.line || before.line.run !== after.line?.run || before.line.indent !== after.line.indent)
    return false;
  return (
    shapeOf(headOf(before.confirmed.signature), was.name) ===
    shapeOf(headOf(after.confirmed.signature), is.name)
  );
}

const nameOf = ({ declaration }: Sighting): string => declaration.found.name;

const shapeOf = (text: string, name: string): string => text.split(name).join('\0').replace(/\s+/g, '');

const tokens = /\w+|[^\w\s]/g;

/** How many of the words and signs of two texts are the same, as a share of all. */
export const tokenLikeness = (first: string, second: string): number => likeness(first, second, tokens);
