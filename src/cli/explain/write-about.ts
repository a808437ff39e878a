import { type Explained, explainPullRequest } from '../../actions/articles/explain-pull-request.ts';
import type { RunInThread } from '../../actions/articles/thread-tasks.ts';
import { type AnswerHere, answerAboutChange } from '../../actions/questions/answer-about-change.ts';
import { readFromEnvironment } from '../../config.ts';
import type { PublishedContent } from '../../db/articles.ts';
import { StartupProblem } from '../../domain/errors.ts';
import { checkableLanguages } from '../../domain/languages.ts';
import { anyOf } from '../../domain/text.ts';
import { tasks } from '../../threads/tasks.ts';
import { ModelFailure } from '../../writing/ai/model-question.ts';
import { isOfflineLanguage, offlineLanguages } from '../../writing/articles.ts';
import { UsageProblem } from '../command.ts';
import type { openWantedModels } from '../models.ts';
import type { FoundChange } from './read-target.ts';

/** Runs tasks in this thread, because starting another one takes as long as reading most changes. */
export function runHere(): RunInThread {
  return async (name, input, parent) => {
    const task = tasks[name] as (...given: unknown[]) => Promise<never>;
    return task(input, parent);
  };
}

interface Names {
  language: string;
  model: string;
}

export function requireExplainLanguage(given: string, hasModel: boolean, names: Names): void {
  if (isOfflineLanguage(given) || (hasModel && checkableLanguages.includes(given))) return;
  const known = hasModel
    ? `one of ${checkableLanguages.join(', ')}`
    : `${anyOf(offlineLanguages)} without ${names.model}`;
  throw new UsageProblem(`${names.language} must be ${known}.`);
}

type Models = ReturnType<typeof openWantedModels> | null;

export async function writeAbout(
  found: FoundChange,
  languageCode: string,
  models: Models,
): Promise<Explained> {
  return readAbout(found, models, async (options) => {
    const wish = { ...options, languageCode, range: found.range, now: new Date() };
    const explained = await explainPullRequest(runHere(), found.pullRequest, wish);
    const { content } = explained;
    if (!found.isSquashed) return explained;
    return { ...explained, content: { ...content, counts: { ...content.counts, commits: 0 } } };
  });
}

export const answerAbout = (
  found: FoundChange,
  question: string,
  languageCode: string,
  models: Models,
): Promise<AnswerHere> =>
  readAbout(found, models, (options) =>
    answerAboutChange(runHere(), found.pullRequest, question, { ...options, languageCode }),
  );

/** Reads a change with or without models, closes both, and explains what to do if a model fails. */
async function readAbout<Result>(
  { host, owner, repo, linesUrl, tree, close }: FoundChange,
  models: Models,
  read: (options: Omit<Parameters<typeof answerAboutChange>[3], 'languageCode'>) => Promise<Result>,
): Promise<Result> {
  const { maxDiffBytes } = readFromEnvironment(['maxDiffBytes']);
  try {
    return await read({
      host,
      owner,
      repo,
      linesUrl,
      maxDiffBytes,
      wanted: models?.wanted ?? null,
      tree: tree ?? null,
    });
  } catch (error) {
    throw models && error instanceof ModelFailure ? new StartupProblem(models.describeFailure(error)) : error;
  } finally {
    await Promise.all([close(), models?.close()]);
  }
}

export const explainedChange = ({ owner, repo, number, state, pullRequest }: FoundChange) => ({
  owner,
  repo,
  prNumber: number,
  hostPrUrl: pullRequest.url,
  title: pullRequest.title,
  authorLogin: pullRequest.authorLogin,
  state,
});

export async function asMarkdown(found: FoundChange, content: PublishedContent): Promise<string> {
  const { articleMarkdown } = await import('../../writing/article-markdown.ts');
  return articleMarkdown({ ...explainedChange(found), content }, content.languageCode).trimEnd();
}

/** The article as one HTML file, made like those that the service saves. */
export async function asSavedPage(found: FoundChange, { content, files, parts }: Explained): Promise<string> {
  const [{ saveArticle }, { Highlighter }, { Room }, words] = await Promise.all([
    import('../../http/pages/saved.ts'),
    import('../../http/pages/highlight.ts'),
    import('../../pages/html.ts'),
    import('../../pages/words/words.ts'),
  ]);
  const { pullRequest, host, number, state } = found;
  const language = words.interfaceLanguageFor(content.languageCode);
  const unset = { id: '', kind: 'article', pullRequestId: '', totalLikeCount: 0 } as const;
  const { summaryGeneratedAt: createdAt, headSha } = content;
  const article = {
    ...unset,
    ...explainedChange(found),
    host,
    prNumber: number ?? 0,
    state: state ?? 'open',
    headSha,
    hostPrCreatedAt: pullRequest.createdAt.toISOString(),
    mergedAt: pullRequest.mergedAt?.toISOString() ?? null,
    createdAt,
    updatedAt: createdAt,
  };
  const { page } = await saveArticle(
    new Highlighter(runHere()),
    {
      article,
      content: { ...content, likeCount: 0, stale: false },
      isPrivate: false,
      change: { files, parts, isSame: true },
    },
    {
      language,
      words: words.interfaceWords[language],
      viewer: null,
      showsBots: false,
      isReadOnly: false,
      address: '/',
      publicUrl: null,
      firstHost: host,
      writesIn: [],
      contactUrl: null,
      models: null,
      asset: () => '',
      room: new Room(),
    },
  );
  return page.toString();
}
