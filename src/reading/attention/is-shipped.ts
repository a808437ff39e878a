import type { FileFacts } from '../facts.ts';

/** What nobody calls from outside: examples, tools, and what a language or a project keeps to itself. */
const unshipped = /(?:^|\/)(?:examples?|samples?|demos?|internals?|bench(?:es|marks?)?|tools?|scripts?)\//i;

/** Whether others may call what a file has. */
export const isShipped = ({ kind, path }: Pick<FileFacts, 'kind' | 'path'>): boolean =>
  kind === 'source' && !unshipped.test(path);
