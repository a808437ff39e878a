import { afterSentence } from '../../domain/text.ts';

export const joinStatements = (statements: { text: string }[]): string =>
  statements.reduce((text, one) => (text === '' ? one.text : `${text}${afterSentence(text)}${one.text}`), '');
