/** Languages in which articles can be written without a model. */
export const offlineLanguages = ['en', 'ja'] as const;

export type OfflineLanguage = (typeof offlineLanguages)[number];

export function isOfflineLanguage(code: string): code is OfflineLanguage {
  return offlineLanguages.some((known) => known === code);
}
