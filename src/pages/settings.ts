import type { AuthSession, User } from '../contract/accounts.ts';
import { accountTabs } from './account-tabs.ts';
import { type Html, html } from './html.ts';
import { languageOptions } from './language-options.ts';
import { layout } from './layout.ts';
import type { PageContext } from './page-context.ts';
import { problem } from './problem.ts';

interface TokenHost {
  id: string;
  name: string;
  /** When the reader has saved a token of it; null where they have not. */
  savedAt: string | null;
}

/** Where a user's feeds are read. */
export interface OwnFeedUrls {
  atomUrl: string;
  jsonUrl: string;
  digestAtomUrl: string;
  digestJsonUrl: string;
}

interface OwnFeed {
  /** When its address was made; null where there is none. */
  madeAt: string | null;
  /** The address, where it was made just now. */
  urls: OwnFeedUrls | null;
}

/** A model server that answers on this machine, and the settings that would have it write. */
export interface LocalModel {
  server: string;
  settings: string[];
}

export interface Settings {
  user: User;
  languages: string[];
  sessions: AuthSession[];
  /** Hosts of which a token can be saved, and what these are called. */
  tokenHosts: TokenHost[];
  localModel: LocalModel | null;
  feed: OwnFeed;
  /** Whether something was saved just now. */
  isSaved: boolean;
}

export function settingsPage(context: PageContext, settings: Settings): Html {
  const { words } = context;
  return layout(context, {
    title: `${words.settings.title} · Pullquote`,
    scripts: ['settings.js', ...(settings.feed.urls ? ['copy.js'] : [])],
    styles: ['doing.css'],
    main: html`<div class="home own">
<h1 class="unseen">${words.settings.title}</h1>
${accountTabs(context, '/settings')}
${problem(context)}
<p id="done" class="quiet" role="status">${settings.isSaved && words.settings.saved}</p>
${you(context, settings.user)}
${language(context, settings)}
${appearance(context)}
${settings.tokenHosts.map((host) => hostToken(context, host))}
${settings.localModel && localModel(context, settings.localModel)}
${ownFeed(context, settings.feed)}
${sessions(context, settings.sessions)}
${deletion(context, settings.user)}
</div>`,
  });
}

const section = (heading: string, content: Html, id?: string): Html =>
  html`<section class="form"${id && html` id="${id}"`}><h2>${heading}</h2>${content}</section>`;

function you({ words, viewer }: PageContext, { hostDisplayName, hostUsername }: User): Html {
  return section(
    words.settings.you,
    html`<p class="who">${viewer?.avatar && html`<img src="${viewer.avatar}" alt="" width="40" height="40">`}<span><b><bdi>${hostDisplayName}</bdi></b>${hostUsername !== hostDisplayName && html` <span class="quiet"><bdi>${hostUsername}</bdi></span>`}</span></p>
<form class="do" method="post" action="/settings/log-out"><button id="log-out" class="plain">${words.settings.logOut}</button></form>`,
  );
}

function language({ words: { settings } }: PageContext, { user, languages }: Settings): Html {
  return section(
    settings.language,
    html`<form id="language-form" method="post" action="/settings/language"><label for="language" class="unseen">${settings.language}</label>
<select id="language" name="language" aria-describedby="language-hint">${languageOptions(languages, user.language)}</select>
<p class="quiet" id="language-hint">${settings.languageHint}</p>
<button>${settings.save}</button></form>`,
  );
}

function appearance({ words: { footer } }: PageContext): Html {
  const button = (name: string, word: string): Html =>
    html`<button type="button" class="choice" data-appearance="${name}">${word}</button> `;
  return section(
    footer.appearance,
    html`<p hidden>${button('system', footer.system)}${button('light', footer.light)}${button('dark', footer.dark)}</p>`,
  );
}

function hostToken({ words }: PageContext, { id, name, savedAt }: TokenHost): Html {
  const { settings, signIn } = words;
  return section(
    settings.hostToken(name),
    html`${savedAt && html`<p class="quiet" data-saved>${settings.savedOn(words.date(savedAt))}</p>`}
<form data-host-token="${id}"><label for="token-${id}">${signIn.token}</label>
<input id="token-${id}" name="token" type="password" required autocomplete="off" spellcheck="false">
<p class="quiet">${settings.hostTokenHint}</p>
<button>${settings.save}</button>
<button type="button" class="plain" data-forget data-done="${settings.forgotten}">${settings.forget}</button></form>`,
  );
}

const localModel = ({ words: { settings } }: PageContext, { server, settings: lines }: LocalModel): Html =>
  section(
    settings.model,
    html`<p>${settings.localModel(server)}</p>
<pre><code>${lines.join('\n')}</code></pre>`,
  );

function ownFeed({ words }: PageContext, { madeAt, urls }: OwnFeed): Html {
  const { feeds, article } = words;
  const field = (id: string, label: string, url: string): Html =>
    html`<label for="${id}">${label}</label>
<p><input id="${id}" value="${url}" readonly autocomplete="off" spellcheck="false"> <button type="button" class="plain copy" data-copy="${url}" aria-label="${article.copyLink}: ${label}" hidden>${article.copyLink}</button></p>
`;
  const shown =
    urls &&
    html`<div role="status"><p>${feeds.shownOnce}</p></div>
${field('feed-atom', feeds.atom, urls.atomUrl)}${field('feed-json', feeds.json, urls.jsonUrl)}${field('feed-digest', feeds.digests, urls.digestAtomUrl)}<p class="quiet" id="copied" role="status" data-done="${article.copied}" data-failed="${article.notCopied}"></p>`;
  return section(
    feeds.heading,
    html`<p class="quiet">${feeds.hint}</p>
${shown || (madeAt && html`<p class="quiet">${feeds.since(words.date(madeAt))}</p>`)}
<form class="do" method="post" action="/settings/feed">${madeAt && html`<p class="quiet">${feeds.replaceHint}</p>`}<button>${madeAt ? feeds.replace : feeds.make}</button></form>
${madeAt && html`<form class="do" method="post" action="/settings/feed/end"><button class="plain">${feeds.end}</button></form>`}
<p class="quiet"><a href="/users/me/favorites.opml">${feeds.list}</a></p>`,
    'feed',
  );
}

function sessions({ words }: PageContext, listed: AuthSession[]): Html {
  const { settings } = words;
  const row = ({ id, createdAt, lastUsedAt, current }: AuthSession): Html => {
    const since = settings.session(words.date(createdAt), words.date(lastUsedAt));
    return html`<li><span>${since}</span> ${
      current
        ? html`<b>${settings.thisSession}</b>`
        : html`<button type="button" class="plain" data-session="${id}" aria-label="${settings.endSession}: ${since}">${settings.endSession}</button>`
    }</li>`;
  };
  return section(settings.sessions, html`<ul class="sessions">${listed.map(row)}</ul>`);
}

function deletion({ words: { settings } }: PageContext, { hostUsername }: User): Html {
  return section(
    settings.deleteAccount,
    html`<form id="delete-account" data-name="${hostUsername}"><p class="quiet">${settings.deleteHint}</p>
<label for="name">${settings.typeName(hostUsername)}</label>
<input id="name" name="name" required autocomplete="off" autocapitalize="off" spellcheck="false">
<button disabled>${settings.deleteAccount}</button></form>`,
  );
}
