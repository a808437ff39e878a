import type { AuthSession, User } from '../contract/accounts.ts';
import { problemNote } from './failure.ts';
import { type Html, html } from './html.ts';
import {
  accountPage,
  buttonForm,
  dated,
  interfaceButtons,
  languageOptions,
  layout,
  type PageContext,
} from './layout.ts';
import { withQuery } from './links.ts';
import { text } from './text.ts';
import type { Words } from './words/words.ts';

export interface SignInWays {
  tokens: (keyof Words['signIn']['hints'])[];
  byBrowser: { id: string; name: string }[];
  hasSeveralHosts: boolean;
}

interface SignedIn {
  host: string;
  name: string;
  next: string;
}

interface ShownSignIn {
  ways: SignInWays;
  current: SignedIn | null;
  back: string;
}

const blank = '{name}';

/** A sign-in link asks for confirmation first, because it may lead into another user's account. */
export function signInPage(context: PageContext, shown: ShownSignIn): Html {
  const { signIn, bar } = context.words;
  return layout(context, {
    title: `${bar.signIn} · Pullquote`,
    scripts: ['sign-in.js'],
    styles: ['doing.css'],
    main: html`<div class="form">
<h1>${bar.signIn}</h1>
<p id="progress" class="quiet" role="status" hidden>${signIn.progress}</p>
${problemNote(context, { UNAUTHORIZED: signIn.refused })}
${confirmation(context, shown)}
<div id="ways">${shown.current ? staying(signIn, shown.current, shown.ways) : waysIn(context.words, shown)}</div>
</div>`,
  });
}

const labelOf = ({ host, name }: SignedIn, { hasSeveralHosts }: SignInWays): string =>
  hasSeveralHosts ? `${name} (${host})` : name;

function confirmation(
  { words: { signIn }, language }: PageContext,
  { ways, current, back }: ShownSignIn,
): Html {
  const question = current
    ? signIn.instead({ current: labelOf(current, ways), name: blank })
    : signIn.asName(blank);
  const known = current && html` data-host="${current.host}" data-name="${current.name}"`;
  return html`<form id="confirm" data-back="${back}" data-language="${language}"${known}${ways.hasSeveralHosts && html` data-several-hosts`} hidden>
<p id="question" role="status" data-words="${question}"></p>
<p class="quiet">${signIn.warning}</p>
<button data-words="${signIn.confirm(blank)}"></button>
<p class="quiet"><a href="${current?.next ?? '/'}">${signIn.cancel}</a></p>
</form>`;
}

function staying(signIn: Words['signIn'], current: SignedIn, ways: SignInWays): Html {
  return html`<p>${signIn.signedInAs(labelOf(current, ways))}</p>
<p><a id="next" href="${current.next}">${signIn.goOn}</a></p>`;
}

function waysIn({ signIn, bar }: Words, { ways, back }: ShownSignIn): Html {
  const isOne = ways.byBrowser.length === 1;
  const askAt = ({ id, name }: SignInWays['byBrowser'][number]): Html => {
    const address = withQuery('/auth/login', { returnTo: back, ...(!isOne && { host: id }) });
    return html`<p><a class="filled" href="${address}">${signIn.byBrowser(name)}</a></p>`;
  };
  return html`${ways.byBrowser.map(askAt)}
<noscript><p>${signIn.needsScript}</p></noscript>
<form id="by-token" hidden>
<label for="token">${signIn.token}</label>
<input id="token" name="token" type="password" required autocomplete="off" spellcheck="false" aria-describedby="hints">
<div id="hints">${ways.tokens.map((kind) => html`<p class="quiet">${text(signIn.hints[kind])}</p>`)}</div>
<button${ways.byBrowser.length > 0 && html` class="second"`}>${bar.signIn}</button>
</form>
${ways.tokens.includes('localToken') && html`<p class="quiet">${signIn.printed}</p>`}`;
}

export function signUpPage(context: PageContext, languages: string[], back: string): Html {
  const { signUp, bar, settings } = context.words;
  const isHinted = context.models === null;
  return layout(context, {
    title: `${bar.signUp} · Pullquote`,
    scripts: ['sign-up.js'],
    styles: ['doing.css'],
    main: html`<div class="form">
<h1>${bar.signUp}</h1>
<p>${signUp.welcome}</p>
${problemNote(context)}
<form id="sign-up" data-back="${back}" method="post" action="${withQuery('/sign-up', { back })}">
<label for="language">${settings.language}</label>
<select id="language" name="language"${isHinted && html` aria-describedby="language-hint"`}>${languageOptions(languages, context.language)}</select>
${
  isHinted &&
  html`<p class="quiet" id="language-hint">${signUp.japanese}</p>
`
}<button>${signUp.submit}</button>
</form>
</div>`,
  });
}

interface TokenHost {
  id: string;
  name: string;
  savedAt: string | null;
}

export type OwnFeedUrls = Record<'atomUrl' | 'jsonUrl' | 'digestAtomUrl' | 'digestJsonUrl', string>;

interface Settings {
  user: User;
  languages: string[];
  sessions: AuthSession[];
  tokenHosts: TokenHost[];
  /** The secret address, shown once after it was made. */
  feed: { madeAt: string | null; urls: OwnFeedUrls | null };
  isSaved: boolean;
}

export function settingsPage(context: PageContext, settings: Settings): Html {
  const { words } = context;
  return accountPage(context, {
    path: '/settings',
    title: words.settings.title,
    scripts: ['settings.js', ...(settings.feed.urls ? ['copy.js'] : [])],
    main: html`${problemNote(context)}
<p id="done" class="quiet" role="status">${settings.isSaved && words.settings.saved}</p>
${you(context, settings.user)}
${language(context, settings)}
${appearance(context)}
${settings.tokenHosts.map((host) => hostToken(context, host))}
${context.viewer?.mayAdd && formSection(words.model.title, html`<p class="quiet">${words.model.intro}</p><p><a href="/settings/model">${words.model.choose}</a></p>`)}
${ownFeed(context, settings.feed)}
${sessions(context, settings.sessions)}
${deletion(context, settings.user)}`,
  });
}

const formSection = (heading: string, content: Html, id?: string): Html =>
  html`<section class="form"${id && html` id="${id}"`}><h2>${heading}</h2>${content}</section>`;

function you({ words, viewer }: PageContext, { hostDisplayName, hostUsername }: User): Html {
  return formSection(
    words.settings.you,
    html`<p class="who">${viewer?.avatar && html`<img src="${viewer.avatar}" alt="" width="40" height="40">`}<span><b><bdi>${hostDisplayName}</bdi></b>${hostUsername !== hostDisplayName && html` <span class="quiet"><bdi>${hostUsername}</bdi></span>`}</span></p>
${buttonForm('/settings/log-out', {}, html`<button id="log-out" class="plain">${words.settings.logOut}</button>`)}`,
  );
}

function language(
  { words: { settings }, language: interfaceLanguage, writesIn }: PageContext,
  { user, languages }: Settings,
): Html {
  return formSection(
    settings.language,
    html`<form id="language-form" method="post" action="/settings/language"><label for="language">${settings.articleLanguage}</label>
<select id="language" name="language" aria-describedby="language-hint">${languageOptions(languages, user.language)}</select>
<p class="quiet" id="language-hint">${writesIn.includes(user.language) ? settings.languageHint : settings.inEnglish}</p>
<button>${settings.save}</button></form>
<form method="post" action="/interface"><fieldset><legend>${settings.interfaceLanguage}</legend>${interfaceButtons(interfaceLanguage)}</fieldset></form>`,
  );
}

function appearance({ words: { footer } }: PageContext): Html {
  const button = (name: string, word: string): Html =>
    html`<button type="button" class="choice" data-appearance="${name}">${word}</button> `;
  return formSection(
    footer.appearance,
    html`<p hidden>${button('system', footer.system)}${button('light', footer.light)}${button('dark', footer.dark)}</p>`,
  );
}

function hostToken(context: PageContext, { id, name, savedAt }: TokenHost): Html {
  const { settings, signIn } = context.words;
  return formSection(
    settings.hostToken(name),
    html`${savedAt && html`<p class="quiet" data-saved>${dated(context, settings.savedOn(savedAt))}</p>`}
<form data-host-token="${id}"><label for="token-${id}">${signIn.token}</label>
<input id="token-${id}" name="token" type="password" required autocomplete="off" spellcheck="false">
<p class="quiet">${settings.hostTokenHint}</p>
<button>${settings.save}</button>
<button type="button" class="plain" data-forget data-done="${settings.forgotten}">${settings.forget}</button></form>`,
  );
}

function ownFeed(context: PageContext, { madeAt, urls }: Settings['feed']): Html {
  const { feeds, article, inArticle } = context.words;
  const field = (id: string, label: string, url: string): Html =>
    html`<label for="${id}">${label}</label>
<p><input id="${id}" value="${url}" readonly autocomplete="off" spellcheck="false"> <button type="button" class="plain copy" data-copy="${url}" aria-label="${article.copyLink}${inArticle.colon}${label}" hidden>${article.copyLink}</button></p>
`;
  const shown =
    urls &&
    html`<div role="status"><p>${feeds.shownOnce}</p></div>
${field('feed-atom', feeds.atom, urls.atomUrl)}${field('feed-json', feeds.json, urls.jsonUrl)}${field('feed-digest', feeds.digests, urls.digestAtomUrl)}<p class="quiet" id="copied" role="status" data-done="${article.copied}" data-failed="${article.notCopied}"></p>`;
  return formSection(
    feeds.heading,
    html`<p class="quiet">${feeds.hint}</p>
${shown || (madeAt && html`<p class="quiet">${dated(context, feeds.since(madeAt))}</p>`)}
${buttonForm('/settings/feed', {}, html`${madeAt && html`<p class="quiet">${feeds.replaceHint}</p>`}<button>${madeAt ? feeds.replace : feeds.make}</button>`)}
${madeAt && buttonForm('/settings/feed/end', {}, html`<button class="plain">${feeds.end}</button>`)}
<p class="quiet"><a href="/users/me/favorites.opml">${feeds.list}</a></p>`,
    'feed',
  );
}

function sessions(context: PageContext, listed: AuthSession[]): Html {
  const { settings } = context.words;
  const row = ({ id, createdAt, lastUsedAt, current }: AuthSession): Html => {
    const since = dated(context, settings.session(createdAt, lastUsedAt));
    return html`<li><span id="since-${id}">${since}</span> ${
      current
        ? html`<b>${settings.thisSession}</b>`
        : html`<button type="button" class="plain" id="end-${id}" data-session="${id}" aria-labelledby="end-${id} since-${id}">${settings.endSession}</button>`
    }</li>`;
  };
  return formSection(settings.sessions, html`<ul class="sessions">${listed.map(row)}</ul>`);
}

function deletion({ words: { settings } }: PageContext, { hostUsername }: User): Html {
  return formSection(
    settings.deleteAccount,
    html`<form id="delete-account" data-name="${hostUsername}"><p class="quiet">${settings.deleteHint}</p>
<label for="name">${settings.typeName(hostUsername)}</label>
<input id="name" name="name" required autocomplete="off" autocapitalize="off" spellcheck="false">
<button disabled>${settings.deleteAccount}</button></form>`,
  );
}
