import type { Queries } from '../../db/database.ts';
import { deleteModelDrafts } from '../../db/model-drafts.ts';
import {
  deleteModelSettings,
  findModelRevision,
  lockModelSettings,
  saveModelSettings,
} from '../../db/models.ts';
import { type ErrorDetail, Failure } from '../../domain/errors.ts';
import {
  baseUrlOf,
  type ModelAccess,
  type ModelLimits,
  type ModelName,
  type StoredModel,
  type StoredModelSettings,
  usualLimits,
} from '../../domain/model-providers.ts';
import { type SecretKeys, seal, unseal } from '../../domain/secrets.ts';
import { mayOperate, type OperatorDeps } from '../accounts/operators.ts';
import type { Deps, SignedUpViewer } from '../deps.ts';

export interface WantedModel extends ModelName {
  apiKey?: string;
  baseUrl?: string;
}

export interface WantedModelSettings {
  writer: WantedModel;
  /** The second model: the writer if absent, none if null. */
  reader?: WantedModel | null;
  limits?: Partial<ModelLimits>;
}

/** Where the model in use is set. */
export type ModelSource = 'environment' | 'settings' | 'none';

export interface ModelSettingsDeps extends Pick<Deps, 'database' | 'secretKeys' | 'clock'>, OperatorDeps {
  modelSource: () => ModelSource;
  environmentLimits: Partial<ModelLimits>;
}

/** A key is bound to its provider and address, so that it is never sent to another server. */
const bindingOf = ({ provider, baseUrl }: Pick<StoredModel, 'provider' | 'baseUrl'>) => ({
  purpose: 'model key',
  belongsTo: [provider, baseUrl],
});

/** Others do not learn that there are such settings. */
export function requireModelOperator(deps: OperatorDeps, viewer: SignedUpViewer): void {
  if (!mayOperate(deps, viewer)) throw new Failure('NOT_FOUND', 'Nothing was found at this address.');
}

export function requireChangeable(deps: ModelSettingsDeps, viewer: SignedUpViewer): void {
  requireModelOperator(deps, viewer);
  if (deps.modelSource() !== 'environment') return;
  throw new Failure('SET_BY_ENVIRONMENT', 'The model is set by environment variables.', {
    remedy: 'Unset AI_MODEL to set it here.',
  });
}

export function requireLimitsChangeable(
  { environmentLimits }: ModelSettingsDeps,
  limits: Partial<ModelLimits> = {},
): void {
  const fixed: Record<string, unknown> = environmentLimits;
  const refused = Object.entries(limits).filter(([name, limit]) => name in fixed && fixed[name] !== limit);
  if (refused.length === 0) return;
  throw new Failure('SET_BY_ENVIRONMENT', 'Some of these limits are set by environment variables.', {
    remedy: 'Leave them out, or unset the variables to set them here.',
    details: refused.map(([name]) => ({ field: `limits.${name}`, problem: 'is set by the environment' })),
  });
}

/** Sets the models that all processes use from now on. Keys that are not given stay, if provider and address do. */
export async function changeModelSettings(
  deps: ModelSettingsDeps,
  viewer: SignedUpViewer,
  wanted: WantedModelSettings,
): Promise<void> {
  requireChangeable(deps, viewer);
  requireLimitsChangeable(deps, wanted.limits);
  await deps.database.transaction(async (tx) => {
    const settings = settingsFrom(deps, await lockModelSettings(tx), wanted);
    await saveModelSettings(tx, settings, { userId: viewer.user.id, now: deps.clock() });
  });
}

/** The wanted settings as they are stored, with encrypted keys. */
export function settingsFrom(
  { secretKeys }: Pick<Deps, 'secretKeys'>,
  known: StoredModelSettings | null,
  { writer, reader = writer, limits }: WantedModelSettings,
): StoredModelSettings {
  const problems: ErrorDetail[] = [];
  const chosen = {
    writer: toStored(secretKeys, writer, { known, field: 'writer', problems }),
    reader: reader && toStored(secretKeys, reader, { known, field: 'reader', problems }),
  };
  if (problems.length > 0)
    throw new Failure('INVALID_REQUEST', 'These models cannot be called.', { details: problems });
  return withLimits(chosen, known, limits);
}

export function withLimits(
  chosen: Pick<StoredModelSettings, 'writer' | 'reader'>,
  known: StoredModelSettings | null,
  limits: Partial<ModelLimits> = {},
): StoredModelSettings {
  // Whether models may read private repositories is decided again for each new address.
  const isKnown = addressesOf(chosen).every((address) => known && addressesOf(known).includes(address));
  const mayReadPrivate = isKnown && known?.limits.mayReadPrivate === true;
  return { ...chosen, limits: { ...usualLimits, ...known?.limits, mayReadPrivate, ...limits } };
}

const addressesOf = ({ writer, reader }: Pick<StoredModelSettings, 'writer' | 'reader'>): string[] =>
  [writer, reader].flatMap((model) => (model ? [model.baseUrl] : []));

/** With a revision, removes only those settings, so that an old form removes no others. */
export async function removeModelSettings(
  deps: ModelSettingsDeps,
  viewer: SignedUpViewer,
  revision?: string,
): Promise<void> {
  requireChangeable(deps, viewer);
  await deps.database.transaction(async (tx) => {
    await lockModelSettings(tx);
    if (revision !== undefined) await requireRevision(tx, revision);
    await deleteModelSettings(tx);
    await deleteModelDrafts(tx);
  });
}

export async function requireRevision(tx: Queries, revision: string): Promise<void> {
  if ((await findModelRevision(tx)) === revision) return;
  throw new Failure('INVALID_REQUEST', 'The model was changed since this page was loaded.', {
    remedy: 'Open the page again.',
  });
}

/** A wanted model as it is stored, and how to call it. */
export function storedModel(
  keys: SecretKeys,
  wanted: WantedModel,
  known: StoredModelSettings | null,
): { stored: StoredModel; access: ModelAccess } {
  const problems: ErrorDetail[] = [];
  const stored = toStored(keys, wanted, { known, field: 'writer', problems });
  const access = openModel(keys, stored);
  if (problems.length > 0 || !access)
    throw new Failure('INVALID_REQUEST', 'This model cannot be called.', { details: problems });
  return { stored, access };
}

function toStored(
  keys: SecretKeys,
  { provider, name, apiKey, baseUrl: own }: WantedModel,
  { known, field, problems }: { known: StoredModelSettings | null; field: string; problems: ErrorDetail[] },
): StoredModel {
  const address = own === undefined ? undefined : (URL.parse(own) ?? undefined);
  if (provider === 'compatible' && own === undefined)
    problems.push({ field: `${field}.baseUrl`, problem: 'is required for a compatible model' });
  else if (own !== undefined && !address)
    problems.push({ field: `${field}.baseUrl`, problem: 'is not a valid address' });
  const baseUrl = baseUrlOf(provider, address);
  const same = [known?.writer, known?.reader].find(
    (one) => one?.provider === provider && one.baseUrl === baseUrl,
  );
  const sealedKey =
    apiKey === undefined ? (same?.sealedKey ?? null) : seal(keys, bindingOf({ provider, baseUrl }), apiKey);
  const isElsewhere = [known?.writer, known?.reader].some((one) => one?.provider === provider);
  if (apiKey === undefined && same && openModel(keys, same) === null)
    problems.push({ field: `${field}.apiKey`, problem: 'is required again: SECRET_KEYS have changed' });
  else if (sealedKey === null && provider !== 'compatible') {
    const problem = isElsewhere ? 'is required again for another address' : 'is required';
    problems.push({ field: `${field}.apiKey`, problem });
  }
  return { provider, name, baseUrl, isOwnAddress: own !== undefined, sealedKey };
}

/** How to call a stored model; null if its key cannot be decrypted with the secret keys of this process. */
function openModel(keys: SecretKeys, { sealedKey, ...model }: StoredModel): ModelAccess | null {
  const apiKey = sealedKey === null ? undefined : unseal(keys, bindingOf(model), sealedKey);
  return apiKey === null ? null : { ...model, apiKey };
}

export function accessOf(
  keys: SecretKeys,
  { writer, reader }: Pick<StoredModelSettings, 'writer' | 'reader'>,
): { writer: ModelAccess; judge: ModelAccess | null } | null {
  const access = { writer: openModel(keys, writer), judge: reader && openModel(keys, reader) };
  return access.writer && (access.judge || !reader) ? { ...access, writer: access.writer } : null;
}
