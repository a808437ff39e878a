import type { ModelAccess } from './domain/model-providers.ts';
import { type ModelSettings, modelAccess } from './settings/model-access.ts';
import { createModel, type Model, type Surroundings as ModelSurroundings } from './writing/ai/model.ts';

interface Settings extends ModelSettings {
  aiContextTokens: number | undefined;
  aiOutputTokens: number;
  aiTimeoutMs: number;
}

interface Surroundings extends Pick<ModelSurroundings, 'metrics'> {
  clock: () => Date;
  /** Lets so many milliseconds pass between tries. */
  wait?: (ms: number, signal: AbortSignal) => Promise<void>;
  /** Opens a way to some origins and nowhere else. */
  connect: (rules: { origins: string[]; mayBePrivate: boolean; patienceMs: number; mostBytes: number }) => {
    fetch: typeof globalThis.fetch;
    close: () => Promise<void>;
  };
}

export interface Models {
  /** What writes articles. */
  writer: Model;
  /** What reads them against the diff once more; null where that is switched off. */
  judge: Model | null;
  /** What reads the parts of large pull requests. */
  partReader: Model;
  close: () => Promise<void>;
}

/** Room for a hundred thousand tokens when each comes in a message of its own. */
const mostBytes = 32 * 1024 * 1024;

/** The models that the settings name, each with a way to its own origin; null where there are none. */
export function openModels(
  settings: Settings,
  { clock, wait, connect, metrics }: Surroundings,
): Models | null {
  const access = modelAccess(settings);
  if (!access) return null;
  const { aiContextTokens: contextTokens, aiOutputTokens: outputTokens, aiTimeoutMs: timeoutMs } = settings;
  const closing: (() => Promise<void>)[] = [];
  const opened = new Map<string, Model>();
  const open = (wanted: ModelAccess): Model => {
    const key = `${wanted.provider}/${wanted.name}`;
    const known = opened.get(key);
    if (known) return known;
    const { fetch, close } = connect({
      origins: [new URL(wanted.baseUrl).origin],
      mayBePrivate: wanted.isOwnAddress,
      patienceMs: timeoutMs,
      mostBytes,
    });
    closing.push(close);
    const model = createModel(
      { ...wanted, contextTokens, outputTokens, timeoutMs },
      { fetch, clock, metrics, ...(wait && { wait }) },
    );
    opened.set(key, model);
    return model;
  };
  return {
    writer: open(access.writer),
    judge: access.judge && open(access.judge),
    partReader: open(access.partReader),
    close: async () => void (await Promise.all(closing.map((close) => close()))),
  };
}
