import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import type { PageContext } from './page-context.ts';
import { text } from './text.ts';

/** For a user who pasted what is no address on a code host that is read here. */
export function unknownAddressPage(context: PageContext, { isGitHubOff }: { isGitHubOff: boolean }): Html {
  const { go, failure } = context.words;
  return layout(context, {
    title: `${go.title} · Pullquote`,
    main: html`<div class="notice"><h1>${go.unreadable}</h1>
<p>${text(isGitHubOff ? go.githubIsOff : go.hint)}</p>
<p><a href="/">${failure.home}</a></p></div>`,
  });
}
