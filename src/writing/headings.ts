import type { Coverage } from './written-article.ts';

/** What stands around an article, in a language. */
export interface Headings {
  background: string;
  changes: string;
  also: string;
  points: string;
  evidence: string;
  /** Who is quoted where a sentence is one. */
  author: string;
  /** Stands before what is no claim. */
  judgement: string;
  /** How much was read. */
  footer: (coverage: Coverage) => string;
}

const number = (count: number): string => count.toLocaleString('en');
const plural = (count: number, one: string): string => `${number(count)} ${count === 1 ? one : `${one}s`}`;

const english: Headings = {
  background: 'Why',
  changes: 'What changed',
  also: 'Also',
  points: 'Watch for',
  evidence: 'see',
  author: 'the author',
  judgement: 'Judgement',
  footer: ({ filesRead, filesTotal, linesRead, linesTotal, skippedTotal }) => {
    const unread = skippedTotal > 0 ? `; ${number(skippedTotal)} not read, or not to the end` : '';
    return (
      `Read: ${number(filesRead)} of ${plural(filesTotal, 'file')}, ${number(linesRead)} of ` +
      `${plural(linesTotal, 'changed line')}${unread}.`
    );
  },
};

const japanese: Headings = {
  background: '背景と目的',
  changes: '主な変更点',
  also: 'そのほか',
  points: '注意点',
  evidence: '該当箇所',
  author: '作者',
  judgement: '見立て',
  footer: ({ filesRead, filesTotal, linesRead, linesTotal, skippedTotal }) => {
    const unread =
      skippedTotal > 0 ? `、読まなかったもの、または途中まで読んだもの ${number(skippedTotal)} 件` : '';
    return `読んだ範囲: ${number(filesTotal)} ファイル中 ${number(filesRead)}、変更 ${number(linesTotal)} 行中 ${number(linesRead)} 行${unread}。`;
  },
};

const languages: Record<string, Headings> = { en: english, ja: japanese };

/** The headings of a language, or English ones where it has none of its own. */
export const headingsFor = (languageCode: string): Headings => languages[languageCode] ?? english;
