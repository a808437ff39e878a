import {
  chooseInModelDraft,
  deleteModelDraft,
  findModelDraft,
  type ModelDraft,
  saveModelDraft,
} from '../../db/model-drafts.ts';
import { findModelSettings, lockModelSettings, saveModelSettings } from '../../db/models.ts';
import { Failure } from '../../domain/errors.ts';
import {
  type ListedModels,
  type ModelAccess,
  type ModelLimits,
  type ModelProblem,
  type Provider,
  type StoredModelSettings,
  suggestModels,
} from '../../domain/model-providers.ts';
import type { SignedUpViewer } from '../deps.ts';
import {
  type ModelSettingsDeps,
  requireChangeable,
  requireLimitsChangeable,
  requireRevision,
  storedModel,
  withLimits,
} from './model-settings.ts';

export interface ConnectDeps extends ModelSettingsDeps {
  listModels: (access: Omit<ModelAccess, 'name'>) => Promise<ListedModels>;
}

interface WantedConnection {
  provider: Provider;
  apiKey: string | undefined;
  baseUrl: string | undefined;
}

/**
 * Keeps a key for an operator who chooses from the models of its provider. It is stored as in the settings, encrypted
 * and bound to provider and address, so that the next request can be answered by any process, and no page contains it.
 */
export async function connectModel(
  deps: ConnectDeps,
  viewer: SignedUpViewer,
  { provider, apiKey, baseUrl }: WantedConnection,
): Promise<ModelProblem | null> {
  requireChangeable(deps, viewer);
  const { database, secretKeys, clock, listModels } = deps;
  const known = await findModelSettings(database);
  const wanted = {
    provider,
    name: '',
    ...(apiKey !== undefined && { apiKey }),
    ...(baseUrl !== undefined && { baseUrl }),
  };
  const { stored, access } = storedModel(secretKeys, wanted, known);
  const { models, problem } = await listModels(access);
  if (problem) return problem;
  const { name: _, ...connection } = stored;
  const draft = { ...connection, models, ...suggestModels(provider, models), mayReadPrivate: false };
  await saveModelDraft(database, draft, { userId: viewer.user.id, now: clock() });
  return null;
}

export interface ChosenInDraft {
  id: string;
  writer: string;
  /** Null for none. */
  reader: string | null;
  mayReadPrivate: boolean;
}

const outdated = () =>
  new Failure('INVALID_REQUEST', 'This form is outdated.', { remedy: 'Open the page again.' });

async function requireDraft(
  deps: ModelSettingsDeps,
  viewer: SignedUpViewer,
  id: string,
): Promise<ModelDraft> {
  requireChangeable(deps, viewer);
  const draft = await findModelDraft(deps.database, viewer.user.id);
  if (draft?.id !== id) throw outdated();
  return draft;
}

const settingsOf = (
  { provider, baseUrl, isOwnAddress, sealedKey }: ModelDraft,
  { writer, reader }: ChosenInDraft,
): Pick<StoredModelSettings, 'writer' | 'reader'> => {
  const model = (name: string) => ({ provider, name, baseUrl, isOwnAddress, sealedKey });
  return { writer: model(writer), reader: reader === null ? null : model(reader) };
};

/** The models chosen in a draft, to be tried; the choice is kept. */
export async function chooseModels(
  deps: ModelSettingsDeps,
  viewer: SignedUpViewer,
  { id, ...chosen }: ChosenInDraft,
): Promise<StoredModelSettings> {
  const draft = await requireDraft(deps, viewer, id);
  await chooseInModelDraft(deps.database, { id, chosen, userId: viewer.user.id, now: deps.clock() });
  const { mayReadPrivate } = chosen;
  return withLimits(settingsOf(draft, { id, ...chosen }), await findModelSettings(deps.database), {
    mayReadPrivate,
  });
}

/** Writes with the chosen models from now on, and forgets the draft, so that the same form changes nothing again. */
export async function applyModels(
  deps: ModelSettingsDeps,
  viewer: SignedUpViewer,
  chosen: ChosenInDraft,
): Promise<void> {
  const draft = await requireDraft(deps, viewer, chosen.id);
  const { mayReadPrivate } = chosen;
  await deps.database.transaction(async (tx) => {
    const known = await lockModelSettings(tx);
    const userId = viewer.user.id;
    if (!(await deleteModelDraft(tx, { userId, id: chosen.id }))) throw outdated();
    const settings = withLimits(settingsOf(draft, chosen), known, { mayReadPrivate });
    await saveModelSettings(tx, settings, { userId, now: deps.clock() });
  });
}

export async function dropDraft(deps: ModelSettingsDeps, viewer: SignedUpViewer, id: string): Promise<void> {
  await requireDraft(deps, viewer, id);
  await deleteModelDraft(deps.database, { userId: viewer.user.id, id });
}

/** Changes the limits of the stored models. */
export async function changeModelLimits(
  deps: ModelSettingsDeps,
  viewer: SignedUpViewer,
  { limits, revision }: { limits: Partial<ModelLimits>; revision: string },
): Promise<void> {
  requireChangeable(deps, viewer);
  requireLimitsChangeable(deps, limits);
  await deps.database.transaction(async (tx) => {
    const known = await lockModelSettings(tx);
    await requireRevision(tx, revision);
    if (!known) throw outdated();
    const settings = { ...known, limits: { ...known.limits, ...limits } };
    await saveModelSettings(tx, settings, { userId: viewer.user.id, now: deps.clock() });
  });
}
