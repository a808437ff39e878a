import { english } from './en.ts';
import { japanese } from './ja.ts';

/** The languages of the interface. Articles may be in any language. */
export const interfaceWords = { en: english, ja: japanese };

export type Words = typeof english;
export type InterfaceLanguage = keyof typeof interfaceWords;

export const interfaceLanguages = Object.keys(interfaceWords) as InterfaceLanguage[];

/** The interface language around a text in another language, which is English unless both can be the same. */
export const interfaceLanguageFor = (code: string): InterfaceLanguage =>
  interfaceLanguages.find((one) => one === code) ?? 'en';

export const languageName = (code: string): string =>
  new Intl.DisplayNames([code], { type: 'language' }).of(code) ?? code;
