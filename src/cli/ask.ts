import { longestAsked } from '../contract/answer.ts';
import { defineCommand, flag, printJson, text, UsageProblem } from './command.ts';
import { describeTerminal, helpOfChanges, nameOf, openChange, showLines } from './explain/explain.ts';
import { answerAbout, requireLanguage, subjectOf } from './explain/write-about.ts';

/** A number, OWNER/REPO#7 or an address alone is a change whose question was forgotten. */
const isChange = /^(?:(?:\S+[#!])?\d+|https?:\/\/\S+)$/;

export const ask = defineCommand({
  help: [
    'Usage: pullquote ask [TARGET] QUESTION [--json] [--language CODE] [--ai] [--host ID]',
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
  options: { json: flag, language: { type: 'string', default: 'en' }, ai: flag, host: text },
  async run({ json, language, ai, host }, positionals) {
    const question = positionals.at(-1) ?? '';
    if (positionals.length === 0 || positionals.length > 2)
      throw new UsageProblem('Pass one question in quotes, preceded by at most one change.');
    if (question.trim() === '' || question.length > longestAsked)
      throw new UsageProblem(`The question must have 1 to ${longestAsked} characters.`);
    if (positionals.length === 1 && isChange.test(question))
      throw new UsageProblem(`Add a question, as in: pullquote ask ${question} "…".`);
    requireLanguage(language, ai, { language: '--language', model: '--ai' });
    const { found, models } = await openChange(positionals.at(-2), { host, ai });
    const answer = await answerAbout(found, question, language, models);
    if (json) return printJson({ ...subjectOf(found), ...answer });
    const { answerLines } = await import('./explain/terminal-answer.ts');
    const name = [nameOf(found), found.pullRequest.title].filter(Boolean).join(' · ');
    await showLines(answerLines(describeTerminal(process.stdout), name, answer), process.stdout);
  },
});
