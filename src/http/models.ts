import type { Static } from 'typebox';
import type { SignedUpViewer } from '../actions/deps.ts';
import {
  changeModelSettings,
  type ModelSettingsDeps,
  removeModelSettings,
  requireModelOperator,
  type WantedModelSettings as Wanted,
  type WantedModel,
} from '../actions/models/model-settings.ts';
import { modelsToTry, requestPreview, requestTest } from '../actions/models/request-trial.ts';
import { Nothing, ref } from '../contract/formats.ts';
import { Job } from '../contract/jobs.ts';
import {
  limitNames,
  ModelSettings,
  previewBody,
  TestedModels,
  WantedModelSettings,
} from '../contract/models.ts';
import { findModelUsage } from '../db/model-usage.ts';
import { allTokensQuota, countQuota, tokensOfMonthQuota } from '../db/quotas.ts';
import type { ModelAccess } from '../domain/model-providers.ts';
import { utcMonth } from '../domain/time.ts';
import type { Deps } from './deps.ts';
import { endpoint } from './endpoint.ts';
import { jobFinders } from './jobs.ts';
import { hostQuery, requestedAddress } from './requests/choose-code-host.ts';
import { accepted, ok } from './responses/response.ts';

type SettingsDeps = ModelSettingsDeps &
  Pick<Deps, 'currentModels' | 'reloadModels' | 'findLocalModels' | 'listViewer'>;

const tag = 'Models';

const present = ({ provider, name: model, baseUrl }: Omit<ModelAccess, 'apiKey' | 'isOwnAddress'>) => ({
  provider,
  model,
  baseUrl,
});

async function presentUsage(
  { database, listViewer }: SettingsDeps,
  viewer: SignedUpViewer,
): Promise<ModelSettings['usage']> {
  const scope = listViewer(viewer);
  const { byRepository, byUser } = await findModelUsage(database, scope);
  const withCost = <Used extends { costUsd: number | null }>({ costUsd, ...used }: Used) => ({
    ...used,
    ...(costUsd !== null && { estimatedCostUsd: costUsd }),
  });
  return {
    month: utcMonth(scope.now).slice(0, 7),
    tokensToday: await countQuota(database, allTokensQuota, scope.now),
    tokensThisMonth: await countQuota(database, tokensOfMonthQuota, scope.now),
    byRepository: byRepository.map(withCost),
    byUser: byUser.map(withCost),
  };
}

export async function presentSettings(deps: SettingsDeps, viewer: SignedUpViewer): Promise<ModelSettings> {
  const models = deps.currentModels();
  const source = deps.modelSource();
  return {
    source,
    isKeyUnreadable: source === 'settings' && models === null,
    writer: models && present(models.writer),
    reader: models?.judge ? present(models.judge) : null,
    local: models ? [] : await deps.findLocalModels(),
    limits: models && {
      tokensPerDay: models.tokensPerDay,
      tokensPerMonth: models.tokensPerMonth,
      articlesPerDay: models.articlesPerDay,
      mayReadPrivate: models.mayReadPrivate,
      setByEnvironment: limitNames.filter((name) => name in deps.environmentLimits),
    },
    usage: await presentUsage(deps, viewer),
  };
}

export const getModelSettings = (deps: SettingsDeps) =>
  endpoint({
    operationId: 'describeModels',
    summary: 'Get the models in use, and their usage',
    description:
      'For operators; others get 404. Keys are never shown. Repositories that you do not see are summed up in one row without a name. Without a model, lists the model servers on the machine of the service.',
    tag,
    access: 'user',
    data: ref(ModelSettings),
    success: { 200: 'The models in use.' },
    failures: ['NOT_FOUND'],
    async handle({ viewer }) {
      requireModelOperator(deps, viewer);
      return ok(await presentSettings(deps, viewer));
    },
  });

const settingsIn = ({ writer, reader, limits }: Static<typeof WantedModelSettings>): Wanted => ({
  writer: toWanted(writer),
  ...(reader !== undefined && { reader: reader && toWanted(reader) }),
  ...(limits && { limits }),
});

const toWanted = ({ model: name, ...wanted }: Static<typeof WantedModelSettings>['writer']): WantedModel => ({
  ...wanted,
  name,
});

export const putModelSettings = (deps: SettingsDeps) =>
  endpoint({
    operationId: 'setModels',
    summary: 'Set the models that write and read',
    description:
      'For operators; others get 404. Every process uses them within two seconds, without a restart; what is being written is finished by the models it began with. Keys are stored encrypted and bound to provider and address. Settings of the environment win: with those, the response is 409.',
    tag,
    access: 'user',
    body: WantedModelSettings,
    data: ref(ModelSettings),
    success: { 200: 'These models write from now on.' },
    failures: ['NOT_FOUND', 'SET_BY_ENVIRONMENT'],
    async handle({ body, viewer }) {
      await changeModelSettings(deps, viewer, settingsIn(body));
      await deps.reloadModels();
      return ok(await presentSettings(deps, viewer));
    },
  });

export const deleteModelSettings = (deps: SettingsDeps) =>
  endpoint({
    operationId: 'removeModels',
    summary: 'Write without a model',
    description: 'For operators; others get 404. Deletes the stored keys. Articles stay as they are.',
    tag,
    access: 'user',
    data: Nothing,
    success: { 200: 'Articles are written without a model from now on.' },
    failures: ['NOT_FOUND', 'SET_BY_ENVIRONMENT'],
    async handle({ viewer }) {
      await removeModelSettings(deps, viewer);
      await deps.reloadModels();
      return ok({});
    },
  });

/** Null to try the models in use. */
/** Ceilings stay those in force. */
const triedIn = ({ writer, limits, ...others }: Static<typeof TestedModels>): Wanted | null =>
  writer ? settingsIn({ writer, ...others, ...(limits && { limits: pickMayReadPrivate(limits) }) }) : null;

const pickMayReadPrivate = ({ mayReadPrivate }: NonNullable<Static<typeof TestedModels>['limits']>) =>
  mayReadPrivate === undefined ? {} : { mayReadPrivate };

export const postModelTest = (deps: Deps) => {
  const finders = jobFinders(deps);
  return endpoint({
    operationId: 'testModels',
    summary: 'Test models',
    description:
      'For operators; others get 404. Asks the writer for an article about a sample, and the second model to judge five false and five true sentences, once each and within 30 seconds. Without `writer`, tests the models in use. Keys are stored encrypted while the test runs, and then deleted.',
    tag,
    access: 'user',
    body: TestedModels,
    data: ref(Job),
    success: { 202: 'The models are being tested. Returns the job, which is also linked in `Location`.' },
    failures: ['NOT_FOUND'],
    async handle({ body, viewer, request, reply }) {
      const id = await requestTest(deps, await modelsToTry(deps, triedIn(body), viewer), viewer);
      reply.header('location', `/jobs/${id}`);
      const job = await finders.requireJob(id, { viewer, now: deps.clock() });
      return accepted(await finders.present(job, request.id), 'The models are being tested.');
    },
  });
};

export const postModelPreview = (deps: Deps) => {
  const finders = jobFinders(deps);
  return endpoint({
    operationId: 'previewArticle',
    summary: 'Preview an article by other models',
    description:
      'For operators; others get 404. Writes about a pull request that has an article, with the rights of the caller, and publishes nothing. Without `writer`, uses the models in use. Private repositories only with `mayReadPrivate`. Counts against the tokens per day.',
    tag,
    access: 'user',
    body: previewBody(hostQuery(deps.codeHosts)),
    data: ref(Job),
    success: { 202: 'The article is being written. Returns the job, which is also linked in `Location`.' },
    failures: [
      'NOT_FOUND',
      'REPOSITORY_NOT_FOUND',
      'PULL_REQUEST_NOT_FOUND',
      'ARTICLE_NOT_FOUND',
      'LANGUAGE_UNAVAILABLE',
      'FORBIDDEN',
      'UNREADABLE',
    ],
    async handle({ body: { host, owner, repo, number, language, ...tried }, viewer, request, reply }) {
      const address = requestedAddress(deps.codeHosts, { owner, repo }, { host });
      const wish = { address, number, language: language ?? null };
      const models = await modelsToTry(deps, triedIn(tried), viewer);
      const id = await requestPreview(deps, models, wish, viewer);
      reply.header('location', `/jobs/${id}`);
      const job = await finders.requireJob(id, { viewer, now: deps.clock() });
      return accepted(await finders.present(job, request.id), 'The article is being written.');
    },
  });
};
