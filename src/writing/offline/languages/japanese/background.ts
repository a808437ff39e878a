import type { OfBackground, Quoted, Saying } from '../../statements.ts';
import { titleFromEnglish } from './translate-title.ts';
import { code, count, lines, quote, quotes } from './words.ts';

/** 文を並べる。省いたところには「…」を置く。 */
const said = ({ sentences, gapsAfter, script }: Quoted): string => {
  const blank = script === 'japanese' ? '' : ' ';
  return quote(sentences.map((text, index) => (gapsAfter[index] ? `${text}${blank}…` : text)).join(blank));
};

const original = ({ script }: Quoted): string => (script === 'japanese' ? '' : ' (原文のまま)');

export const backgroundSayings: Saying<string, OfBackground> = {
  // 訳せない題は、題そのものに引かれている。
  titled: ({ title, bare, script }) =>
    script === 'japanese' || titleFromEnglish(bare) === null
      ? ''
      : `プルリクエストの原題は${quote(title)}です。`,
  authorSays: (quoted) => `作者は説明文で次のように述べています${original(quoted)}。${said(quoted)}`,
  commitSays: ({ speaker, ...quoted }) =>
    `${speaker === null ? 'コミットメッセージには' : `${speaker} はコミットメッセージで`}次のように${speaker === null ? 'あります' : '書いています'}${original(quoted)}。${said(quoted)}`,
  commentSays: ({ speaker, ...quoted }) =>
    `${speaker === null ? 'コメントには' : `${speaker} はコメントで`}次のように${speaker === null ? 'あります' : '書いています'}${original(quoted)}。${said(quoted)}`,
  commitsTitled: ({ titles, hasMore }) => `コミットの題名は${quotes(titles)}${hasMore ? 'など' : ''}です。`,
  nobodySays: ({ isClone }) =>
    isClone
      ? 'このクローンには変更の説明文がないため、以下は差分から読み取れることです。'
      : 'タイトルのほかに説明文がないため、以下は差分から読み取れることです。',
  closes: ({ issues }) =>
    `${issues.map(({ number, title }) => `#${number}${title ? ` (${quote(title)})` : ''}`).join('、')} を解決するものとされています。`,
  extent: ({ tests, documents, place, ...extent }) => {
    const among = [
      tests.length > 0 && `テスト ${count(tests.length)}`,
      documents.length > 0 && `文書 ${count(documents.length)}`,
    ].filter((part) => part !== false);
    const others = extent.paths.length - tests.length - documents.length;
    const company = among.length > 0 && others > 0 ? ` (うち${among.join('、')})` : '';
    const where = place ? `、その大半は ${code(place)} 以下にあります` : 'です';
    return `変更は ${count(extent.paths.length)} ファイル${company}、${lines(extent)}${where}。`;
  },
  nothingToRead: ({ reason }) =>
    ({
      empty: 'このプルリクエストはどのファイルも変更していないため、これ以上述べることはありません。',
      binary: '変更されたのはバイナリファイルだけで、その中身は差分からは分かりません。',
      mode: '文章やコードの行は変わらず、実行権限などファイルの属性だけが変わっています。',
    })[reason],
  unseen: ({ sentences }) =>
    `説明文には${quotes(sentences.map((sentence) => sentence.replace(/[.。]$/, '')))}ともありますが、この差分には見当たらないため、別の場所で行われたか、見送られたのかもしれません。`,
};
