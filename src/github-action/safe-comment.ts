import { replaceHidden } from '../domain/hidden-characters.ts';
import { cutAtSection } from './cut-at-section.ts';

/** By which the comment is found again. Readers do not see it, and what strangers wrote cannot begin with it. */
export const marker = '<!-- pullquote -->';

/** Comments have 65,536 characters at most, and none of them takes less than a byte. */
const mostBytes = 60_000;

const note = '*The rest is left out: a comment has no room for it. The summary of the workflow has more.*';

/** The run that wrote it has the fork's own workflow and files, whereas the comment has the name of a bot that is trusted. */
export const origin =
  '*Out of a workflow that runs with the files of this pull request: its author may have changed what is said here.*';

/** Seen by no reader; for GitHub, what it stands in is no longer one word. */
const apart = '\u200b';

/**
 * What calls people, leads to other issues, loads something or is HTML, wherever it stands: a code block that strangers wrote
 * may end where none is seen to end.
 */
const active: [RegExp, string][] = [
  // What is spelled as an entity shows as the character itself, and is not seen by what follows here.
  [/&(?=#?[a-z\d]+;)/gi, `&${apart}`],
  [/@(?=[\p{L}\p{N}_-])/gu, `@${apart}`],
  [/(#|GH\\?-)(?=\d)/gi, `$1${apart}`],
  [/<(?=[a-z/!?])/gi, `<${apart}`],
  [/!(?=\[)/g, `!${apart}`],
  // Of other repositories, issues would tell that they are mentioned here; this host leads to the same pages and is not looked at.
  // A backslash may stand before each mark.
  [
    /(?<![\w.-])(?:www\\?\.)?github\\?\.com(?:\\?\.)?(?:\\?:\d*)?(?=\\?(?:\/+[^/\s]+){2}\/+(?:issues|pull|discussions)\b)/gi,
    'redirect.github.com',
  ],
  // Without a host, it is that of the comment.
  [/(?<![\p{L}\p{N}_.:/\\-])(?=\\?(?:\/+[^/\s]+){2}\/+(?:issues|pull|discussions)\b)/giu, apart],
  // Other programs that read comments follow what begins so.
  [/^( {0,3})\/(?=\w)/gm, `$1${apart}/`],
];

/** Whatever a stranger may have written, as the text of a comment that calls nobody, links no issue and has no HTML. */
export function safeComment(markdown: string): string {
  const seen = replaceHidden(markdown.replace(/\r\n?/g, '\n'), 'exact', () => '');
  const harmless = active.reduce((text, [what, instead]) => text.replace(what, instead), seen);
  return `${marker}\n${origin}\n\n${cutAtSection(harmless, mostBytes, note)}`;
}
