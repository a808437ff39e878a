import { digestPath } from './digest.ts';
import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import type { PageContext } from './page-context.ts';

/** What opening a link of a mail came to. */
export type LinkOutcome = 'confirmed' | 'stopped' | 'deadLink';

/** Said to one who has opened it, whoever that is: nothing of the user whom the mail went to. */
export function linkOutcomePage(context: PageContext, outcome: LinkOutcome): Html {
  const { digest } = context.words;
  return layout(context, {
    title: `${digest.title} · Pullquote`,
    head: noIndex,
    main: html`<div class="notice"><h1>${digest.title}</h1><p class="said" role="status">${digest[outcome]}</p><p><a href="${digestPath}">${digest.toChoice}</a></p></div>`,
  });
}

/** Asks whether to stop: what opens links by itself stops nothing. */
export function stopPage(context: PageContext): Html {
  const { digest } = context.words;
  return layout(context, {
    title: `${digest.stopTitle} · Pullquote`,
    styles: ['doing.css'],
    head: noIndex,
    main: html`<form class="form" method="post" action="${context.address}"><h1>${digest.stopTitle}</h1><p>${digest.stopHint}</p><button>${digest.stop}</button></form>`,
  });
}

const noIndex = html`<meta name="robots" content="noindex">\n`;
