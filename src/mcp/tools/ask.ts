import { saidOfLanguage } from '../../actions/articles/request-article.ts';
import { Flag, record } from '../../contract/formats.ts';
import { type Answer, longestAsked } from '../../contract/questions.ts';
import { Type } from '../../contract/type.ts';
import { markOf } from '../article-sentences.ts';
import { HostName, PullRequestName, readPullRequestName } from '../find-article.ts';
import {
  type AgentDeps,
  inShort,
  Language,
  Notice,
  notice,
  type Piece,
  patienceMs,
  requireUser,
  takeFitting,
  takes,
  tool,
} from '../tool.ts';

const longestSentence = 600;
const longestPath = 200;
const mostPlaces = 5;

const Statements = Type.Array(
  record({
    text: Type.String(),
    basis: Type.String(),
    places: Type.Array(
      record({
        file: Type.String(),
        side: Type.String(),
        startLine: Type.Integer(),
        endLine: Type.Integer(),
      }),
    ),
  }),
);

export const askAboutPullRequest = (deps: AgentDeps) =>
  tool({
    name: 'ask_about_pull_request',
    title: 'Ask about a pull request',
    description:
      'Answers a question from the diff and what people wrote about it; every sentence is checked. isSearch: no model answered; these are the lines that match best. found false: the change does not show it. isAnswered false: call again. With a model, counts against your quota. Needs a token.',
    isForUsers: true,
    writes: true,
    input: takes(
      {
        pullRequest: PullRequestName('The pull request'),
        question: Type.String({ minLength: 1, maxLength: longestAsked }),
      },
      { host: HostName, language: Language },
    ),
    output: record({
      notice: Notice,
      isAnswered: Flag('Whether there is an answer.'),
      found: Type.Optional(Type.Boolean()),
      isSearch: Type.Optional(Type.Boolean()),
      statements: Type.Optional(Statements),
    }),
    async run({ pullRequest, question, host, language }, call) {
      const viewer = requireUser(call);
      const named = readPullRequestName(deps, { text: pullRequest, field: 'pullRequest', host });
      const { codeHost, owner, repo, number } = named;
      const asked = { codeHost, owner, name: repo, number, question };
      const signal = AbortSignal.any([call.signal, AbortSignal.timeout(patienceMs)]);
      const wish = { ...asked, language: language ?? null };
      const answer = await deps.answerQuestion(wish, viewer, signal);
      if (!answer)
        return {
          text: `The question about ${owner}/${repo}#${number} is still being answered. Call ask_about_pull_request again with the same arguments.`,
          data: { notice, isAnswered: false },
        };
      const note = saidOfLanguage(wish.language, viewer.user, answer.languageCode).trim();
      const told = tellAnswer(answer);
      return { ...told, text: [note, told.text].filter(Boolean).join('\n\n') };
    },
  });

function tellAnswer({ owner, repo, prNumber, found, writer, statements }: Answer) {
  const isSearch = writer.kind === 'offline';
  const label = isSearch
    ? 'Search result: lines and words, not an answer'
    : found
      ? 'Answer'
      : 'The change does not show this';
  const said = takeFitting(statements.map(pieceOfStatement), [notice, notice, label]);
  const lines = said.map(({ text }) => text).join('\n');
  return {
    text: `${notice}\n\n${label} (${owner}/${repo}#${prNumber}):\n${lines}`,
    data: { notice, isAnswered: true, found, isSearch, statements: said.map(({ data }) => data) },
  };
}

function pieceOfStatement(statement: Answer['statements'][number]): Piece<object> {
  const { basis, evidence } = statement;
  const text = inShort(statement.text, longestSentence);
  const places = evidence.slice(0, mostPlaces).map(({ fileName, side, startLine, endLine }) => ({
    file: inShort(fileName, longestPath),
    side,
    startLine,
    endLine,
  }));
  const where = places.map(({ file, side, startLine, endLine }) => {
    const lines = startLine === endLine ? `${startLine}` : `${startLine}-${endLine}`;
    return `\n  ${file}:${lines}${side === 'old' ? ' before the change' : ''}`;
  });
  return { text: `- ${markOf(statement)}${text}${where.join('')}`, data: { text, basis, places } };
}
