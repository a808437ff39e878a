import type { AlsoChanged } from '../../contract/told-parts.ts';
import { baseName, fileName } from '../file-name.ts';
import { type Html, html, nothing } from '../html.ts';
import { webAddress } from '../links.ts';
import type { PageContext } from '../page-context.ts';
import { text } from '../text.ts';
import { sentences } from './sentences.ts';
import type { ShownArticle } from './shown-article.ts';

/** What became of tests: new cases by name, then what else changed in them. */
export function tests(context: PageContext, shown: ShownArticle): Html {
  const { words, ours } = context;
  const changed = shown.content.tests;
  if (!changed || changed.addedTotal + changed.statements.length === 0) return nothing;
  const { added, addedTotal, statements } = changed;
  const names = added.map((name) => `\`\` ${name.replace(/`{2,}/g, '`')} \`\``);
  return html`<section class="tests" id="tests"><h2${ours}>${words.told.tests}</h2>
${addedTotal > 0 && html`<p class="told">${text(words.told.newTests(names, addedTotal - added.length))}</p>\n`}${statements.map(
  (one) => html`<p class="told">${sentences(context, shown, [one])}</p>\n`,
)}</section>`;
}

/** What the rest of the article does not mention, a line each. */
export function also(context: PageContext, shown: ShownArticle): Html {
  const { content } = shown;
  if (content.also.length === 0) return nothing;
  return html`<section class="also"><h2${context.ours}>${context.words.told.also}</h2>
<ul>${content.also.map((row) => html`<li>${sentences(context, shown, [row.statement])} <span class="where"${context.ours}>${where(context, row)}</span></li>\n`)}</ul></section>`;
}

/** The files of a row, which lead to their lines on the host where that shows them. */
function where({ words }: PageContext, row: AlsoChanged): Html {
  const { statement, times, files, filesTotal, additions, deletions } = row;
  const [only = ''] = files;
  const address = webAddress(statement.evidence.find((one) => one.fileName === only)?.hostUrl ?? null);
  const named =
    filesTotal === 1 && address
      ? html`<a href="${address}" rel="noreferrer">${fileName(only)}</a>`
      : files.map((file, index) => html`${index > 0 && ', '}<bdi title="${file}">${shortName(file)}</bdi>`);
  const rest = filesTotal - files.length;
  const size =
    times === null
      ? html`<span class="plus">+${words.number(additions)}</span> <span class="minus">−${words.number(deletions)}</span>`
      : words.told.times(times);
  return html`${named}${rest > 0 && ` ${words.told.andMore(rest)}`} ${size}`;
}

/** A file with the folder that it lies in. */
const shortName = (path: string): string => {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  return folder === '' ? baseName(path) : `${baseName(folder)}/${baseName(path)}`;
};
