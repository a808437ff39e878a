import type { FileKind } from '../../domain/article.ts';

/** The kinds of file that the change map tells apart, and their colours, which are the same in both themes. */
export const mapColors = {
  source: '#44688b',
  test: '#47704f',
  documentation: '#8a6420',
  build: '#7a5d7f',
  configuration: '#626873',
  manifest: '#706553',
  other: '#757168',
} as const;

export type MapKind = keyof typeof mapColors;

export const mapKindOf = (kind: FileKind): MapKind => (kind in mapColors ? (kind as MapKind) : 'other');
