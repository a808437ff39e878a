import { articleWordsFor } from './article-words.ts';
import type { ScopeKind } from './articles.ts';

export const secondLineSources = ['lead', 'author', 'touches'] as const;

export interface SecondLine {
  text: string;
  from: (typeof secondLineSources)[number];
}

/**
 * The places that an article's hunks touch, as the database derives them: files with the functions or sections around
 * the hunks.
 */
export interface Touches {
  places: [fileName: string, heading: string | null][];
  scopeKind: ScopeKind | null;
  scope: string | null;
  otherFile: string | null;
  files: number;
  newTests: number;
}

interface Known {
  languageCode: string;
  aiGeneratedTitle: string;
  standfirst: string | null;
  quote: { text: string } | null;
  touches: Touches;
}

/** The line below a title in lists; null only for an empty diff. */
export function secondLineOf({
  languageCode,
  aiGeneratedTitle,
  standfirst,
  quote,
  touches,
}: Known): SecondLine | null {
  if (standfirst !== null && standfirst !== aiGeneratedTitle) return { text: standfirst, from: 'lead' };
  if (quote) return { text: quote.text, from: 'author' };
  if (touches.files === 0 && touches.places.length === 0) return null;
  return { text: touchedBy(touches, languageCode), from: 'touches' };
}

function touchedBy(touches: Touches, languageCode: string): string {
  const { scope, scopeKind, newTests, files } = touches;
  if (scope !== null && scopeKind === 'dependencies') return scope;
  const { touchesIn, touchesFiles, newTestCount } = articleWordsFor(languageCode);
  const { names, namedFiles } = touchedNames(touches);
  // New tests are counted beside the names.
  const isMore = names.length > mostNamed || (newTests === 0 && namedFiles < files);
  return [
    names.length > 0 ? touchesIn(names.slice(0, mostNamed), isMore) : touchesFiles(files),
    ...(newTests > 0 ? [newTestCount(newTests)] : []),
    ...(scope !== null && scopeKind !== 'noPublicChange' ? [scope] : []),
  ].join(' · ');
}

const mostNamed = 3;

/** In prose, what surrounds a hunk is a section, which reads like the name of a file or function. */
const proseFile = /\.(?:md|mdx|markdown|rst|adoc|txt|html?)$/i;
const testFile = /(?:^|[/._-])(?:tests?|specs?|__tests__)(?=[/._-]|$)|Tests?\.\w+$/;
const name = /^[\p{L}\p{N}_$#.:~!?<>@-]{1,80}$/u;

const isPrivate = ([file, heading]: Touches['places'][number]): boolean =>
  /(?:^|[.:#])(?:_|#)[^.:#]*$/.test(heading ?? '') ||
  (file.endsWith('.go') && /(?:^|\.)\p{Ll}[^.]*$/u.test(heading ?? ''));

/** Public names first, then others, then files. Tests are named only if nothing else is touched. */
function touchedNames({ places, otherFile }: Touches): { names: string[]; namedFiles: number } {
  const all: Touches['places'] = otherFile === null ? places : [...places, [otherFile, null]];
  const own = all.filter(([file]) => !testFile.test(file));
  const shown = own.length > 0 ? own : all;
  const named = shown.filter(([file, heading]) => !proseFile.test(file) && name.test(heading ?? ''));
  const functions = [...named.filter((place) => !isPrivate(place)), ...named.filter(isPrivate)];
  const filesOfNamed = new Set(named.map(([file]) => file));
  const names = [
    ...functions.map(([, heading]) => heading ?? ''),
    ...shown.map(([file]) => file).filter((file) => !filesOfNamed.has(file)),
  ];
  return {
    names: [...new Set(names)].map((one) => `\`${one.replaceAll('`', '')}\``),
    namedFiles: new Set(shown.map(([file]) => file)).size,
  };
}
