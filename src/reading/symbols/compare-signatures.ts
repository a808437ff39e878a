import type { SignatureEdit } from '../facts.ts';
import { wordSet } from '../word-set.ts';
import { type Parameter, parseSignature } from './parse-signature.ts';

/** What tells two signatures of the same function apart; null where they cannot be read. */
export function compareSignatures(
  before: { signature: string; name: string },
  after: { signature: string; name: string },
  language: string | null,
): SignatureEdit[] | null {
  const old = parseSignature(before.signature, before.name, language);
  const current = parseSignature(after.signature, after.name, language);
  if (!old || !current) return null;
  const sides = [old.parameters, current.parameters] as const;
  const edits = compareParameters(...(language === 'Ruby' ? withoutPassed(...sides) : sides));
  if (old.returns !== current.returns)
    edits.push({ kind: 'returns', from: old.returns, to: current.returns });
  return edits;
}

/** Ruby hands everything on by `...`, where it took `*args, **options, &block` before it could. */
function withoutPassed(old: Parameter[], current: Parameter[]): [Parameter[], Parameter[]] {
  // Without its dots nothing is left of that one.
  const isRest = ({ name }: Parameter): boolean => name === '';
  if (old.some(isRest) === current.some(isRest)) return [old, current];
  const own = ({ isOptional, default: given }: Parameter): boolean => !isOptional || given !== null;
  return [old.filter(own), current.filter(own)];
}

function compareParameters(old: Parameter[], current: Parameter[]): SignatureEdit[] {
  const edits: SignatureEdit[] = [];
  const had = new Map(old.map((parameter) => [parameter.name, parameter]));
  const has = new Set(current.map(({ name }) => name));
  const gone = old.filter(({ name }) => !has.has(name));
  const fresh = current.filter(({ name }) => !had.has(name));
  for (const parameter of current) {
    const before = had.get(parameter.name);
    if (before) edits.push(...compareParameter(before, parameter));
  }
  const isRenamed = (one: Parameter, other: Parameter): boolean =>
    old.length === current.length &&
    old.indexOf(one) === current.indexOf(other) &&
    // With another type it is another parameter, but for one that is called like its type.
    (one.type === other.type || (one.type === one.name && other.type === other.name));
  for (const parameter of fresh) {
    const index = gone.findIndex((other) => isRenamed(other, parameter));
    const [was] = index < 0 ? [] : gone.splice(index, 1);
    if (was)
      edits.push(
        { kind: 'parameterRenamed', from: was.name, to: parameter.name },
        ...compareParameter(was, parameter),
      );
    else
      edits.push({
        kind: 'parameterAdded',
        name: parameter.name || parameter.type,
        isOptional: parameter.isOptional,
      });
  }
  for (const { name, type } of gone) edits.push({ kind: 'parameterRemoved', name: name || type });
  return edits;
}

function compareParameter(before: Parameter, after: Parameter): SignatureEdit[] {
  const { name } = after;
  const edits: SignatureEdit[] = [];
  if (before.type !== after.type)
    edits.push({ kind: 'parameterType', name, from: before.type, to: after.type });
  if (before.default !== after.default && before.default !== null && after.default !== null)
    edits.push({ kind: 'default', name, from: before.default, to: after.default });
  return edits;
}

/** Languages in which callers name what they hand over. */
const namedByCallers = wordSet('Python Swift Kotlin Ruby C# Dart Scala PHP');

/** Whether callers may have to follow: by types and numbers, and by names only where they use them. */
export function concernsCallers(edits: SignatureEdit[], language: string | null): boolean {
  return edits.some(
    ({ kind }) => kind !== 'default' && (kind !== 'parameterRenamed' || namedByCallers.has(language ?? '')),
  );
}
