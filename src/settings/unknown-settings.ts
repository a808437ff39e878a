/** Shorter names are near too many others. */
const shortest = 5;
const mostMistakes = 2;

export interface UnknownSetting {
  name: string;
  /** The setting that was probably meant. */
  meant: string | null;
}

/** What names of ours begin with that no other program's are likely to. */
const prefixes = /^(?:PULLQUOTE|GIT|GITHUB|AI|OIDC)_/i;

/**
 * Names that look like settings and are none. In the file of settings every name is meant as one; in the environment of a
 * process, which is full of names of other programs, those that begin like one and are nearly one.
 */
export function findUnknownSettings(
  known: readonly string[],
  { file, environment }: { file: readonly string[]; environment: readonly string[] },
): UnknownSetting[] {
  const unknown = (name: string) => !known.includes(name);
  const inFile = file.filter(unknown).map((name) => ({ name, meant: nearest(name, known) }));
  const nearly = environment
    .filter((name) => prefixes.test(name) && unknown(name) && !file.includes(name))
    .map((name) => ({ name, meant: nearest(name, known) }))
    .filter(({ meant }) => meant !== null);
  return [...inFile, ...nearly];
}

function nearest(name: string, known: readonly string[]): string | null {
  if (name.length < shortest) return null;
  const ranked = known
    .filter((one) => Math.abs(one.length - name.length) <= mostMistakes)
    .map((one) => ({ one, mistakes: mistakesBetween(name.toUpperCase(), one) }))
    .sort((one, other) => one.mistakes - other.mistakes);
  const [first] = ranked;
  return first && first.mistakes <= mostMistakes ? first.one : null;
}

/** How many characters have to be added, left out or replaced to get from one text to another. */
function mistakesBetween(one: string, other: string): number {
  let row = Array.from({ length: other.length + 1 }, (_, index) => index);
  for (const [place, letter] of [...one].entries()) {
    const next = [place + 1];
    for (const [index, wanted] of [...other].entries()) {
      const replaced = (row[index] ?? 0) + Number(letter !== wanted);
      next.push(Math.min(replaced, (row[index + 1] ?? 0) + 1, (next[index] ?? 0) + 1));
    }
    row = next;
  }
  return row.at(-1) ?? 0;
}
