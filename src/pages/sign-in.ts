import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import type { PageContext } from './page-context.ts';
import { text } from './text.ts';

export function signInPage(context: PageContext): Html {
  const { signIn } = context.words;
  return layout(context, {
    title: `${signIn.title} · Pullquote`,
    scripts: ['sign-in.js'],
    main: html`<div class="form">
<h1>${signIn.title}</h1>
<p id="progress" class="quiet" role="status" hidden>${signIn.progress}</p>
<p id="problem" role="alert" hidden></p>
<form id="by-token" hidden>
<label for="token">${signIn.token}</label>
<input id="token" name="token" type="password" required autocomplete="off" spellcheck="false">
<p class="quiet">${text(signIn.tokenHint)}</p>
<button type="submit">${signIn.submit}</button>
</form>
<form id="sign-up" hidden>
<p>${signIn.welcome}</p>
<label for="language">${signIn.language}</label>
<select id="language" name="language"></select>
<button type="submit">${signIn.signUp}</button>
</form>
</div>`,
  });
}
