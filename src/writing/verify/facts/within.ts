import { mentions } from '../declaration-forms.ts';
import type { Scope } from '../scope.ts';

/** Whether some of what is cited lies inside of a declaration, or is that declaration. */
export function liesWithin(name: string, { ground, evidence, files }: Scope): boolean {
  if (ground.knowsRange(name)) return evidence.some((one) => ground.isWithin(name, one));
  // Where its lines are not known, it stands around what is cited. `Foo.bar` is the innermost of its parts.
  const wanted = name.split(/\.|::|#/).at(-1) ?? name;
  return files.some(({ around, headings }) =>
    [...headings, ...around.map(({ text }) => text)].some((text) => mentions(text, wanted)),
  );
}
