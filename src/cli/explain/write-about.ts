import { explainPullRequest } from '../../actions/articles/explain-pull-request.ts';
import type { RunInThread } from '../../actions/articles/thread-tasks.ts';
import { readFromEnvironment } from '../../config.ts';
import type { PublishedContent } from '../../db/articles.ts';
import { StartupProblem } from '../../domain/errors.ts';
import { checkableLanguages } from '../../domain/languages.ts';
import { tasks } from '../../threads/tasks.ts';
import { ModelFailure } from '../../writing/ai/model-question.ts';
import { isOfflineLanguage, offlineLanguages } from '../../writing/written-article.ts';
import { UsageProblem } from '../command.ts';
import type { openWantedModels } from '../models.ts';
import type { FoundChange } from './read-target.ts';

/** In this thread: another one would take as long to start as most changes take to read. */
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

export function requireLanguage(given: string, hasModel: boolean, names: Names): void {
  if (isOfflineLanguage(given) || (hasModel && checkableLanguages.includes(given))) return;
  const known = hasModel
    ? `one of ${checkableLanguages.join(', ')}`
    : `${offlineLanguages.join(' or ')} without ${names.model}`;
  throw new UsageProblem(`${names.language} must be ${known}.`);
}

export async function writeAbout(
  found: FoundChange,
  languageCode: string,
  models: ReturnType<typeof openWantedModels> | null,
): Promise<PublishedContent> {
  const { host, owner, repo, pullRequest, isSquashed, linesUrl } = found;
  const { maxDiffBytes } = readFromEnvironment(['maxDiffBytes']);
  const wanted = models?.wanted ?? null;
  const options = { host, owner, repo, languageCode, maxDiffBytes, linesUrl, now: new Date(), wanted };
  try {
    const content = await explainPullRequest(runHere(), pullRequest, options);
    return isSquashed ? { ...content, counts: { ...content.counts, commits: 0 } } : content;
  } catch (error) {
    throw models && error instanceof ModelFailure ? new StartupProblem(models.describeFailure(error)) : error;
  } finally {
    await Promise.all([found.close(), models?.close()]);
  }
}

export const subjectOf = ({ owner, repo, number, state, pullRequest }: FoundChange) => ({
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
  return articleMarkdown({ ...subjectOf(found), content }, content.languageCode).trimEnd();
}
