import { english } from './en.ts';
import { japanese } from './ja.ts';

export const interfaceWords = { en: english, ja: japanese };

export type Words = typeof english;
export type InterfaceLanguage = keyof typeof interfaceWords;

export const interfaceLanguages = Object.keys(interfaceWords) as InterfaceLanguage[];

export const interfaceLanguageFor = (code: string): InterfaceLanguage =>
  interfaceLanguages.find((one) => one === code) ?? 'en';

export const languageName = (code: string, inLanguage = code): string =>
  new Intl.DisplayNames([inLanguage], { type: 'language' }).of(code) ?? code;
