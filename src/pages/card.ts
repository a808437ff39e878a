import { hash } from 'node:crypto';
import type { ArticleContent, PullRequestArticle } from '../contract/articles.ts';
import type { ChangedFile } from '../contract/pull-requests.ts';
import { headlineOf } from '../domain/titles.ts';
import { mapShapes } from './change-map.ts';
import { type Html, html } from './html.ts';
import { quotesShape } from './layout.ts';
import { plainText } from './text.ts';

/** The characters in our fonts. All others would be drawn as empty boxes. */
const drawable =
  /^[ -~\u00a1-\u00ac\u00ae-\u0131\u0134-\u0148\u014a-\u017e\u2013\u2014\u2018-\u201a\u201c-\u201e\u2022\u2026\u2212]+$/;

const canBeDrawn = (text: string): boolean => drawable.test(text);

/** Widths of Newsreader's characters from the space on, in hundredths of the font size. */
const widths =
  '23 27 35 57 57 78 72 20 28 28 44 51 24 35 23 40 57 57 57 57 57 57 57 57 57 57 25 27 51 51 51 44 89 71 64 71 76 64 59 75 80 34 45 73 60 98 77 78 61 78 65 55 67 77 69 97 72 68 63 33 40 33 51 41 50 46 55 44 56 46 35 50 56 28 25 54 27 83 57 53 56 54 39 38 34 54 53 74 51 52 43 32 25 32 51'
    .split(' ')
    .map((width) => Number(width) / 100);

const usualWidth = 0.9;

const characterWidth = (character: string): number =>
  widths[(character.normalize('NFD').codePointAt(0) ?? 0) - 32] ?? usualWidth;

const widthOfText = (text: string): number =>
  [...text].reduce((width, character) => width + characterWidth(character), 0);

interface Room {
  width: number;
  lines: number;
}

function fitText(text: string, room: Room): string[] {
  const lines: string[] = [];
  for (const word of text.split(' ').flatMap((one) => partWord(one, room.width))) {
    const last = lines.at(-1);
    const longer = last === undefined ? word : `${last} ${word}`;
    if (last !== undefined && widthOfText(longer) <= room.width) lines[lines.length - 1] = longer;
    else lines.push(word);
  }
  const shown = lines.slice(0, room.lines);
  const last = shown.at(-1);
  if (lines.length > shown.length && last !== undefined) shown[shown.length - 1] = cutLine(last, room.width);
  return shown;
}

function partWord(word: string, width: number): string[] {
  const parts = [''];
  for (const character of word) {
    const longer = parts.at(-1) + character;
    if (widthOfText(longer) <= width) parts[parts.length - 1] = longer;
    else parts.push(character);
  }
  return parts;
}

function cutLine(line: string, width: number): string {
  let cut = line;
  while (cut !== '' && widthOfText(`${cut}…`) > width) cut = cut.slice(0, -1);
  return `${cut.trimEnd()}…`;
}

interface CardOf {
  article: Pick<PullRequestArticle, 'id' | 'owner' | 'repo' | 'prNumber' | 'headSha' | 'title'>;
  content: Pick<ArticleContent, 'languageCode' | 'aiGeneratedTitle' | 'baseSha' | 'headSha'>;
}

/** Increased with every change to the look of cards. */
const drawing = 1;

/** Changes with everything that a card shows. Its files are determined by the commits. */
export function cardVersion({ article, content }: CardOf): string {
  const { owner, repo, prNumber, headSha, title } = article;
  const shown = [drawing, owner, repo, prNumber, headSha, headlineOf(title, content), content.baseSha];
  return hash('sha256', JSON.stringify([...shown, content.headSha]), 'base64url').slice(0, 12);
}

export const cardLink = (of: CardOf): string =>
  `/cards/${of.article.id}/${of.content.languageCode}/${cardVersion(of)}.png`;

export const cardSize = { width: 1200, height: 630 };
const margin = 60;
const inner = cardSize.width - 2 * margin;

const titleText = { size: 64, lineHeight: 76, top: 210 };
const smallText = 34;

const mapHeights = { titled: 116, untitled: 240 };

/**
 * The preview picture of an article. A title with characters that our fonts lack is left out, because servers may have
 * no other fonts.
 */
export function cardPicture({ article, content }: CardOf, files: ChangedFile[]): Html {
  const title = plainText(headlineOf(article.title, content)).normalize('NFC').trim();
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

const family = 'Newsreader 16pt 16pt, Newsreader';
