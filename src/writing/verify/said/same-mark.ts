import type { Mark } from '../marked-text.ts';

/** Quotation marks step back inside of others, and blanks are laid out anew. */
export const withoutMarks = (text: string): string =>
  text
    .replace(/[“「『]/g, '‘')
    .replace(/[”」』]/g, '’')
    .replace(/[`\s]+/g, '');

/** Code is the same but for blanks; somebody's words are the same but for how they are marked. */
export const isSame = ({ kind, text }: Mark, name: string): boolean =>
  kind === 'quotation'
    ? withoutMarks(text) === withoutMarks(name)
    : text.replace(/\s+/g, '') === name.replace(/\s+/g, '');
