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
  /** What the host is called at which people can be asked; null where there is none. */
  byBrowser: string | null;
}

/** Where somebody signs in who is then led back. */
export function signInPage(context: PageContext, ways: SignInWays, back: string): Html {
  const { signIn } = context.words;
  return layout(context, {
    title: `${signIn.title} · Pullquote`,
    scripts: ['sign-in.js'],
    styles: ['doing.css'],
    main: html`<div class="form">
<h1>${signIn.title}</h1>
${ways.byBrowser && html`<p><a class="filled" href="${withQuery('/auth/login', { returnTo: back })}">${signIn.byBrowser(ways.byBrowser)}</a></p>`}
<noscript><p>${signIn.needsScript}</p></noscript>
<p id="progress" class="quiet" role="status" hidden>${signIn.progress}</p>
${problem(context, { UNAUTHORIZED: signIn.refused })}
<form id="by-token" data-back="${back}" hidden>
<label for="token">${signIn.token}</label>
<input id="token" name="token" type="password" required autocomplete="off" spellcheck="false" aria-describedby="hints">
<div id="hints">${ways.tokens.map((kind) => html`<p class="quiet">${text(signIn.hints[kind])}</p>`)}</div>
<button${ways.byBrowser && html` class="second"`}>${signIn.submit}</button>
</form>
${ways.tokens.includes('localToken') && html`<p class="quiet">${signIn.printed}</p>`}
</div>`,
  });
}
