/** What a sentence of an article rests on: what the lines do, what people wrote about it, or what it means. */
export const bases = ['diff', 'words', 'judgement'] as const;

export type Basis = (typeof bases)[number];

/** Where a sentence that an article quotes can stand. */
export const quoteSources = ['title', 'description', 'commit', 'issue', 'code', 'changelog'] as const;

export type QuoteSource = (typeof quoteSources)[number];

/** Why a service that has a model wrote without it. */
export const reasonsForOffline = ['tooLarge', 'private', 'failed', 'budget', 'trivial'] as const;

export type ReasonForOffline = (typeof reasonsForOffline)[number];

/** What a point warns of, where that has a name of its own. */
export const pointLabels = [
  'breaking',
  'migration',
  'deprecated',
  'security',
  'default',
  'permission',
  'skippedTest',
  'measured',
  'limits',
] as const;

export type PointLabel = (typeof pointLabels)[number];

/** What a line of a hunk is. */
export const hunkLineKinds = ['context', 'added', 'removed'] as const;

export type HunkLineKind = (typeof hunkLineKinds)[number];

/** All that a change does, where that is certain. */
export const scopeKinds = [
  'tests',
  'documentation',
  'build',
  'dependencies',
  'formatting',
  'comments',
  'renames',
  'moves',
  'noPublicChange',
] as const;

export type ScopeKind = (typeof scopeKinds)[number];

/** Where the author's words stand that an article shows. */
export const authorWordsSources = ['description', 'commit', 'commits'] as const;

export type AuthorWordsSource = (typeof authorWordsSources)[number];

/** How much a point matters, where that is certain. */
export const severities = ['high', 'medium', 'low'] as const;

export type Severity = (typeof severities)[number];

/** What can be read of an article by itself. */
export const articleSections = ['summary', 'background', 'points', 'changes', 'also'] as const;

export type ArticleSection = (typeof articleSections)[number];
