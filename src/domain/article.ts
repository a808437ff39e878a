/** What a sentence of an article rests on: what the lines do, what people wrote about it, or what it means. */
export const bases = ['diff', 'words', 'judgement'] as const;

export type Basis = (typeof bases)[number];

/** Where a sentence of the author's can stand. */
export const quoteSources = ['description', 'commit', 'code'] as const;

export type QuoteSource = (typeof quoteSources)[number];

/** Why a service that has a model wrote without it. */
export const reasonsForOffline = ['tooLarge', 'private', 'failed'] as const;

export type ReasonForOffline = (typeof reasonsForOffline)[number];
