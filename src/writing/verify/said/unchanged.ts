import { type MarkedText, marksIn, matchAround, placeholder as P } from '../marked-text.ts';

const things = 'function|method|class|type|constant|helper|struct|interface|macro|enum|trait|variable|module';
/** Behind a name, what belongs to it and is no definition. */
const uses =
  '(?!\\s+(?:calls?|uses?|imports?|checks?|invocations?|arguments?|options?|parameters?|lines?|fields?|instances?|entr|prop))';
const done =
  '(?:added|introduced|defined|new|removed|deleted|changed|modified|rewritten|renamed|reworked|refactored)';

/** How a sentence says that a definition came, went or is another one; not that something uses it. */
const patterns = [
  `\\b(?:add|introduc|defin|remov|delet|chang|modif|rewrit|rewrote|renam|rework|refactor)\\w*\\s+(?:(?:the|a|an|its|new|old|existing|private|public|shared)\\s+)*(?:(?:${things})\\s+)?(?<what>${P})${uses}`,
  `(?<what>${P})(?:\\s+(?:${things}))?\\s+(?:is|are|was|were|gets?|has been|have been)\\s+(?:now\\s+)?${done}\\b(?!\\s+(?:to|in|on)\\b)`,
  `\\bnew\\s+(?:${things})\\s+(?<what>${P})|\\bnew\\s+(?<that>${P})\\s+(?:${things})\\b`,
  `(?<what>${P})\\s+(?:now|no longer)\\s+(?:takes?|accepts?|returns?|requires?|throws?|raises?|has|holds?)\\b`,
  `(?<what>${P})\\s*(?:という|の)?\\s*(?:関数|メソッド|クラス|型|定数)?\\s*を\\s*(?:新たに)?(?:追加|新設|導入|定義|削除|変更|書き換え|改名|修正)`,
  `(?<what>${P})\\s*(?:が|は)、?\\s*(?:新たに)?(?:追加|新設|導入|削除|変更|改名|修正)され|新しい(?:関数|メソッド|クラス|型|定数)\\s*(?<that>${P})`,
];

/** What a sentence says to have changed though the definition that the model was shown did not. */
export const saidToChange = (marked: MarkedText, isUnchanged: (name: string) => boolean): string[] =>
  patterns
    .flatMap((pattern) => matchAround(marked, pattern))
    .flatMap(({ groups }) => marksIn(marked, `${groups?.what ?? ''}${groups?.that ?? ''}`))
    .filter(({ text }) => isUnchanged(text))
    .map(({ text }) => `\`${text}\` is defined as before: only what uses it changes`);
