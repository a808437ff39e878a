import { joinSentences } from '../domain/article-words.ts';
import { type ErrorCode, errorStatus, misdirectedStatus } from '../domain/errors.ts';
import { type Html, html } from './html.ts';
import { layout, type PageContext } from './layout.ts';
import { signInLink, signUpLink } from './links.ts';
import { text } from './text.ts';
import type { Words } from './words/words.ts';

interface ShownFailure {
  code: ErrorCode;
  status: number;
  requestId: string;
  /** The error message; null if it would tell whether something is absent or hidden. */
  message: string | null;
  retrySeconds: number | null;
  isForm: boolean;
}

const sentences = {
  FORBIDDEN: 'forbidden',
  HOST_TOKEN_REQUIRED: 'hostToken',
  HOST_TOKEN_INVALID: 'hostToken',
  RATE_LIMITED: 'tooMany',
  QUOTA_EXHAUSTED: 'tooMany',
  UNAVAILABLE: 'away',
  HOST_ERROR: 'hostAway',
  HOST_TIMEOUT: 'hostAway',
  HOST_RATE_LIMITED: 'hostAway',
  STORAGE_FULL: 'full',
  NOT_FOUND: 'notFound',
  REPOSITORY_NOT_FOUND: 'notFound',
  PULL_REQUEST_NOT_FOUND: 'notFound',
  ARTICLE_NOT_FOUND: 'notFound',
} as const satisfies Partial<Record<ErrorCode, keyof Words['failure']>>;

function sentenceFor({ failure }: Words, code: ErrorCode, requestId = ''): string {
  if (code in sentences) return failure[sentences[code as keyof typeof sentences]];
  if (code === 'INVALID_REQUEST' || code === 'METHOD_NOT_ALLOWED') return failure.invalid;
  return errorStatus[code] === 404 ? failure.notFound : failure.internal(requestId);
}

const leadsToSettings = (code: ErrorCode): boolean =>
  code === 'HOST_TOKEN_REQUIRED' || code === 'HOST_TOKEN_INVALID';

/** Absent and hidden things have the same page. */
export function failurePage(context: PageContext, failure: ShownFailure): Html {
  const { words, viewer, language } = context;
  const { code, status, requestId, message, retrySeconds } = failure;
  const heading =
    status === misdirectedStatus ? words.failure.elsewhere : sentenceFor(words, code, requestId);
  return layout(context, {
    title: `${status === 404 ? words.failure.title : heading} · Pullquote`,
    main: html`<div class="notice"><h1>${heading}</h1>
${message && html`<p lang="en">${message}</p>`}
${retrySeconds !== null && language !== 'en' && html`<p>${words.failure.wait(retrySeconds)}</p>`}
${status === 404 && html`<p>${joinSentences([words.failure.mayBePrivate, ...(viewer ? [] : [words.failure.whySignIn])])}</p>`}
<p>${wayOn(context, failure)}</p></div>`,
  });
}

function wayOn({ words, viewer, address, publicUrl }: PageContext, failure: ShownFailure): Html {
  const { code, status, isForm } = failure;
  const link = (to: string, word: string): Html => html`<a href="${to}">${word}</a>`;
  if (status === misdirectedStatus) return html`${publicUrl && link(publicUrl, publicUrl)}`;
  if (leadsToSettings(code)) return link('/settings', words.failure.settings);
  const home = link('/', words.failure.home);
  if (isForm) return html`${link(address, words.failure.backToPage)} ${home}`;
  if (status >= 500 || status === 429) return html`${link(address, words.failure.again)} ${home}`;
  if (status !== 404 || viewer?.language) return home;
  return viewer
    ? html`${link(signUpLink(address), words.failure.signUp)} ${home}`
    : html`${link(signInLink(address), words.bar.signIn)} ${home}`;
}

export interface ShownProblem {
  code: ErrorCode;
  message: string;
}

/** The place for an error message. It contains the sentence for each code, because scripts know no language. */
export function problemNote(
  context: PageContext,
  own: Partial<Record<ErrorCode | 'CANCELLED', string>> = {},
  shown: ShownProblem | null = null,
): Html {
  const { words, ours, language } = context;
  const { problems } = words.doing;
  const known: [string, string][] = Object.entries({
    ...Object.fromEntries(Object.entries(sentences).map(([code, key]) => [code, words.failure[key]])),
    INVALID_REQUEST: problems.invalid,
    UNREADABLE: problems.unreadable,
    LANGUAGE_UNAVAILABLE: problems.language,
    AI_ERROR: problems.model,
    AI_TIMEOUT: problems.model,
    OFFLINE: problems.offline,
    OTHERWISE: problems.otherwise,
    ...own,
  });
  const attributes = known.map(
    ([code, sentence]) => html` data-${code.toLowerCase().replaceAll('_', '-')}="${sentence}"`,
  );
  const translated = shown && language !== 'en' && sentenceFor(words, shown.code);
  return html`<p id="problem" class="problem" role="alert"${attributes}${ours}${!shown && html` hidden`}><span>${translated}</span> <span lang="en">${shown?.message}</span> <a href="/settings"${!(shown && leadsToSettings(shown.code)) && html` hidden`}>${words.failure.settings}</a></p>`;
}

interface UnknownAddress {
  off: { name: string; setting: string } | null;
  known: string[];
}

export function unknownAddressPage(context: PageContext, { off, known }: UnknownAddress): Html {
  const { go, failure } = context.words;
  return layout(context, {
    title: `${go.title} · Pullquote`,
    main: html`<div class="notice"><h1>${go.unreadable}</h1>
<p>${text(off ? go.hostIsOff(off.name, off.setting) : go.hint)}</p>
${!off && known.length > 0 && html`<p>${go.readFrom} ${known.map((url) => html`<code>${url}</code> `)}</p>`}
<p><a href="/">${failure.home}</a></p></div>`,
  });
}

export function signInProblemPage(context: PageContext, sentence: string): Html {
  const { signIn, bar, failure } = context.words;
  return layout(context, {
    title: `${bar.signIn} · Pullquote`,
    main: html`<div class="notice"><h1>${signIn.failed}</h1>
<p lang="en">${sentence}</p>
<p><a href="/sign-in">${bar.signIn}</a> <a href="/">${failure.home}</a></p></div>`,
  });
}
