import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { LLMock } from '@copilotkit/aimock';
import { Type } from 'typebox';
import { protocols } from '../../../test/model/wire.ts';
import { createEgressClient } from '../../egress/egress-client.ts';
import { createModel } from './model.ts';

// A third-party implementation of the protocols, because our own scripted model could repeat our own mistakes.
const standIn = new LLMock({ port: 0, logLevel: 'silent' });
await standIn.start();
after(() => standIn.stop());
const egress = createEgressClient(
  {},
  { origins: [new URL(standIn.url).origin], mayBePrivate: true, patienceMs: 30_000, mostBytes: 1024 * 1024 },
);
after(egress.close);

const schema = Type.Object({ words: Type.Array(Type.String()) }, { additionalProperties: false });

const names = {
  anthropic: 'claude-sonnet-4-5',
  openai: 'gpt-5',
  google: 'gemini-2.5-flash',
  compatible: 'llama3.3',
};

for (const provider of protocols) {
  const waits: number[] = [];
  const make = () =>
    createModel(
      {
        provider,
        name: names[provider],
        apiKey: 'key',
        baseUrl: `${standIn.url}/${provider === 'google' ? 'v1beta' : 'v1'}`,
        isOwnAddress: true,
        contextTokens: undefined,
        outputTokens: 1_000,
        timeoutMs: 20_000,
      },
      { fetch: egress.fetch, clock: () => new Date(), wait: async (ms) => void waits.push(ms) },
    );
  const ask = (prompt: string) =>
    make().ask({
      instructions: 'Be brief.',
      prompt,
      earlier: [],
      schema,
      maxOutputTokens: 1_000,
      signal: new AbortController().signal,
    });

  test(`${provider}: replies of an independent stand-in are read, with thinking and fences around them`, async () => {
    const content = 'Here it is:\n```json\n{ "words": ["a"] }\n```\nAnything else?';
    standIn.reset().onMessage('words', { content, reasoning: 'Let me see {…}' });
    const { value: reply, isCutOff } = await ask('words');
    assert.deepEqual(reply, { words: ['a'] });
    assert.equal(isCutOff, false);
  });

  test(`${provider}: each failure of an independent stand-in gets its own reason`, async () => {
    const fail = (status: number, type: string) => {
      standIn.reset().onMessage('words', { error: { message: 'Something happened', type }, status });
      return ask('words');
    };
    waits.length = 0;
    await assert.rejects(fail(429, 'rate_limit_error'), { reason: 'rateLimited' });
    assert.deepEqual(waits, [1_000, 1_000]);
    await assert.rejects(fail(529, 'overloaded_error'), { reason: 'overloaded' });
    await assert.rejects(fail(500, 'server_error'), { reason: 'overloaded' });
    await assert.rejects(fail(401, 'authentication_error'), { reason: 'badKey' });
    await assert.rejects(fail(404, 'not_found_error'), { reason: 'unknownModel' });
    standIn
      .reset()
      .onMessage('words', { content: '{"words":["a"]}'.padEnd(4_000) }, { truncateAfterChunks: 2 });
    await assert.rejects(ask('words'), { reason: 'unreachable' });
  });
}
