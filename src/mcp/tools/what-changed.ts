import { presentSummary } from '../../actions/articles/read-article.ts';
import { requireVisibleRepository } from '../../actions/repositories/find-repository.ts';
import { Flag, List, Text } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { listPathChanges, mostLookedAt, type PathChanges } from '../../db/article-pages.ts';
import { findArticleContents, type PublishedContent } from '../../db/articles.ts';
import { Failure } from '../../domain/errors.ts';
import { matchesPath, plainPath } from '../../domain/repositories.ts';
import { parseMoment } from '../../domain/time.ts';
import { type Said, SaidSentence, sentencesOf } from '../article-sentences.ts';
import { HostName, RepositoryArgument, readName } from '../find-article.ts';
import { type AgentDeps, listParameters, pageAt, takes, tool } from '../tool.ts';
import {
  ListedAnswer,
  listAnswer,
  pieceOfSummary,
  sentenceData,
  sentenceLines,
  shortened,
} from './list-articles.ts';

const most = mostLookedAt.toLocaleString('en');

const mostSentences = 3;

export const whatChanged = (deps: AgentDeps) =>
  tool({
    name: 'what_changed',
    title: 'See what changed in a file or folder',
    description: `Articles about the pull requests that changed a file or folder since a date, newest first. Covers the last ${most} pull requests that this service has read, and lists those without an article. Pull requests that it has not read are not included.`,
    input: takes(
      {
        repository: RepositoryArgument('The repository'),
        path: Type.String({
          minLength: 1,
          maxLength: 1_000,
          description:
            'A file, by its path or the end of its path, or a folder, by its full path; . is the root.',
        }),
        since: Type.String({
          minLength: 10,
          maxLength: 40,
          description: 'A date (UTC) or time, such as 2026-03-01.',
        }),
      },
      { host: HostName, ...listParameters('what it says about the path, its author, type and state') },
    ),
    output: ListedAnswer(
      { sentences: Type.Optional(List(SaidSentence, 'What the article says about the path.')) },
      {
        host: Text('The code host of the repository.'),
        unwritten: List(
          Type.String(),
          'The last pull requests that changed it and have no article, as in owner/repo#7.',
        ),
        unwrittenTotal: Type.Integer({ description: 'Number of those pull requests.' }),
        isComplete: Flag('Whether all pull requests since then that the service has read were looked at.'),
      },
    ),
    async run({ repository: name, host, path, since, language, detail = 'brief', ...paging }, call) {
      const { codeHost, owner, repo } = readName(deps, { text: name, field: 'repository', host });
      const moment = readMoment(since);
      const address = { codeHost, owner, name: repo };
      const look = { viewer: call.viewer, now: deps.clock() };
      const { found: repository, seen } = await requireVisibleRepository(deps, address, look);
      const page = pageAt(paging);
      const { rows, total, ...others } = await listPathChanges(deps.database, {
        ...{ viewer: seen, repositoryId: repository.id, path, since: moment },
        languages: [language, call.viewer?.user?.language].filter((one) => one !== undefined),
        ...page,
      });
      const contents = await findArticleContents(deps.database, {
        viewer: seen,
        articles: detail === 'full' ? rows : [],
      });
      const pieces = rows.map((listed) => {
        const content = contents.get(listed.articleId);
        const sentences = content ? sentencesAbout(content, path) : [];
        const data = detail === 'full' ? { sentences: sentenceData(sentences) } : {};
        const extra = { data, lines: sentenceLines(sentences) };
        return pieceOfSummary(presentSummary(deps.codeHosts)(listed), { deps, call, detail }, extra);
      });
      const what = `Articles about what changed ${shortened(path)} since ${moment.toISOString()}`;
      return listAnswer({
        what,
        pieces,
        total,
        page,
        beside: besideOf({ host: codeHost.id, name: `${owner}/${repo}` }, others),
      });
    },
  });

function besideOf(
  { host, name }: { host: string; name: string },
  { unwritten: numbers, unwrittenTotal, isCut }: Omit<PathChanges, 'rows' | 'total'>,
) {
  const unwritten = numbers.map((number) => `${name}#${number}`);
  const names = `${unwritten.join(', ')}${unwritten.length < unwrittenTotal ? ' and others' : ''}`;
  return {
    data: { host, unwritten, unwrittenTotal, isComplete: !isCut },
    lines: [
      ...(unwrittenTotal > 0
        ? [
            `${unwrittenTotal} more on ${host} changed it and have no article: ${names}. To have one written, call explain_pull_request.`,
          ]
        : []),
      isCut
        ? `This covers only the last ${most} pull requests that were read here. For a complete list, pass a later date.`
        : 'This covers all pull requests since then that were read here.',
    ],
  };
}

function readMoment(since: string): Date {
  const moment = parseMoment(since);
  if (moment) return moment;
  const problem = 'must be an ISO 8601 date or time, such as 2026-03-01 or 2026-03-01T09:30:00Z';
  throw new Failure('INVALID_REQUEST', `since ${problem}.`, { details: [{ field: 'since', problem }] });
}

function sentencesAbout(content: PublishedContent, path: string): Said[] {
  const wanted = plainPath(path);
  const said = sentencesOf(content)
    .map(({ statement }) => statement)
    .filter(({ evidence }) => evidence.some(({ fileName }) => matchesPath(fileName, wanted)));
  return [...new Map(said.map((one) => [one.text, one])).values()].slice(0, mostSentences);
}
