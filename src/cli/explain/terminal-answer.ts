import type { AnswerHere } from '../../actions/questions/answer-about-change.ts';
import { type ArticleWords, articleWordsFor } from '../../domain/article-words.ts';
import { safeLine, styled, type Terminal, wrap } from './terminal-article.ts';

const words: Record<ArticleWords['code'], { search: string; notShown: string }> = {
  en: {
    search: 'Search result, not an answer. With --ai, a model answers.',
    notShown: 'The change does not show this.',
  },
  ja: {
    search: '検索結果です（回答ではありません）。--ai を付けるとモデルが回答します。',
    notShown: 'この変更からは分かりません。',
  },
};

const signs = { context: ' ', added: '+', removed: '-' };
const styles = { context: 'dim', added: 'green', removed: 'red' } as const;

/** An answer for the terminal: each sentence, with where its lines are and, where a model wrote it, the lines. */
export function answerLines(terminal: Terminal, name: string, answer: AnswerHere): string[] {
  const { question, languageCode, found, statements, writer } = answer;
  const { code, judgement, colon } = articleWordsFor(languageCode);
  const isByModel = writer.kind === 'ai';
  const lines: string[] = [];
  const say = (text: string, style?: Parameters<typeof styled>[1], indent = '', first = indent): void => {
    for (const [at, line] of wrap(safeLine(text, terminal), terminal.columns - indent.length).entries()) {
      const whole = `${at === 0 ? first : indent}${line}`;
      lines.push(style ? styled(whole, style, terminal) : whole);
    }
  };
  say(question, 'bold');
  say(name, 'dim');
  lines.push('');
  if (!isByModel) say(words[code].search, 'yellow');
  else if (!found) say(words[code].notShown, 'yellow');
  for (const { text, basis, evidence, lines: cited } of statements) {
    lines.push('');
    say(basis === 'judgement' ? `${judgement}${colon}${text}` : text, undefined, '  ', '- ');
    for (const [at, { fileName, startLine, endLine, side }] of evidence.entries()) {
      const range = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
      say(`${fileName}:${side === 'old' ? '−' : ''}${range}`, 'cyan', '    ');
      if (!isByModel) continue;
      for (const line of cited[at] ?? [])
        say(line.text.replace(/\r$/, ''), styles[line.side], '      ', `    ${signs[line.side]} `);
    }
  }
  return lines;
}
