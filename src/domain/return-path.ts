/** Longer than any address of a page here, and sealed still no more than browsers keep in a cookie. */
const longest = 2_000;

/** Control characters, and what some browsers take for a slash. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: they are what is looked for
const neverInPaths = /[\u0000-\u0020\\\u007f-\u009f]/;

/** What becomes one of those, a slash or another escape once it is decoded again. */
const doublyEncoded = /%(?:[01][0-9a-f]|2[0f5]|5c|7f)/i;

/** The names of a group within others, which are one part of the address of a page. */
const nestedOwner = /^(\/r\/[\w.-]+)(?:%2f[\w.-]+)+(?=\/|$)/i;

/** Where a user goes after signing in: a page of this service, whatever the link said; else the first page. */
export function safeReturnPath(wanted: string | undefined): string {
  if (!wanted?.startsWith('/')) return '/';
  if (neverInPaths.test(wanted)) return '/';
  const here = 'https://pullquote.invalid';
  const url = URL.parse(wanted, here);
  if (
    !url ||
    url.origin !== here ||
    url.pathname.startsWith('//') ||
    doublyEncoded.test(url.pathname.replace(nestedOwner, '$1'))
  )
    return '/';
  // Signing in again and again is no place to come back to.
  if (/^\/(?:auth|sign-in|sign-up)(?:\/|$)/.test(url.pathname)) return '/';
  const path = url.pathname + url.search + url.hash;
  return path.length > longest ? '/' : path;
}
