import type { ErrorCode } from '../domain/errors.ts';
import { sentenceFor } from './failure.ts';
import { type Html, html } from './html.ts';
import type { PageContext } from './page-context.ts';

/** What can come of doing something on a page, and has the same sentence as a page that fails in that way. */
const asOnPages: ErrorCode[] = [
  'FORBIDDEN',
  'HOST_TOKEN_REQUIRED',
  'HOST_TOKEN_INVALID',
  'RATE_LIMITED',
  'QUOTA_EXHAUSTED',
  'UNAVAILABLE',
  'HOST_ERROR',
  'HOST_TIMEOUT',
  'HOST_RATE_LIMITED',
  'STORAGE_FULL',
  'NOT_FOUND',
  'REPOSITORY_NOT_FOUND',
  'PULL_REQUEST_NOT_FOUND',
  'ARTICLE_NOT_FOUND',
];

/** Where a page tells what went wrong. The scripts find the sentence for a code there: they know no language. */
export function problem(
  { words, ours }: PageContext,
  own: Partial<Record<ErrorCode | 'CANCELLED', string>> = {},
): Html {
  const { problems } = words.doing;
  const sentences: [string, string][] = Object.entries({
    ...Object.fromEntries(asOnPages.map((code) => [code, sentenceFor(words, { code, requestId: '' })])),
    INVALID_REQUEST: problems.invalid,
    UNREADABLE: problems.unreadable,
    LANGUAGE_UNAVAILABLE: problems.language,
    AI_ERROR: problems.model,
    AI_TIMEOUT: problems.model,
    OFFLINE: problems.offline,
    OTHERWISE: problems.otherwise,
    ...own,
  });
  const attributes = sentences.map(
    ([code, sentence]) => html` data-${code.toLowerCase().replaceAll('_', '-')}="${sentence}"`,
  );
  return html`<p id="problem" class="problem" role="alert" hidden${attributes}${ours}></p>`;
}
