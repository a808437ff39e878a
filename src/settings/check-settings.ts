import { mistakesBetween } from '../domain/text.ts';
import { hostIds, missingForHosts, oidcHost } from './code-host-settings.ts';

/** The settings of an identity provider. */
interface IssuerSettings {
  codeHosts: string[];
  oidcIssuer: string | undefined;
  oidcAudience: string | undefined;
  oidcHostUserClaim: string[] | undefined;
  oidcJwksUrl: URL | undefined;
}

type SignInSettings = IssuerSettings & Parameters<typeof missingForHosts>[0];

/** What has to be set too before people can sign in as the settings want it, a sentence each. */
export const missingForSignIn = (settings: SignInSettings): string[] => [
  ...missingForHosts(settings),
  ...missingForIssuer(settings),
];

function missingForIssuer(settings: IssuerSettings): string[] {
  const { codeHosts, oidcIssuer, oidcAudience, oidcHostUserClaim, oidcJwksUrl } = settings;
  const needed = {
    OIDC_ISSUER: oidcIssuer,
    OIDC_AUDIENCE: oidcAudience,
    OIDC_HOST_USER_CLAIM: oidcHostUserClaim,
  };
  const missing = Object.entries(needed).flatMap(([name, value]) => (value === undefined ? [name] : []));
  if (missing.length === 3 && !oidcJwksUrl) return [];
  if (missing.length > 0)
    return [
      `Signing in with an identity provider needs ${missing.join(' and ')} too: set all of them, or none.`,
    ];
  if (!codeHosts.includes(oidcHost))
    return ['OIDC_ISSUER names accounts of GitHub: set CODE_HOST=github, or CODE_HOST=git,github.'];
  if (
    oidcJwksUrl &&
    oidcJwksUrl.protocol !== 'https:' &&
    oidcJwksUrl.origin !== URL.parse(oidcIssuer ?? '')?.origin
  )
    return ['OIDC_JWKS_URL must be an https address, unless it has the name and port of OIDC_ISSUER.'];
  return [];
}

/** Shorter names are near too many others. */
const shortest = 5;
const mostMistakes = 2;

export interface UnknownSetting {
  name: string;
  /** The setting that was probably meant. */
  meant: string | null;
}

/** Prefixes of our settings that other programs are unlikely to use. */
const prefixes = new RegExp(`^(?:PULLQUOTE|AI|OIDC|DIGEST|SMTP|MAIL|${hostIds.join('|')})_`, 'i');

/** Shorter names of other programs, such as HOST or LOG, are prefixes of our names, or one letter away from them. */
const shortestOfOthers = 6;

/**
 * Names that look like settings and are none. In the file of settings every name is meant as one; in the environment of a
 * process, which is full of names of other programs, those that begin like one and are nearly one, and those that are one
 * letter away from one or its beginning.
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

/** A first letter is rarely mistyped, and XAI_API_KEY is not AI_API_KEY. What breaks off does so within its second word. */
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
