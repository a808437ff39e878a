import {
  environmentOf,
  type ListedModels,
  type LocalModels,
  type ModelAccess,
  type ModelProblem,
  type Provider,
} from './domain/model-providers.ts';
import { createEgressClient } from './egress/egress-client.ts';

type Network = Parameters<typeof createEgressClient>[0];

const localServers = [
  { server: 'Ollama', port: 11434 },
  { server: 'LM Studio', port: 1234 },
  { server: 'llama.cpp', port: 8080 },
];

/** Servers on this machine respond at once. */
const localPatienceMs = 300;

/**
 * Finds model servers on usual ports of this machine. They are only suggested: the only request sent to them lists
 * their models.
 */
export async function findLocalModels(network: Network, servers = localServers): Promise<LocalModels[]> {
  const found = await Promise.all(
    servers.map(async ({ server: name, port }): Promise<LocalModels[]> => {
      const origin = `http://127.0.0.1:${port}`;
      const { fetch, close } = createEgressClient(network, {
        origins: [origin],
        mayBePrivate: true,
        patienceMs: localPatienceMs,
        mostBytes: 256 * 1024,
      });
      try {
        const ask = () => fetch(`${origin}/v1/models`, { signal: AbortSignal.timeout(localPatienceMs) });
        // Tried twice, because loading the client may take as long as the timeout.
        const reply = await ask().catch(ask);
        const models = reply.ok ? writersAmong(await reply.json()) : [];
        return models.length > 0 ? [{ name, baseUrl: `${origin}/v1`, models }] : [];
      } catch {
        return [];
      } finally {
        await close();
      }
    }),
  );
  return found.flat();
}

const mostListed = 200;

const notWriters =
  /embed|rerank|whisper|\btts\b|dall-e|image|audio|realtime|moderation|transcri|babbage|davinci|sora|veo|aqa/i;

interface Listed {
  id?: unknown;
  name?: unknown;
  created?: unknown;
  created_at?: unknown;
  supportedGenerationMethods?: unknown;
}

/**
 * Models in the list that write text and have a usable name, the newest first. The response may come from another kind
 * of server.
 */
function writersAmong(reply: unknown): string[] {
  const lists = typeof reply === 'object' && reply !== null ? Object.values(reply) : [];
  const listed: (Listed | null)[] = lists.find((one) => Array.isArray(one)) ?? [];
  const createdOf = (one: Listed): number => Number(one.created ?? Date.parse(String(one.created_at))) || 0;
  const found = listed.flatMap((one) => {
    const methods = one?.supportedGenerationMethods;
    const given = one?.id ?? one?.name;
    const name = typeof given === 'string' ? given.replace(/^models\//, '') : '';
    const isFit = /^[\w.:/@+-]{1,120}$/.test(name) && !notWriters.test(name);
    const writes = !Array.isArray(methods) || methods.includes('generateContent');
    return one && isFit && writes ? [{ name, created: createdOf(one), isDated: !methods }] : [];
  });
  // Only Google gives no dates, but numbers its models.
  const newerFirst = (one: (typeof found)[number], other: (typeof found)[number]) =>
    one.isDated ? other.created - one.created : other.name.localeCompare(one.name, 'en', { numeric: true });
  return found
    .toSorted(newerFirst)
    .slice(0, mostListed)
    .map(({ name }) => name);
}

const listPatienceMs = 10_000;

const listing: Record<Provider, (apiKey: string) => { query: string; headers: Record<string, string> }> = {
  anthropic: (apiKey) => ({
    query: '?limit=1000',
    headers: { 'x-api-key': apiKey, 'anthropic-version': '2023-06-01' },
  }),
  openai: (apiKey) => ({ query: '', headers: { authorization: `Bearer ${apiKey}` } }),
  google: (apiKey) => ({ query: '?pageSize=1000', headers: { 'x-goog-api-key': apiKey } }),
  compatible: (apiKey) => ({ query: '', headers: { authorization: `Bearer ${apiKey}` } }),
};

/** The models that a provider lists for a key; none if its server lists none, so that their names have to be typed. */
export async function listModels(
  network: Network,
  { provider, baseUrl, apiKey, isOwnAddress }: Omit<ModelAccess, 'name'>,
): Promise<ListedModels> {
  const { fetch, close } = createEgressClient(network, {
    origins: [new URL(baseUrl).origin],
    mayBePrivate: isOwnAddress,
    patienceMs: listPatienceMs,
    mostBytes: 4 * 1024 * 1024,
  });
  const { query, headers } = listing[provider](apiKey ?? '');
  try {
    const reply = await fetch(`${baseUrl}/models${query}`, {
      headers: apiKey === undefined ? {} : headers,
      signal: AbortSignal.timeout(listPatienceMs),
    });
    if (reply.ok) return { models: writersAmong(await reply.json().catch(() => null)), problem: null };
    return { models: [], problem: problemOf(reply.status, await reply.text()) };
  } catch {
    return { models: [], problem: 'unreachable' };
  } finally {
    await close();
  }
}

function problemOf(status: number, said: string): ModelProblem | null {
  if (status === 401 || status === 403 || /api[ _]key/i.test(said)) return 'wrongKey';
  if (status === 402) return 'noCredit';
  if (status === 404 || status === 405 || status === 501) return null;
  return status === 429 || status >= 500 ? 'busy' : 'unreachable';
}

export const adviceOnLocalModel = (found: LocalModels): string =>
  `${found.name} is running on this machine. To use it, set ${environmentOf(found).join(' and ')}.`;
