import type { AlsoChanged } from '../../contract/told-parts.ts';
import { baseName, fileName } from '../file-name.ts';
import { type Html, html, nothing } from '../html.ts';
import { webAddress } from '../links.ts';
import type { PageContext } from '../page-context.ts';
import { text } from '../text.ts';
import type { ShownArticle } from './shown-article.ts';

const groups: AlsoChanged['kind'][][] = [
  ['sameEdit'],
  ['source', 'build', 'generated', 'vendored', 'other'],
  ['test'],
  ['documentation'],
];

/** What no stop tells of, a row each. */
export function also(context: PageContext, { content, newSentences }: ShownArticle): Html {
  if (content.also.length === 0) return nothing;
  const rows = groups.flatMap((kinds) => content.also.filter(({ kind }) => kinds.includes(kind)));
  return html`<section class="also"><h2${context.ours}>${context.words.article.also}</h2>
<table>${rows.map((row) => rowOf(context, row, newSentences.has(row.statement.id)))}</table></section>`;
}

function rowOf(context: PageContext, row: AlsoChanged, isNew: boolean): Html {
  const { words, ours } = context;
  const { kind, statement, times, additions, deletions } = row;
  const counts =
    times !== null
      ? words.told.times(times)
      : html`<span class="plus">+${words.number(additions)}</span> <span class="minus">−${words.number(deletions)}</span>`;
  return html`<tr id="${statement.id}"${isNew && html` class="new"`}><th scope="row"${ours}>${named(context, row)}</th><td>${
    kind === 'sameEdit' ? sameEdit(context, row) : html`<p>${told(statement.text)}</p>`
  }</td><td class="count"${ours}>${counts}</td></tr>
`;
}

/** A file leads to its lines on the host, where that shows them. */
function named({ words }: PageContext, { kind, statement, files, filesTotal }: AlsoChanged): Html {
  if (kind === 'sameEdit') return html`<b>${words.told.sameEdit}</b>`;
  if (kind === 'test') return html`<b>${words.told.tests}</b>`;
  const [only = ''] = files;
  if (filesTotal > 1) {
    const folder = folderOf(files);
    return folder === '' ? html`${words.told.files(filesTotal)}` : html`<bdi class="file">${folder}</bdi>`;
  }
  const address = webAddress(statement.evidence.find(({ fileName: of }) => of === only)?.hostUrl ?? null);
  return address ? html`<a href="${address}" rel="noreferrer">${fileName(only)}</a>` : fileName(only);
}

/** The deepest folder that has all of some files, with its slash; empty where that is the repository. */
function folderOf(files: string[]): string {
  const [first = ''] = files;
  let end = first.lastIndexOf('/') + 1;
  while (end > 0 && !files.every((file) => file.startsWith(first.slice(0, end))))
    end = first.lastIndexOf('/', end - 2) + 1;
  return first.slice(0, end);
}

/** What stands before a colon says what happened, such as "New"; behind one list of names another may begin. */
const happened = /(?:^|(?<=[”」`][.。]\s?))([\p{L} ]{1,20})[:：]\s*(?=\S)/u;

function told(written: string): Html {
  // Every second part is what the pattern found.
  return html`${written
    .split(happened)
    .map((part, index) => (index % 2 === 1 ? html`<span class="happened">${part}</span> ` : text(part)))}`;
}

const arrow = ' → ';

function sameEdit({ words, ours }: PageContext, { statement, files, filesTotal }: AlsoChanged): Html {
  const parts = statement.text.split(arrow);
  const isPair = parts.length === 2 && parts.every((part) => /^`[^`]+`[.。]?$/.test(part));
  const [before = '', after = ''] = parts.map((part) => part.slice(1, part.lastIndexOf('`')));
  const shown = isPair
    ? html`<p${ours}><code class="before">${before}</code>${arrow}<code class="after">${after}</code></p>`
    : html`<p>${told(statement.text)}</p>`;
  const rest = filesTotal - files.length;
  const places = files.map(
    (file, index) => html`${index > 0 && ', '}<bdi title="${file}">${shortName(file)}</bdi>`,
  );
  return html`${shown}<p class="where"${ours}>${places}${rest > 0 && ` ${words.told.andMore(rest)}`}</p>`;
}

/** A file with the folder that it lies in. */
const shortName = (path: string): string => {
  const folder = path.slice(0, Math.max(0, path.lastIndexOf('/')));
  return folder === '' ? baseName(path) : `${baseName(folder)}/${baseName(path)}`;
};
