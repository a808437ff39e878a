import { findArticleOfPullRequest } from '../../db/articles.ts';
import type { WorkKey } from '../../db/job-queue.ts';
import { insertTrial } from '../../db/model-trials.ts';
import { findModelSettings } from '../../db/models.ts';
import { Failure } from '../../domain/errors.ts';
import { checkableLanguages } from '../../domain/languages.ts';
import type { StoredModelSettings } from '../../domain/model-providers.ts';
import { confirmDiff, type RequestDeps, refuseUnreadable, requireRoom } from '../articles/request-article.ts';
import type { SignedUpViewer } from '../deps.ts';
import type { RepositoryAddress } from '../repositories/find-repository.ts';
import {
  type ModelSettingsDeps,
  requireModelOperator,
  settingsFrom,
  type WantedModelSettings,
} from './model-settings.ts';

type TrialDeps = ModelSettingsDeps & RequestDeps;

/** The job that asks models once each; null for those in use. */
export async function requestTest(
  deps: TrialDeps,
  models: StoredModelSettings | null,
  viewer: SignedUpViewer,
): Promise<string> {
  requireModels(deps, models, viewer);
  return createTrial(deps, viewer, { models, of: null });
}

function requireModels(deps: TrialDeps, models: StoredModelSettings | null, viewer: SignedUpViewer): void {
  requireModelOperator(deps, viewer);
  if (models || deps.currentModels()) return;
  throw new Failure('INVALID_REQUEST', 'No model is in use.', { remedy: 'Send the models to try.' });
}

interface WantedPreview {
  address: RepositoryAddress;
  number: number;
  /** Null for the viewer's own, or English if articles in it cannot be checked. */
  language: string | null;
}

/** The job that writes the article about a pull request, and publishes nothing. */
export async function requestPreview(
  deps: TrialDeps,
  models: StoredModelSettings | null,
  { address, number, language: requested }: WantedPreview,
  viewer: SignedUpViewer,
): Promise<string> {
  requireModels(deps, models, viewer);
  const { language: own } = viewer.user;
  const language = requested ?? (checkableLanguages.includes(own) ? own : 'en');
  const { id, baseSha, headSha, isPrivate } = await confirmDiff(
    deps,
    { address, number },
    { viewer, watched: null },
  );
  const look = { userId: viewer.user.id, now: deps.clock(), purpose: 'detail' as const };
  if (!(await findArticleOfPullRequest(deps.database, id, look)))
    throw new Failure('ARTICLE_NOT_FOUND', 'Only articles that exist can be previewed. Request it first.');
  requireReadable(isPrivate, models ? { ...models.limits, ...deps.environmentLimits } : deps.currentModels());
  if (!checkableLanguages.includes(language))
    throw new Failure('LANGUAGE_UNAVAILABLE', `Articles in ${language} cannot be checked here.`);
  const of: WorkKey = { pullRequestId: id, baseSha, headSha, languageCode: language, writer: 'ai' };
  await refuseUnreadable(deps, of);
  return createTrial(deps, viewer, { models, of });
}

export function requireReadable(isPrivate: boolean, limits: { mayReadPrivate: boolean } | null): void {
  if (!isPrivate || limits?.mayReadPrivate) return;
  throw new Failure('FORBIDDEN', 'The models may not read private repositories.', {
    remedy: 'Allow it in their limits, or choose another pull request.',
  });
}

async function createTrial(
  { database, clock }: Pick<TrialDeps, 'database' | 'clock'>,
  { user }: SignedUpViewer,
  trial: { models: StoredModelSettings | null; of: WorkKey | null },
): Promise<string> {
  return database.transaction(async (tx) => {
    const id = await insertTrial(tx, { ...trial, userId: user.id }, clock());
    await requireRoom(tx, user.id);
    return id;
  });
}

/** The wanted models as a job has them; null for those in use. */
export async function modelsToTry(
  deps: ModelSettingsDeps,
  wanted: WantedModelSettings | null,
  viewer: SignedUpViewer,
): Promise<StoredModelSettings | null> {
  requireModelOperator(deps, viewer);
  return wanted && settingsFrom(deps, await findModelSettings(deps.database), wanted);
}
