import type { Static } from 'typebox';
import {
  changeModelSettings,
  type ModelSettingsDeps,
  removeModelSettings,
  requireModelOperator,
  type WantedModel,
} from '../actions/models/model-settings.ts';
import { Nothing, ref } from '../contract/formats.ts';
import { ModelSettings, WantedModelSettings } from '../contract/models.ts';
import type { ModelAccess } from '../domain/model-providers.ts';
import type { Deps } from './deps.ts';
import { endpoint } from './endpoint.ts';
import { ok } from './responses/response.ts';

type SettingsDeps = ModelSettingsDeps & Pick<Deps, 'currentModels' | 'reloadModels' | 'findLocalModels'>;

const tag = 'Models';

const present = ({ provider, name: model, baseUrl }: Omit<ModelAccess, 'apiKey' | 'isOwnAddress'>) => ({
  provider,
  model,
  baseUrl,
});

async function presentSettings(deps: SettingsDeps): Promise<ModelSettings> {
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
      articlesPerDay: models.articlesPerDay,
      mayReadPrivate: models.mayReadPrivate,
    },
  };
}

export const getModelSettings = (deps: SettingsDeps) =>
  endpoint({
    operationId: 'describeModels',
    summary: 'Get the models in use',
    description:
      'For operators; others get 404. Keys are never shown. Without a model, lists the model servers on the machine of the service.',
    tag,
    access: 'user',
    data: ref(ModelSettings),
    success: { 200: 'The models in use.' },
    failures: ['NOT_FOUND'],
    async handle({ viewer }) {
      requireModelOperator(deps, viewer);
      return ok(await presentSettings(deps));
    },
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
    async handle({ body: { writer, reader, limits }, viewer }) {
      const wanted = {
        writer: toWanted(writer),
        ...(reader !== undefined && { reader: reader && toWanted(reader) }),
        ...(limits && { limits }),
      };
      await changeModelSettings(deps, viewer, wanted);
      await deps.reloadModels();
      return ok(await presentSettings(deps));
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
