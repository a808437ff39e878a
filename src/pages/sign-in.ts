import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import { withQuery } from './links.ts';
import type { PageContext } from './page-context.ts';
import { problem } from './problem.ts';
import { text } from './text.ts';
import type { Words } from './words/words.ts';

export interface SignInWays {
  /** Tokens that the service accepts. */
  tokens: (keyof Words['signIn']['hints'])[];
  /** The hosts at which people can be asked, and what they are called. */
  byBrowser: { id: string; name: string }[];
  /** Whether the same name may be two accounts. */
  hasSeveralHosts: boolean;
}

interface SignedIn {
  host: string;
  name: string;
  /** Where a user goes who stays signed in with the current account. */
  next: string;
}

interface Shown {
  ways: SignInWays;
  /** Who is signed in already. */
  current: SignedIn | null;
  back: string;
}

/** Where a script puts the name of an account in. */
const blank = '{name}';

/** Where a user signs in, and is then led back. A link with a token asks first: it may lead into another user's account. */
export function signInPage(context: PageContext, shown: Shown): Html {
  const { signIn, bar } = context.words;
  return layout(context, {
    title: `${bar.signIn} · Pullquote`,
    scripts: ['sign-in.js'],
    styles: ['doing.css'],
    main: html`<div class="form">
<h1>${bar.signIn}</h1>
<p id="progress" class="quiet" role="status" hidden>${signIn.progress}</p>
${problem(context, { UNAUTHORIZED: signIn.refused })}
${confirmation(signIn, shown)}
<div id="ways">${shown.current ? staying(signIn, shown.current, shown.ways) : waysIn(context.words, shown)}</div>
</div>`,
  });
}

const labelOf = ({ host, name }: SignedIn, { hasSeveralHosts }: SignInWays): string =>
  hasSeveralHosts ? `${name} (${host})` : name;

function confirmation(signIn: Words['signIn'], { ways, current, back }: Shown): Html {
  const question = current
    ? signIn.instead({ current: labelOf(current, ways), name: blank })
    : signIn.asName(blank);
  const known = current && html` data-host="${current.host}" data-name="${current.name}"`;
  return html`<form id="confirm" data-back="${back}"${known}${ways.hasSeveralHosts && html` data-several-hosts`} hidden>
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

function waysIn({ signIn, bar }: Words, { ways, back }: Shown): Html {
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
