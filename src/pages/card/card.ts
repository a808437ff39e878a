import { hash } from 'node:crypto';
import type { ArticleContent, PullRequestArticle } from '../../contract/article.ts';
import type { ChangedFile } from '../../contract/pull-request.ts';
import { mapShapes } from '../change-map/change-map.ts';
import { type Html, html } from '../html.ts';
import { quotesShape } from '../quotes-shape.ts';
import { plainText } from '../text.ts';
import { canBeDrawn, fitText } from './fit-text.ts';

/** What the card of an article is made from, beside the files that it is about. */
interface CardOf {
  article: Pick<PullRequestArticle, 'id' | 'owner' | 'repo' | 'prNumber' | 'headSha'>;
  content: Pick<ArticleContent, 'languageCode' | 'aiGeneratedTitle' | 'baseSha' | 'headSha'>;
}

/** Counted up with every change of how cards look, so that they are drawn anew. */
const drawing = 1;

/** Another one whenever a card shows something else, without a look at the files: those follow the commits. */
export function cardVersion({ article, content }: CardOf): string {
  const { owner, repo, prNumber, headSha } = article;
  const shown = [drawing, owner, repo, prNumber, headSha, content.aiGeneratedTitle, content.baseSha];
  return hash('sha256', JSON.stringify([...shown, content.headSha]), 'base64url').slice(0, 12);
}

/** Where the picture is that stands beside links to an article. */
export const cardLink = (of: CardOf): string =>
  `/cards/${of.article.id}/${of.content.languageCode}/${cardVersion(of)}.png`;

export const cardSize = { width: 1200, height: 630 };
const margin = 60;
const inner = cardSize.width - 2 * margin;

const titleText = { size: 64, lineHeight: 76, top: 210 };
const smallText = 34;

/** Above the lower edge, of cards with a title and of those without. */
const mapHeights = { titled: 116, untitled: 240 };

/**
 * The picture that stands beside links to an article, in the colours of the light pages: what it is called, what it is about,
 * and the map of the change. A title that our fonts have no letters for is left out: those of the system are not there on a
 * bare machine.
 */
export function cardPicture({ article, content }: CardOf, files: ChangedFile[]): Html {
  const title = plainText(content.aiGeneratedTitle).normalize('NFC').trim();
  const place = `${article.owner}/${article.repo} #${article.prNumber}`;
  const isTitled = canBeDrawn(title);
  const height = isTitled ? mapHeights.titled : mapHeights.untitled;
  const top = cardSize.height - margin - height;
  const headline = fitText(isTitled ? title : place, {
    width: inner / titleText.size,
    lines: isTitled ? 3 : 2,
  });
  return html`<svg xmlns="http://www.w3.org/2000/svg" width="${cardSize.width}" height="${cardSize.height}" font-family="${family}">
<rect width="${cardSize.width}" height="${cardSize.height}" fill="#fbfaf7"/>
<rect width="${cardSize.width}" height="10" fill="#a3361f"/>
<g transform="translate(${margin} 64) scale(1.900)" fill="#a3361f">${quotesShape}</g>
<text x="${margin + 54}" y="94" font-size="${smallText}" fill="#1f2024">Pullquote</text>
${headline.map((line, index) => html`<text x="${margin}" y="${titleText.top + index * titleText.lineHeight}" font-size="${titleText.size}" fill="#1f2024">${line}</text>\n`)}${
  isTitled &&
  html`<text x="${margin}" y="${top - 24}" font-size="${smallText}" fill="#5d6068">${fitText(place, { width: inner / smallText, lines: 1 })}</text>\n`
}<g transform="translate(${margin} ${top})">${mapShapes(files, { width: inner, height, gap: 3 })}</g>
</svg>`;
}

/** As the font names itself. */
const family = 'Newsreader 16pt 16pt, Newsreader';
