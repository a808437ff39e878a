import { english } from './en.ts';
import { japanese } from './ja.ts';
import type { Words } from './words.ts';

/** Languages that the pages themselves speak. Articles may be in any. */
export const interfaceLanguages = ['en', 'ja'] as const;

export type InterfaceLanguage = (typeof interfaceLanguages)[number];

export const interfaceWords: Record<InterfaceLanguage, Words> = { en: english, ja: japanese };

/** The language in which the pages speak around something in another: that one, or English where they do not speak it. */
export const spokenAround = (code: string): InterfaceLanguage =>
  interfaceLanguages.find((spoken) => spoken === code) ?? 'en';

/** What a language calls itself. */
export function languageName(code: string): string {
  return new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
}
