import { explainPullRequest } from '../../actions/articles/explain-pull-request.ts';
import { readFromEnvironment } from '../../config.ts';
import type { PublishedContent } from '../../db/articles.ts';
import { StartupProblem } from '../../domain/errors.ts';
import { checkableLanguages } from '../../domain/languages.ts';
import { ModelFailure } from '../../writing/ai/model-failure.ts';
import { isOfflineLanguage, offlineLanguages } from '../../writing/languages.ts';
import { UsageProblem } from '../command.ts';
import type { FoundChange } from './read-target.ts';
import { runHere } from './run-here.ts';
import type { openWantedModels } from './wanted-models.ts';

/** What is chosen where a language and a model are: options of a command, or inputs of an action. */
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

/** Writes about what was found, by models where some are given, and lets go of both. */
export async function writeAbout(
  found: FoundChange,
  languageCode: string,
  models: ReturnType<typeof openWantedModels> | null,
): Promise<PublishedContent> {
  const { host, owner, repo, pullRequest, isSquashed, linesUrl } = found;
  const { maxDiffBytes } = readFromEnvironment(['maxDiffBytes']);
  const wanted = models?.wanted ?? null;
  const asked = { host, owner, repo, languageCode, maxDiffBytes, linesUrl, now: new Date(), wanted };
  try {
    const content = await explainPullRequest(runHere(), pullRequest, asked);
    return isSquashed ? { ...content, counts: { ...content.counts, commits: 0 } } : content;
  } catch (error) {
    throw models && error instanceof ModelFailure ? new StartupProblem(models.describeFailure(error)) : error;
  } finally {
    await Promise.all([found.close(), models?.close()]);
  }
}

/** What was found, as an article names it. */
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
