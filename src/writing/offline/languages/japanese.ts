import type { PhraseBook } from '../phrase-book.ts';
import { backgroundSayings } from './japanese/background.ts';
import { companySayings, fileSayings, lineSayings, symbolSayings } from './japanese/changes.ts';
import { pointSayings } from './japanese/points.ts';
import { titleInJapanese } from './japanese/title.ts';
import { count, tidy } from './japanese/words.ts';

export const japanese: PhraseBook = {
  headings: {
    background: '背景と目的',
    changes: '主な変更点',
    points: '注目すべき点',
    evidence: '該当箇所',
    footer: (coverage, verification, writer) => {
      const by =
        writer.kind === 'offline'
          ? 'この記事は言語モデルを使わず、差分から規則に従って書かれました'
          : 'この記事は言語モデルが書きました';
      const skipped =
        coverage.skipped.length > 0 ? `、読まなかったファイル ${count(coverage.skipped.length)} 件` : '';
      const dropped =
        verification.dropped > 0 ? ` (うち ${count(verification.dropped)} 件は確認できず削除)` : '';
      return (
        `${by}。読んだ範囲: ${count(coverage.filesTotal)} ファイル中 ${count(coverage.filesRead)}、変更 ${count(coverage.linesTotal)} 行中 ${count(coverage.linesRead)} 行${skipped}。` +
        `差分と照合した記述: ${count(verification.claims)} 件${dropped}。`
      );
    },
  },

  title: titleInJapanese,
  tidy,
  say: {
    ...fileSayings,
    ...symbolSayings,
    ...lineSayings,
    ...companySayings,
    ...pointSayings,
    ...backgroundSayings,
  },
};
