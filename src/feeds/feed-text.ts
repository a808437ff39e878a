import { nameHidden, nameOf } from '../domain/hidden-characters.ts';
import { plainText } from '../pages/text.ts';

/** What XML cannot say in any way, and pages can. */
const notXml = /[\ufffe\uffff]/g;

/** Text, or markup of ours, without what no document of XML may have. */
export const sayable = (text: string): string => text.replace(notXml, nameOf);

/**
 * Words of people where a feed has no markup: on one line, without the marks of code, and with the name of every character in
 * its place that is not seen, or turns around what is.
 */
export const line = (text: string): string =>
  sayable(nameHidden(plainText(text).replace(/\s+/g, ' ').trim(), 'prose'));
