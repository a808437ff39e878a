/** The own name of something that is named with what it belongs to, as `Class.method`. */
export const lastPart = (name: string): string => name.split('.').at(-1) ?? name;

/** The same for whatever parts names: of modules, and of tests and sections in others. */
export const innermostPart = (name: string): string => name.split(/\.|::| › /).at(-1) ?? name;

/** A name as a pattern that finds only it. */
export const literally = (name: string): string => name.replace(/\W/g, '\\$&');

export const indentOf = (text: string): number => /^\s*/.exec(text)?.[0].length ?? 0;
