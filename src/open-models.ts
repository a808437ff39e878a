import { type ModelSettings, modelAccess } from './settings/model-access.ts';
import { createModel, type Model } from './writing/ai/model.ts';

interface Settings extends ModelSettings {
  aiContextTokens: number | undefined;
  aiOutputTokens: number;
  aiTimeoutMs: number;
}

interface Surroundings {
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
  close: () => Promise<void>;
}

/** Room for a hundred thousand tokens when each comes in a message of its own. */
const mostBytes = 32 * 1024 * 1024;

/** The models that the settings name, each with a way to its own origin; null where there are none. */
export function openModels(settings: Settings, { clock, wait, connect }: Surroundings): Models | null {
  const { writer, judge } = modelAccess(settings);
  if (!writer) return null;
  const { aiContextTokens: contextTokens, aiOutputTokens: outputTokens, aiTimeoutMs: timeoutMs } = settings;
  const closing: (() => Promise<void>)[] = [];
  const open = (access: typeof writer): Model => {
    const { fetch, close } = connect({
      origins: [new URL(access.baseUrl).origin],
      mayBePrivate: access.isOwnAddress,
      patienceMs: timeoutMs,
      mostBytes,
    });
    closing.push(close);
    return createModel(
      { ...access, contextTokens, outputTokens, timeoutMs },
      { fetch, clock, ...(wait && { wait }) },
    );
  };
  const opened = open(writer);
  const isSame = judge?.provider === writer.provider && judge.name === writer.name;
  return {
    writer: opened,
    judge: isSame ? opened : judge && open(judge),
    close: async () => void (await Promise.all(closing.map((close) => close()))),
  };
}
