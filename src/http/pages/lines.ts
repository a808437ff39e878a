import { contentInLanguage, readArticleAbout } from '../../actions/articles/read-article.ts';
import {
  type Direction,
  type LinesBeside,
  linesBeside,
  mostPartBytes,
  readFilesOfDiff,
} from '../../actions/pull-requests/cite-lines.ts';
import { type Look, seenBy } from '../../actions/repositories/find-repository.ts';
import { LanguageCode } from '../../contract/formats.ts';
import { Type } from '../../contract/type.ts';
import { findArticlePageData, type ShownDiff } from '../../db/article-pages.ts';
import { Failure } from '../../domain/errors.ts';
import { isSameDiff } from '../../domain/pull-requests.ts';
import type { CodeGap } from '../../pages/article/cited-code.ts';
import { linesPage as show } from '../../pages/article/lines.ts';
import { presentArticle } from '../answers/present.ts';
import type { Deps } from '../deps.ts';
import { pullRequestParams } from '../pull-requests.ts';
import { chooseCodeHost, hostQuery } from '../requests/choose-code-host.ts';
import { plainLine, setLines } from './code-lines.ts';
import type { SetBlock } from './highlight.ts';
import { page } from './page.ts';

const mostLines = 40;

const mostIndent = 1_000;

/** Lines that the diff of an article has beside some that it shows. */
export const linesPage = (deps: Deps) =>
  page({
    params: pullRequestParams,
    query: Type.Object({
      ...hostQuery(deps.codeHosts),
      language: Type.Optional(LanguageCode()),
      file: Type.String({ minLength: 1, maxLength: 4_096 }),
      direction: Type.Enum(['above', 'below'], { type: 'string' }),
      side: Type.Enum(['old', 'new'], { type: 'string' }),
      line: Type.Integer({ minimum: 1, maximum: Number.MAX_SAFE_INTEGER }),
      indent: Type.Optional(Type.Integer({ minimum: 0, maximum: mostIndent })),
    }),
    async show({ params, query, viewer, acceptLanguage, contextIn }) {
      const { file, direction, side, line, indent = 0, language } = query;
      const { owner, repo } = params;
      const codeHost = chooseCodeHost(deps.codeHosts, query.host);
      const look: Look = { viewer, now: deps.clock() };
      const address = { codeHost, owner, name: repo, number: params.number };
      const article = await readArticleAbout(deps, address, viewer, look);
      const stored = contentInLanguage(article, {
        asked: language,
        own: viewer?.user?.language,
        acceptLanguage,
      });
      const { languageCode } = stored;
      const data = await findArticlePageData(deps.database, {
        articleId: article.id,
        languageCode,
        fileNames: [file],
        mostPartBytes,
        viewer: seenBy(look),
      });
      const change = data?.change;
      // Lines of another diff would not be those beside what the article shows.
      const diffs = change && isSameDiff(stored, change) ? change.parts : [];
      const found = (await readFilesOfDiff(diffs, new Set([file]))).get(file);
      const beside = found && linesBeside(found, { side, line }, direction, mostLines);
      if (!beside || beside.lines.length === 0)
        throw new Failure('NOT_FOUND', 'The diff of this article has no such lines.');
      const setting = { language: languageOf(file, change), mostIndent: indent };
      const blocks: SetBlock[] = [];
      const set = setLines(blocks, beside.lines.map(plainLine), setting);
      await deps.highlighter.highlight(blocks);
      const { contents, ...presented } = presentArticle(article, [stored]);
      const content = contents[languageCode];
      if (!content) throw new Error('An article was presented without its language.');
      const shown = { file, ...set, beyond: beyond(beside, direction, indent) };
      const ofArticle = { article: presented, content, change: change ?? null };
      return { page: show(contextIn(languageCode), ofArticle, shown) };
    },
  });

const languageOf = (file: string, change: ShownDiff | null | undefined): string | null =>
  change?.files.find(({ fileName }) => fileName === file)?.language ?? null;

function beyond({ lines, left }: LinesBeside, direction: Direction, indent: number): CodeGap | null {
  const last = lines.at(direction === 'above' ? 0 : -1);
  const line = last?.newLine ?? last?.oldLine;
  if (left === 0 || !line) return null;
  const side = last?.newLine === null ? 'old' : 'new';
  return { count: left, lines: null, beside: { direction, side, line, indent: ' '.repeat(indent) } };
}
