import type { OfBackground, Quoted, Saying } from '../../statements.ts';
import { titleFromEnglish } from './translate-title.ts';
import { count, lines, quote, quotes } from './words.ts';

/** 文を並べる。 */
const said = ({ sentences, script }: Quoted): string =>
  quote(sentences.join(script === 'japanese' ? '' : ' '));

const original = ({ script }: Quoted): string => (script === 'japanese' ? '' : ' (原文のまま)');

export const backgroundSayings: Saying<string, OfBackground> = {
  // 訳せない題は、題そのものに引かれている。
  titled: ({ title, bare, script }) =>
    script === 'japanese' || titleFromEnglish(bare) === null
      ? ''
      : `プルリクエストの原題は${quote(title)}です。`,
  authorSays: (quoted) => `作者は説明文で次のように述べています${original(quoted)}。${said(quoted)}`,
  commitSays: ({ speaker, ...quoted }) =>
    speaker === null
      ? `コミットメッセージには次のようにあります${original(quoted)}。${said(quoted)}`
      : `${speaker} はコミットメッセージで次のように書いています${original(quoted)}。${said(quoted)}`,
  commentSays: ({ speaker, ...quoted }) =>
    `${speaker === null ? 'コメントには' : `${speaker} はコメントで`}次のように${speaker === null ? 'あります' : '書いています'}${original(quoted)}。${said(quoted)}`,
  commitsTitled: ({ titles }) => `コミットの題名は${quotes(titles)}です。`,
  nobodySays: () => 'タイトルのほかに説明文がないため、以下は差分から読み取れることです。',
  closes: ({ issues }) =>
    `${issues.map(({ number, title }) => `#${number}${title ? ` (${quote(title)})` : ''}`).join('、')} を解決するものとされています。`,
  extent: ({ added, removed, ...extent }) => {
    const among = [
      added.length > 0 && `新規 ${count(added.length)}`,
      removed.length > 0 && `削除 ${count(removed.length)}`,
    ].filter((part) => part !== false);
    const company = among.length > 0 && extent.paths.length > 1 ? ` (うち${among.join('、')})` : '';
    return `変更は ${count(extent.paths.length)} ファイル${company}、${lines(extent)}です。`;
  },
  nothingToRead: ({ reason }) =>
    ({
      empty: 'このプルリクエストはどのファイルも変更していないため、これ以上述べることはありません。',
      binary: '変更されたのはバイナリファイルだけで、その中身は差分からは分かりません。',
      mode: '文章やコードの行は変わらず、実行権限などファイルの属性だけが変わっています。',
    })[reason],
};
