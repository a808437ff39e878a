export const codeSpan = /`[^`]*`/g;

/** Words of others, in the quotation marks of whichever language. */
export const quotation = /“([^”]*)”|"([^"]*)"|「([^」]*)」|『([^』]*)』|«([^»]*)»|„([^“”]*)[“”]/g;

/** What a text says in its own words. Marks within code quote nothing. */
export const withoutQuoted = (text: string, instead = ' '): string =>
  text.replace(codeSpan, instead).replace(quotation, instead);
