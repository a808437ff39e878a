import { type Html, html } from './html.ts';
import { layout } from './layout.ts';
import type { PageContext } from './page-context.ts';
import { text } from './text.ts';

interface Unreadable {
  why: 'unknown' | 'hugeNumber' | 'zero';
  /** The host that it is an address of, which is not read here; null where that is not known. */
  off: { name: string; setting: string } | null;
  /** Where the pages of the hosts are that are read here. */
  known: string[];
}

/** For a user who pasted what is no address on a code host that is read here. */
export function unknownAddressPage(context: PageContext, { why, off, known }: Unreadable): Html {
  const { go, failure } = context.words;
  const said = {
    unknown: [go.unreadable, off ? go.hostIsOff(off.name, off.setting) : go.hint],
    hugeNumber: [go.hugeNumber, go.hugeNumberHint],
    zero: [go.zero, go.hugeNumberHint],
  } as const;
  const [heading, hint] = said[why];
  return layout(context, {
    title: `${go.title} · Pullquote`,
    main: html`<div class="notice"><h1>${heading}</h1>
<p>${text(hint)}</p>
${why === 'unknown' && !off && known.length > 0 && html`<p>${go.readFrom} ${known.map((url) => html`<code>${url}</code> `)}</p>`}
<p><a href="/">${failure.home}</a></p></div>`,
  });
}
