import { type ErrorCode, errorStatus, misdirectedStatus } from '../domain/errors.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import { signInLink, signUpLink } from './links.ts';
import type { PageContext } from './page-context.ts';
import type { Words } from './words/words.ts';

interface ShownFailure {
  code: ErrorCode;
  status: number;
  requestId: string;
  /** What the API says of it; null where that would tell what is absent from what is hidden. */
  message: string | null;
  /** After how many seconds it makes sense to try again, where that is known. */
  retrySeconds: number | null;
  /** Whether a form was sent, which loading the page again would not repeat. */
  isForm: boolean;
}

/** Whether a token of a code host is what is missing, which is given in the settings. */
export const leadsToSettings = (code: ErrorCode): boolean =>
  code === 'HOST_TOKEN_REQUIRED' || code === 'HOST_TOKEN_INVALID';

/** A page with a sentence that says what is so, and a way on. What is absent and what is hidden are the same page. */
export function failurePage(context: PageContext, failure: ShownFailure): Html {
  const { words } = context;
  const isElsewhere = failure.status === misdirectedStatus;
  const heading = isElsewhere ? words.failure.elsewhere : sentenceFor(words, failure);
  return layout(context, {
    title: `${failure.status === 404 ? words.failure.title : heading} · Pullquote`,
    main: html`<div class="notice"><h1>${heading}</h1>
${failure.message && html`<p lang="en">${failure.message}</p>`}
${failure.retrySeconds !== null && context.language !== 'en' && html`<p>${words.failure.wait(failure.retrySeconds)}</p>`}
${failure.status === 404 && html`<p>${words.failure.mayBePrivate}${!context.viewer && html` ${words.failure.whySignIn}`}</p>`}
<p>${wayOn(context, failure)}</p></div>`,
  });
}

function wayOn({ words, viewer, address, publicUrl }: PageContext, failure: ShownFailure): Html {
  const { code, status, isForm } = failure;
  if (status === misdirectedStatus)
    return html`${publicUrl && html`<a href="${publicUrl}">${publicUrl}</a>`}`;
  const home = html`<a href="/">${words.failure.home}</a>`;
  if (leadsToSettings(code)) return html`<a href="/settings">${words.failure.settings}</a>`;
  if (isForm) return html`<a href="${address}">${words.failure.backToPage}</a> ${home}`;
  if (status >= 500 || status === 429) return html`<a href="${address}">${words.failure.again}</a> ${home}`;
  if (status === 404 && !viewer)
    return html`<a href="${signInLink(address)}">${words.bar.signIn}</a> ${home}`;
  if (status === 404 && viewer && viewer.language === null)
    return html`<a href="${signUpLink(address)}">${words.failure.signUp}</a> ${home}`;
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
