const base = 'http://here.invalid';

/** Where somebody is led back to: a path of this service, or its start where what is given leads anywhere else. */
export function ownPath(given: string | undefined): string {
  if (!given?.startsWith('/')) return '/';
  // Browsers leave out blanks, turn strokes around and shorten paths, so what they make of it is looked at.
  const url = URL.parse(given, base);
  if (url?.origin !== base || url.pathname.startsWith('//')) return '/';
  return `${url.pathname}${url.search}${url.hash}`;
}
