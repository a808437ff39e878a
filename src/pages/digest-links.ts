import { digestPath } from './digest.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import type { PageContext } from './page-context.ts';

/** What a link of a mail came to. */
export type LinkOutcome = 'confirmed' | 'stopped' | 'deadLink';

/** Tells nothing of the user whom the mail went to: its reader may be another. */
export function linkOutcomePage(context: PageContext, outcome: LinkOutcome): Html {
  const { digest } = context.words;
  return layout(context, {
    title: `${digest.title} · Pullquote`,
    head: noIndex,
    main: html`<div class="notice"><h1>${digest.title}</h1><p class="said" role="status">${digest[outcome]}</p><p><a href="${digestPath}">${digest.toChoice}</a></p></div>`,
  });
}

/** Asks whether digests are to come. */
export const confirmPage = (context: PageContext): Html => {
  const { mail, confirmHint } = context.words.digest;
  return askingPage(context, { title: mail.confirmSubject, hint: confirmHint, button: mail.confirmLink });
};

/** Asks whether to stop. */
export const stopPage = (context: PageContext): Html => {
  const { stopTitle: title, stopHint: hint, stop: button } = context.words.digest;
  return askingPage(context, { title, hint, button });
};

/** What opens links by itself presses no button. The form goes to where it was opened, so that the page has no secret in it. */
function askingPage(
  context: PageContext,
  { title, hint, button }: { title: string; hint: string; button: string },
): Html {
  return layout(context, {
    title: `${title} · Pullquote`,
    styles: ['doing.css'],
    head: noIndex,
    main: html`<form class="form" method="post"><h1>${title}</h1><p>${hint}</p><button>${button}</button></form>`,
  });
}

const noIndex = html`<meta name="robots" content="noindex">\n`;
