import { type Html, html } from './html.ts';
import { languageOptions } from './language-options.ts';
import { layout } from './layout.ts';
import { withQuery } from './links.ts';
import type { PageContext } from './page-context.ts';
import { problem } from './problem.ts';

/** Where a user who has signed in chooses a language, and is then led back. */
export function signUpPage(context: PageContext, languages: string[], back: string): Html {
  const { signUp, bar, settings } = context.words;
  return layout(context, {
    title: `${bar.signUp} · Pullquote`,
    scripts: ['sign-up.js'],
    styles: ['doing.css'],
    main: html`<div class="form">
<h1>${bar.signUp}</h1>
<p>${signUp.welcome}</p>
${problem(context)}
<form id="sign-up" data-back="${back}" method="post" action="${withQuery('/sign-up', { back })}">
<label for="language">${settings.language}</label>
<select id="language" name="language">${languageOptions(languages, context.language)}</select>
<button>${signUp.submit}</button>
</form>
</div>`,
  });
}
