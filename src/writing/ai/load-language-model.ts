import type { LanguageModel } from 'ai';
import type { ModelAccess } from '../../domain/model-providers.ts';

/** Everything is handed over: left to themselves, the libraries would look for keys and addresses in the environment. */
export async function loadLanguageModel(
  { provider, name, apiKey = '', baseUrl: baseURL }: ModelAccess,
  fetch: typeof globalThis.fetch,
): Promise<LanguageModel> {
  switch (provider) {
    case 'anthropic': {
      const { createAnthropic } = await import('@ai-sdk/anthropic');
      return createAnthropic({ apiKey, baseURL, fetch })(name);
    }
    case 'openai': {
      const { createOpenAI } = await import('@ai-sdk/openai');
      return createOpenAI({ apiKey, baseURL, fetch }).responses(name);
    }
    case 'google': {
      const { createGoogle } = await import('@ai-sdk/google');
      return createGoogle({ apiKey, baseURL, fetch })(name);
    }
    case 'compatible': {
      const { createOpenAICompatible } = await import('@ai-sdk/openai-compatible');
      const options = { name: provider, baseURL, fetch, includeUsage: true, supportsStructuredOutputs: true };
      return createOpenAICompatible({ ...options, ...(apiKey && { apiKey }) })(name);
    }
  }
}
