import assert from 'node:assert/strict';
import { test } from 'node:test';
import { suggestModels } from './model-providers.ts';

test('the model suggested to check is another one than the writer, unless there is only one', () => {
  for (const [provider, models, writer, reader] of [
    ['compatible', ['qwen3', 'gemma3'], 'qwen3', 'gemma3'],
    ['compatible', ['qwen3'], 'qwen3', 'qwen3'],
    ['openai', ['o9', 'gpt-5-mini', 'gpt-5'], 'gpt-5', 'gpt-5-mini'],
    ['google', [], null, null],
  ] as const)
    assert.deepEqual(suggestModels(provider, [...models]), { writer, reader });
});
