import type { AnswerHere } from '../actions/questions/answer-about-change.ts';
import { longestAsked } from '../contract/questions.ts';
import { type ArticleWords, articleWordsFor, judgementWord } from '../domain/article-words.ts';
import { defineCommand, flag, printJson, text, UsageProblem } from './command.ts';
import { changeName, describeTerminal, helpOfChanges, openChange, showLines } from './explain/explain.ts';
import { safeLine, styled, type Terminal, wrap } from './explain/terminal-article.ts';
import { answerAbout, explainedChange, requireExplainLanguage } from './explain/write-about.ts';

/** A single parameter such as 7, OWNER/REPO#7 or a URL is a change without a question. */
const isChange = /^(?:(?:\S+[#!])?\d+|https?:\/\/\S+)$/;

export const ask = defineCommand({
  help: [
    'Usage: pullquote ask [TARGET] QUESTION [--json] [--language CODE] [--ai] [--host ID] [--committed]',
    '',
    'Answers a question about a change and prints the lines that support the answer. With --ai, your model answers, and every',
    'sentence is checked. Without --ai, it only searches, and prints the lines and words that match best.',
    '',
    'TARGET is one of:',
    ...helpOfChanges.targets,
    '',
    `QUESTION can be up to ${longestAsked} characters long. Put it in quotes.`,
    '',
    '  --json            print JSON',
    helpOfChanges.committed,
    helpOfChanges.language,
    '  --ai              have the model in AI_MODEL answer; this sends the change to the model, even if it is private',
    helpOfChanges.host,
    '',
    'Examples:',
    '  pullquote ask 7 "does it change the default?"',
    '  pullquote ask "which functions are new?" --ai',
    '',
    ...helpOfChanges.settings,
    '',
    'Exit codes: 0 answered or nothing found, 1 failed, 2 invalid arguments, 4 the host needs a token, 130 stopped with Ctrl-C.',
  ],
  allowPositionals: true,
  options: { json: flag, language: { type: 'string', default: 'en' }, ai: flag, committed: flag, host: text },
  async run({ json, language, ai, committed, host }, positionals) {
    const question = positionals.at(-1) ?? '';
    if (positionals.length === 0 || positionals.length > 2)
      throw new UsageProblem('Pass one question in quotes, preceded by at most one change.');
    if (question.trim() === '' || question.length > longestAsked)
      throw new UsageProblem(`The question must have 1 to ${longestAsked} characters.`);
    if (positionals.length === 1 && isChange.test(question))
      throw new UsageProblem(`Add a question, as in: pullquote ask ${question} "…".`);
    requireExplainLanguage(language, ai, { language: '--language', model: '--ai' });
    const { found, models } = await openChange(positionals.at(-2), { host, ai, committed });
    const answer = await answerAbout(found, question, language, models);
    if (json) return printJson({ ...explainedChange(found), ...answer });
    const name = [changeName(found), found.pullRequest.title].filter(Boolean).join(' · ');
    await showLines(answerLines(describeTerminal(process.stdout), name, answer), process.stdout);
  },
});

const words: Record<ArticleWords['code'], { search: string; notShown: string }> = {
  en: {
    search: 'Search result: lines and words, not an answer. With --ai, a model answers.',
    notShown: 'The change does not show this.',
  },
  ja: {
    search: '検索結果：行と文（回答ではありません）。--ai を付けるとモデルが回答します。',
    notShown: 'この変更からは分かりません。',
  },
};

const signs = { context: ' ', added: '+', removed: '-' };
const styles = { context: 'dim', added: 'green', removed: 'red' } as const;

/** An answer for the terminal: each sentence with the place of its lines and, if a model wrote it, the lines. */
export function answerLines(terminal: Terminal, name: string, answer: AnswerHere): string[] {
  const { question, languageCode, found, statements, writer } = answer;
  const inArticle = articleWordsFor(languageCode);
  const { code, colon } = inArticle;
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
  for (const statement of statements) {
    const { text, evidence, lines: cited } = statement;
    const word = judgementWord(inArticle, statement);
    lines.push('');
    say(word ? `${word}${colon}${text}` : text, undefined, '  ', '- ');
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
