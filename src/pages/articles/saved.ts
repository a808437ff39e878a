import type { ChangedFile } from '../../contract/pull-requests.ts';
import { Html, html, mostPageBytes, Room } from '../html.ts';
import type { PageContext } from '../layout.ts';
import { articleLink, rawDiffLink } from '../links.ts';
import { languageAttribute, plainText, within } from '../text.ts';
import { interfaceLanguageFor, interfaceWords } from '../words/words.ts';
import { articleText, opening } from './article.ts';
import { footer } from './checked.ts';
import { changedFile, citingSentences, type DiffOfFile, filesOf } from './diff.ts';
import { fileId } from './diff-links.ts';
import { headline, type ShownArticle } from './shown-article.ts';

/** The diff in a saved article has at most as many bytes and lines; larger files are left out for the smaller ones. */
const mostSaved = { bytes: mostPageBytes - 32 * 1024, changes: 4_000, ofFile: 1_500 };

export function filesToSave(files: ChangedFile[]): ChangedFile[] {
  let left = mostSaved.changes;
  return files.filter(({ additions, deletions }) => {
    const changes = Math.min(additions + deletions, mostSaved.ofFile) + 1;
    const fits = changes <= left;
    if (fits) left -= changes;
    return fits;
  });
}

interface Inlined {
  diffs: Map<string, DiffOfFile>;
  styles: string;
}

/** An article as one file that needs nothing else: evidence and diff are in it, and it is the same for every reader. */
export function savedPage(given: PageContext, shown: ShownArticle, { diffs, styles }: Inlined): Html {
  const { article, content } = shown;
  const { languageCode } = content;
  const language = interfaceLanguageFor(languageCode);
  const own = { language, words: interfaceWords[language], ours: within(languageCode, language) };
  const context: PageContext = { ...given, ...own, viewer: null, saved: new Map() };
  const all = shown.change?.files ?? [];
  const diff = diffOf(context, shown, diffs);
  const around = { ...context, saved: diff.ids };
  const link = articleLink(article, context.firstHost, { language: languageCode });
  const name = article.prNumber > 0 ? `${article.owner}/${article.repo}#${article.prNumber}` : article.repo;
  const { publicUrl, words } = context;
  const body = html`<main>
<article class="article"${languageAttribute(languageCode)}>
${opening(around, shown)}
<div class="text">
${articleText(around, shown)}
</div>
${footer(around, shown)}
${publicUrl && html`<p class="checked"${own.ours}><a href="${link}">${words.article.savedFrom(publicUrl + link)}</a></p>`}
</article>
<section class="diff" id="diff"${own.ours}><h2>${words.article.fullDiff}</h2>
${diff.files.length > 0 && filesOf(context, diff.files, { start: 0, total: all.length })}
${diff.sections}${all.length > diff.files.length && html`<p class="gap"><a href="${rawDiffLink(article, context.firstHost)}">${words.article.notSaved(all.length - diff.files.length)}</a></p>`}
</section>
</main>`;
  return html`<!doctype html>
<html lang="${language}">
<head>
<meta charset="utf-8">
<meta http-equiv="Content-Security-Policy" content="default-src 'none'; style-src 'unsafe-inline'; base-uri 'none'; form-action 'none'">
<meta name="viewport" content="width=device-width, initial-scale=1">
<meta name="referrer" content="no-referrer">
<meta name="color-scheme" content="light dark">
<title>${[plainText(headline(shown)), name].filter(Boolean).join(' · ')}</title>
<style>${Html.ofStyles(styles)}</style>
</head>
<body>
${body.linkedTo(publicUrl)}
</body>
</html>
`;
}

function diffOf(context: PageContext, shown: ShownArticle, diffs: Inlined['diffs']) {
  const files: ChangedFile[] = [];
  const sections: Html[] = [];
  const sentences = citingSentences(shown.content);
  let left = mostSaved.bytes;
  for (const file of filesToSave(shown.change?.files ?? [])) {
    const raw = rawDiffLink(shown.article, context.firstHost, file.fileName);
    const one = { file, id: fileId(files.length), diff: diffs.get(file.fileName), sentences, back: '', raw };
    const section = left > 0 && changedFile({ ...context, room: new Room(left) }, one);
    if (!section) continue;
    left -= Buffer.byteLength(section.toString());
    files.push(file);
    sections.push(section);
  }
  return { files, sections, ids: new Map(files.map(({ fileName }, index) => [fileName, fileId(index)])) };
}
