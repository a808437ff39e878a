import { type ErrorCode, errorStatus, misdirectedStatus } from '../domain/errors.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import { signInLink } from './links.ts';
import type { PageContext } from './page-context.ts';
import type { Words } from './words/words.ts';

interface ShownFailure {
  code: ErrorCode;
  status: number;
  requestId: string;
}

/** A page with a sentence that says what is so, and a way on. What is absent and what is hidden are the same page. */
export function failurePage(context: PageContext, failure: ShownFailure): Html {
  const { words } = context;
  const isElsewhere = failure.status === misdirectedStatus;
  return layout(context, {
    title: `${words.failure.title} · Pullquote`,
    main: html`<div class="notice"><h1>${isElsewhere ? words.failure.elsewhere : sentenceFor(words, failure)}</h1>
${failure.status === 404 && html`<p>${words.failure.mayBePrivate}${!context.viewer && html` ${words.failure.whySignIn}`}</p>`}
<p>${wayOn(context, failure)}</p></div>`,
  });
}

function wayOn({ words, viewer, address, publicUrl }: PageContext, { code, status }: ShownFailure): Html {
  if (status === misdirectedStatus) return html`<a href="${publicUrl ?? '/'}">${publicUrl}</a>`;
  const home = html`<a href="/">${words.failure.home}</a>`;
  if (code === 'HOST_TOKEN_REQUIRED' || code === 'HOST_TOKEN_INVALID')
    return html`<a href="/settings">${words.failure.settings}</a>`;
  if (status >= 500 || status === 429) return html`<a href="${address}">${words.failure.again}</a> ${home}`;
  if (status === 404 && !viewer)
    return html`<a href="${signInLink(address)}">${words.failure.signIn}</a> ${home}`;
  return home;
}

export function sentenceFor(
  { failure }: Words,
  { code, requestId }: Pick<ShownFailure, 'code' | 'requestId'>,
): string {
  switch (code) {
    case 'INVALID_REQUEST':
    case 'METHOD_NOT_ALLOWED':
      return failure.invalid;
    case 'HOST_TOKEN_REQUIRED':
    case 'HOST_TOKEN_INVALID':
      return failure.hostToken;
    case 'FORBIDDEN':
      return failure.forbidden;
    case 'RATE_LIMITED':
    case 'QUOTA_EXHAUSTED':
      return failure.tooMany;
    case 'UNAVAILABLE':
      return failure.away;
    case 'HOST_ERROR':
    case 'HOST_TIMEOUT':
    case 'HOST_RATE_LIMITED':
      return failure.hostAway;
    case 'STORAGE_FULL':
      return failure.full;
    default:
      return errorStatus[code] === 404 ? failure.notFound : failure.internal(requestId);
  }
}
