import type { ErrorCode } from '../domain/errors.ts';
import { leadsToSettings, sentenceFor } from './failure.ts';
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

/** What the API said of something that went wrong: a code, and its own sentence, which is English. */
export interface Told {
  code: ErrorCode;
  message: string;
}

/**
 * Where a page tells what went wrong, in the API's own sentence. The scripts find the sentence for a code there too: they know
 * no language, and the API speaks one.
 */
export function problem(
  context: PageContext,
  own: Partial<Record<ErrorCode | 'CANCELLED', string>> = {},
  told: Told | null = null,
): Html {
  const { words, ours } = context;
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
  return html`<p id="problem" class="problem" role="alert"${attributes}${ours}${!told && html` hidden`}>${toldIn(context, told)}</p>`;
}

/**
 * In a language that the API does not speak, its sentence follows one that says the same less exactly. What a token would mend
 * leads to where tokens are saved.
 */
function toldIn({ words, language }: PageContext, told: Told | null): Html {
  const own = told && language !== 'en' && sentenceFor(words, { ...told, requestId: '' });
  return html`<span>${own}</span> <span lang="en">${told?.message}</span> <a href="/settings"${!(told && leadsToSettings(told.code)) && html` hidden`}>${words.failure.settings}</a>`;
}
