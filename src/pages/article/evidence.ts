import type { Evidence, Statement } from '../../contract/article.ts';
import { baseName, fileName } from '../file-name.ts';
import { type Html, html, nothing } from '../html.ts';
import { webAddress, withQuery } from '../links.ts';
import type { PageContext } from '../page-context.ts';
import type { CitedCode, CodeLine, SyntaxKind } from './cited-code.ts';
import { citationKey, type Item, type ShownArticle } from './shown-article.ts';

/** Lines that some sentences of an item refer to. */
export interface Place extends Evidence {
  /** Which sentences, by their number. */
  sentences: number[];
}

/** The lines that an item refers to, file by file. */
export function placesByFile(statements: Statement[]): Map<string, Place[]> {
  const places = new Map<string, Place>();
  for (const [index, { evidence }] of statements.entries()) {
    for (const one of evidence) {
      const key = `${one.fileName} ${one.side} ${one.startLine} ${one.endLine}`;
      const place = places.get(key) ?? { ...one, sentences: [] };
      place.sentences.push(index);
      places.set(key, place);
    }
  }
  const files = Map.groupBy(places.values(), (place) => place.fileName);
  for (const listed of files.values()) listed.sort((one, other) => one.startLine - other.startLine);
  return files;
}

/** What bears an item out, in the margin: each file opens to the lines themselves, where there are any to show. */
export function evidence(context: PageContext, shown: ShownArticle, { id, statements }: Item): Html {
  const files = [...placesByFile(statements)];
  if (files.length === 0) return nothing;
  return html`<div class="evidence" role="group" aria-label="${context.words.article.evidence}">${files.map(
    ([file, places]) => {
      const code = shown.cited.get(citationKey(id, file));
      const name = html`<span class="names">${fileName(file)}<b class="base">${baseName(file)}</b></span> <span class="places">${places.map(place)}</span>`;
      return code && code.runs.length > 0
        ? html`<details><summary>${name}</summary>${sheet(context, shown, file, places, code)}</details>`
        : html`<p class="cite">${name}${onHost(context, places)}</p>`;
    },
  )}</div>`;
}

function place({ startLine, endLine, side, sentences }: Place): Html {
  const sign = side === 'old' ? '−' : '+';
  const lines = startLine === endLine ? `${startLine}` : `${startLine}–${endLine}`;
  return html`<span data-sentences="${sentences.join(' ')}">${sign}${lines}</span> `;
}

/** Where the host shows the first of some lines. */
function onHost({ words }: PageContext, places: Place[]): Html {
  const address = onHostAddress(places);
  return address
    ? html` <a class="out" href="${address}" rel="noreferrer">${words.article.linesOnHost}</a>`
    : nothing;
}

const onHostAddress = (places: Place[]): string | null =>
  places.map(({ hostUrl }) => webAddress(hostUrl)).find((address) => address !== null) ?? null;

function sheet(
  context: PageContext,
  { article }: ShownArticle,
  file: string,
  places: Place[],
  { runs, omitted }: CitedCode,
): Html {
  const { words } = context;
  const { owner, repo, prNumber, host } = article;
  const diff = withQuery(`/repos/${owner}/${repo}/pulls/${prNumber}/diff`, {
    host: host === context.firstHost ? undefined : host,
    file,
  });
  const address = onHostAddress(places) ?? (omitted > 0 ? diff : null);
  const word = omitted > 0 ? words.article.longer(omitted) : words.article.linesOnHost;
  return html`<div class="sheet" tabindex="0" role="group" aria-label="${file}">${runs.map(
    (run) => html`<div class="run">${run.map(codeLine)}</div>`,
  )}</div>${address && html`<p class="out"><a href="${address}" rel="noreferrer">${word}</a></p>`}`;
}

const signs = { added: '+', removed: '−', context: ' ' };
const classes: Record<SyntaxKind, string> = {
  keyword: 'k',
  name: 'n',
  string: 's',
  number: 'd',
  comment: 'c',
};

function codeLine({ number, side, isCited, tokens }: CodeLine): Html {
  return html`<div class="line ${side}${isCited ? ' cited' : ''}"><span>${number}</span><i>${signs[side]}</i><code>${tokens.map(
    ({ kind, text }) => (kind === null ? text : html`<span class="${classes[kind]}">${text}</span>`),
  )}</code></div>`;
}
