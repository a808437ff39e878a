import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import type { PageContext } from './page-context.ts';

/** For a user who comes back from a code host and cannot be signed in: why, in the words of the API, and where to go on. */
export function signInProblemPage(context: PageContext, sentence: string): Html {
  const { signIn, bar, failure } = context.words;
  return layout(context, {
    title: `${bar.signIn} · Pullquote`,
    main: html`<div class="notice"><h1>${signIn.failed}</h1>
<p lang="en">${sentence}</p>
<p><a href="/sign-in">${bar.signIn}</a> <a href="/">${failure.home}</a></p></div>`,
  });
}
