import type { SpokenWords } from '../draft.ts';

const author = String.raw`\bauthors?\b|\bcontributors?\b|\bau(?:tor|teur|tore|tora)s?\b|\bVerfasser|作者|著者|投稿者|автор|작성자|저자`;

/** How a sentence says whose words it tells, where it does not name them. */
const speakers: Record<SpokenWords['where'], RegExp> = {
  title: new RegExp(`${author}|\\btitle[ds]?\\b|題|タイトル`, 'iu'),
  description: new RegExp(`${author}|\\bdescri(?:ption|bes)\\b|\\bpull request\\b|説明|概要|本文`, 'iu'),
  commit: new RegExp(`${author}|\\bcommit(?:s|ter)?\\b|コミット`, 'iu'),
  issue: new RegExp(`${author}|\\bissues?\\b|\\breports?\\b|#\\d|課題|報告|イシュー`, 'iu'),
  comment:
    /\bcomment(?:s|er|ers)?\b|\breview(?:s|er|ers)?\b|\bmaintainers?\b|\bdiscussion\b|コメント|レビュ|議論/iu,
  code: /\bcomments?\b|\bdocstring\b|\bchangelog\b|\bcode\b|\bdocument(?:s|ation)?\b|コメント|コード|変更履歴|文書|説明/iu,
};

/** Languages that are written in these scripts are the ones whose words for speakers are known. */
const isKnownLanguage = (text: string): boolean =>
  /[\u3040-\u30ff]/u.test(text) || /^[\p{ASCII}\p{P}\p{S}\s]*$/u.test(text);

/** Whether a sentence that tells of somebody's words says whose they are. */
export function saysWhoSpeaks(text: string, words: SpokenWords[]): boolean {
  return (
    words.some(
      ({ speaker, where }) => (speaker.length > 1 && text.includes(speaker)) || speakers[where].test(text),
    ) || !isKnownLanguage(text)
  );
}
