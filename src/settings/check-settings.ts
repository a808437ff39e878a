import { mistakesBetween } from '../domain/text.ts';
import { hostIds } from './code-host-settings.ts';

/** Shorter names are near too many others. */
const shortest = 5;
const mostMistakes = 2;

export interface UnknownSetting {
  name: string;
  meant: string | null;
}

/** Prefixes of our settings that other programs are unlikely to use. */
const prefixes = new RegExp(`^(?:PULLQUOTE|AI|OIDC|DIGEST|SMTP|MAIL|${hostIds.join('|')})_`, 'i');

/** Shorter names of other programs, such as HOST or LOG, are prefixes of our names, or one letter away from them. */
const shortestOfOthers = 6;

/**
 * Names that look like settings but are not. In the file of settings that is every unknown name; in the environment, which is full of
 * names of other programs, only those that are nearly a setting.
 */
export function findUnknownSettings(
  known: readonly string[],
  { file, environment }: { file: readonly string[]; environment: readonly string[] },
): UnknownSetting[] {
  const unknown = (name: string) => !known.includes(name);
  const inFile = file.filter(unknown).map((name) => ({ name, meant: nearest(name, known) }));
  const nearly = environment
    .filter((name) => unknown(name) && !file.includes(name))
    .map((name) => ({ name, meant: prefixes.test(name) ? nearest(name, known) : mistyped(name, known) }))
    .filter(({ meant }) => meant !== null);
  return [...inFile, ...nearly];
}

/** A first letter is rarely mistyped: XAI_API_KEY is not AI_API_KEY. A cut-off name ends within its second word. */
function mistyped(name: string, known: readonly string[]): string | null {
  if (name.length < shortestOfOthers) return null;
  const typed = name.toUpperCase();
  const brokenOff = /^[A-Z]+_[A-Z]/.test(typed) && known.find((one) => one.startsWith(typed));
  if (brokenOff) return brokenOff;
  return known.find((one) => one[0] === typed[0] && mistakesBetween(typed, one) <= 1) ?? null;
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
