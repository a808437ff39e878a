import assert from 'node:assert/strict';
import { after, test } from 'node:test';
import { Type } from 'typebox';
import { startScriptedModel } from '../../../test/model/scripted-model.ts';
import { type Protocol, protocols, type Reply } from '../../../test/model/wire.ts';
import { createEgressClient } from '../../egress/egress-client.ts';
import { createModel, type Model, type ModelOptions } from './model.ts';
import { type FailureReason, ModelFailure } from './model-question.ts';

const schema = Type.Object({ words: Type.Array(Type.String()) }, { additionalProperties: false });
const reply = { words: ['a', 'b'] };
const text = JSON.stringify(reply);
const server = await startScriptedModel();
const egress = createEgressClient(
  {},
  { origins: [server.url], mayBePrivate: true, patienceMs: 30_000, mostBytes: 32 * 1024 * 1024 },
);
after(egress.close);

interface Made {
  model: Model;
  waits: number[];
  advance: (ms: number) => void;
}

function make(protocol: Protocol, options: Partial<ModelOptions> = {}): Made {
  const waits: number[] = [];
  let now = Date.UTC(2026, 0, 1);
  const model = createModel(
    {
      provider: protocol,
      name: 'scripted',
      apiKey: 'the-key',
      baseUrl: server.baseUrl(protocol),
      isOwnAddress: true,
      contextTokens: undefined,
      outputTokens: 1_000,
      timeoutMs: 20_000,
      ...options,
    },
    {
      fetch: egress.fetch,
      clock: () => new Date(now),
      wait: async (ms) => {
        waits.push(ms);
        now += ms;
      },
    },
  );
  return {
    model,
    waits,
    advance: (ms) => {
      now += ms;
    },
  };
}

const question = (more = {}) => ({
  instructions: 'Be brief.',
  prompt: 'Words, please.',
  earlier: [],
  schema,
  maxOutputTokens: 1_000,
  signal: new AbortController().signal,
  ...more,
});

/** Plays replies to one question; returns the outcome and the number of calls. */
async function play(made: Made, replies: Reply[], more = {}) {
  server.play(replies);
  const before = server.heard.length;
  const asked = question(more);
  const outcome = await made.model.ask(asked).then(
    (said) => said,
    (error: unknown) => {
      if (error instanceof ModelFailure) return error;
      throw error;
    },
  );
  // An aborted call may arrive late, among those of the next question.
  const sent = JSON.stringify(asked.prompt).slice(1, -1);
  const heard = server.heard.slice(before).filter(({ body }) => JSON.stringify(body).includes(sent));
  return { outcome, calls: heard.length };
}

async function reasonFor(made: Made, replies: Reply[], more = {}): Promise<[FailureReason | null, number]> {
  const { outcome, calls } = await play(made, replies, more);
  return [outcome instanceof ModelFailure ? outcome.reason : null, calls];
}

for (const protocol of protocols) {
  test(`${protocol}: a streamed reply arrives whole with its token counts, and the request has only the expected parameters`, async () => {
    const made = make(protocol, { name: 'claude-sonnet-4-5' });
    const seen: string[] = [];
    const long = { words: Array(200).fill('word') };
    const text = JSON.stringify(long);
    const { outcome, calls } = await play(made, [{ text, thinks: 'hm', usage: { input: 321, output: 45 } }], {
      onText: (soFar: string) => seen.push(soFar),
    });
    assert.ok(!(outcome instanceof ModelFailure), String(outcome));
    assert.deepEqual(outcome.value, long);
    assert.deepEqual(outcome.usage, { inputTokens: 321, outputTokens: 45 });
    assert.equal(calls, 1);
    assert.ok(seen.length > 2, 'it is read as it comes');
    assert.equal(seen.at(-1), text);
    const { body, headers } = server.heard.at(-1) ?? assert.fail();
    assert.ok(JSON.stringify(headers).includes('the-key'));
    const sent = JSON.stringify(body);
    assert.ok(sent.includes('Be brief.') && sent.includes('Words, please.') && sent.includes('"words"'));
    assert.match(sent, /"(max_tokens|max_output_tokens|maxOutputTokens)":1000/);
    assert.doesNotMatch(sent, /temperature|"tools":\[[^\]]/);
    if (protocol === 'openai') assert.equal(body.store, false);
  });

  test(`${protocol}: 503 and 429 are tried three times in all, after the requested wait if that is short`, async () => {
    const overloaded = { error: { status: 503, code: 'UNAVAILABLE' } };
    const patient = make(protocol);
    assert.deepEqual(await reasonFor(patient, [overloaded, overloaded, { text }]), [null, 3]);
    assert.deepEqual(patient.waits, [2_000, 8_000]);
    assert.deepEqual(await reasonFor(make(protocol), [overloaded]), ['overloaded', 3]);

    const limited = { error: { status: 429, code: 'rate_limit_error', headers: { 'retry-after': '7' } } };
    const asked = make(protocol);
    assert.deepEqual(await reasonFor(asked, [limited, { text }]), [null, 2]);
    assert.deepEqual(asked.waits, [7_000]);

    const long = { error: { status: 429, code: 'rate_limit_error', headers: { 'retry-after': '61' } } };
    const { outcome, calls } = await play(make(protocol), [long]);
    assert.ok(outcome instanceof ModelFailure);
    assert.deepEqual([outcome.reason, outcome.retryAfterMs, calls], ['rateLimited', 61_000, 1]);
  });

  test(`${protocol}: a connection that breaks before or during the reply is retried`, async () => {
    const long = JSON.stringify({ words: Array(200).fill('word') });
    assert.deepEqual(await reasonFor(make(protocol), [{ text: long, cutAfter: 400 }, { text }]), [null, 2]);
    assert.deepEqual(await reasonFor(make(protocol), [{ text: long, cutAfter: 400 }]), ['unreachable', 3]);
    assert.deepEqual(await reasonFor(make(protocol), [{ cutAfter: 0 }, { text }]), [null, 2]);
    const code = protocol === 'google' ? 'UNAVAILABLE' : 'overloaded_error';
    assert.deepEqual(await reasonFor(make(protocol), [{ text: long, streamError: { code } }]), [
      'overloaded',
      3,
    ]);
  });

  test(`${protocol}: authentication, billing, length and other permanent failures are not retried`, async () => {
    const refusals: [NonNullable<Reply['error']>, FailureReason][] = [
      [{ status: 401, code: 'authentication_error' }, 'badKey'],
      [{ status: 403, code: 'permission_error' }, 'badKey'],
      [{ status: 404, code: 'not_found_error', message: 'model: scripted' }, 'unknownModel'],
      [{ status: 402, code: 'billing_error' }, 'spendLimit'],
      [
        { status: 400, code: 'invalid_request_error', message: 'Your credit balance is too low' },
        'spendLimit',
      ],
      [{ status: 429, code: 'insufficient_quota' }, 'spendLimit'],
      [
        { status: 400, code: 'invalid_request_error', message: 'prompt is too long: 300000 tokens' },
        'tooLong',
      ],
      [{ status: 400, code: 'invalid_request_error', message: 'no' }, 'rejected'],
    ];
    for (const [error, reason] of refusals) {
      assert.deepEqual(await reasonFor(make(protocol), [{ error }]), [reason, 1], JSON.stringify(error));
    }
    assert.deepEqual(await reasonFor(make(protocol), [{ text: 'I cannot', ends: 'refused' }]), [
      'refused',
      1,
    ]);
  });

  test(`${protocol}: a truncated reply is reported as cut off and not completed`, async () => {
    const { outcome, calls } = await play(make(protocol), [
      { text: '{"words":["a",{"b":1}', ends: 'cutOff' },
    ]);
    assert.ok(!(outcome instanceof ModelFailure));
    assert.deepEqual([outcome.isCutOff, outcome.value, calls], [true, undefined, 1]);
  });

  test(`${protocol}: a silent model fails with a timeout after at most one call`, async () => {
    const [reason, calls] = await reasonFor(make(protocol, { timeoutMs: 50 }), [{ silent: true }], {
      prompt: 'Words in time, please.',
    });
    assert.equal(reason, 'timeout');
    assert.ok(calls <= 1);
  });

  test(`${protocol}: a prompt that the model cut fails as cutPrompt, and a missing token report is estimated`, async () => {
    const prompt = 'line of a diff\n'.repeat(2_000);
    const made = make(protocol);
    const usage = { input: 4_096, output: 50 };
    assert.deepEqual(await reasonFor(made, [{ text, usage }], { prompt }), ['cutPrompt', 1]);
    const { outcome } = await play(make(protocol), [{ text, usage: null }], { prompt });
    assert.ok(!(outcome instanceof ModelFailure));
    assert.equal(outcome.usage.inputTokens, Math.ceil((prompt.length + 9) / 2.5));
  });

  test(`${protocol}: an oversized reply, a redirect and an HTML page are rejected without a retry`, async () => {
    const large = JSON.stringify({ words: Array(300_000).fill('word') });
    assert.deepEqual(await reasonFor(make(protocol), [{ text: large }]), ['badOutput', 1]);
    const away = { status: 307, headers: { location: 'http://127.0.0.1:1/' }, body: '' };
    assert.deepEqual(await reasonFor(make(protocol), [{ raw: away }]), ['rejected', 1]);
    const page = { status: 200, headers: { 'content-type': 'text/html' }, body: '<html>Sign in</html>' };
    assert.deepEqual(await reasonFor(make(protocol), [{ raw: page }]), ['notStreamed', 1]);
  });
}

for (const protocol of protocols) {
  test(`${protocol}: a model that rejects schemas is asked without one, and the next call remembers that`, async () => {
    const made = make(protocol);
    const refusing = (isTaken: (sent: string) => boolean, error: NonNullable<Reply['error']>) =>
      server.play(({ body }) => (isTaken(JSON.stringify(body)) ? { text } : { error }));
    const hasSchema = (sent: string) => sent.includes('"words"');
    const ask = async () => {
      const before = server.heard.length;
      const { value: said } = await made.model.ask(question());
      return [said, server.heard.length - before];
    };
    const message = "This model does not support 'response_format' of type json_schema";
    refusing((sent) => !hasSchema(sent), { status: 400, code: 'invalid_request_error', message });
    assert.deepEqual(await ask(), [reply, 2]);
    assert.deepEqual(await ask(), [reply, 1]);
    assert.deepEqual(made.waits, [], 'nobody waits for what will not change');
  });
}

test('six forms of rejecting `response_format` lead to a request without it', async () => {
  const refusals = [
    { status: 400, code: 'invalid_request_error', message: 'This response_format type is unavailable now' },
    { status: 400, code: 'x', message: "'response_format.type' must be 'json_schema' or 'text'" },
    { status: 404, code: 'x', message: 'model llama: json_schema is not supported' },
    { status: 422, code: 'x', message: 'response_format: extra fields not permitted' },
    { status: 500, code: 'server_error', message: 'failed to parse grammar' },
    { status: 501, code: 'x', message: 'structured outputs are not implemented' },
  ];
  for (const error of refusals) {
    const made = make('compatible');
    server.play(({ body }) => (body.response_format ? { error } : { text }));
    const before = server.heard.length;
    assert.deepEqual((await made.model.ask(question())).value, reply, error.message);
    const types = server.heard.slice(before).map(({ body }) => body.response_format?.type);
    assert.deepEqual(types, ['json_schema', 'json_object', undefined]);
  }
  const stubborn = make('compatible');
  const error = { status: 400, code: 'x', message: 'invalid schema' };
  assert.deepEqual(await reasonFor(stubborn, [{ error }]), ['rejected', 3]);
});

test('the reply limit counts bytes, not characters', async () => {
  const words = Array(60_000).fill('あいうえお');
  assert.deepEqual(await reasonFor(make('anthropic'), [{ text: JSON.stringify({ words }) }]), [
    'badOutput',
    1,
  ]);
});

test('a reply as a tool call is read like text', async () => {
  const { outcome } = await play(make('anthropic'), [{ text, asTool: true }]);
  assert.ok(!(outcome instanceof ModelFailure));
  assert.deepEqual(outcome.value, reply);
  const cut = await play(make('anthropic'), [{ text: text.slice(0, 9), asTool: true, ends: 'cutOff' }]);
  assert.ok(!(cut.outcome instanceof ModelFailure));
  assert.deepEqual([cut.outcome.isCutOff, cut.outcome.value], [true, undefined]);
});

test('tokens of interrupted and refused calls are counted', async () => {
  const long = JSON.stringify({ words: Array(200).fill('word') });
  const made = make('compatible');
  const usage = { input: 20, output: 10 };
  const { promise: cutWhen, resolve } = Promise.withResolvers<void>();
  const replies = [
    { text: long, cutAfter: 400, cutWhen },
    { text, usage },
  ];
  const { outcome } = await play(made, replies, {
    onText: (soFar: string) => soFar !== '' && resolve(),
  });
  assert.ok(!(outcome instanceof ModelFailure));
  assert.equal(outcome.usage.inputTokens, 20 + Math.ceil('Be brief.Words, please.'.length / 2.5));
  assert.ok(outcome.usage.outputTokens >= 10 + 200 / 2.5, String(outcome.usage.outputTokens));
  const refused = await play(made, [{ text: 'no', ends: 'refused', usage }]);
  assert.ok(refused.outcome instanceof ModelFailure);
  assert.deepEqual(refused.outcome.spent, { inputTokens: 20, outputTokens: 10 });
  const locked = await play(made, [{ error: { status: 401, code: 'authentication_error' } }]);
  assert.ok(locked.outcome instanceof ModelFailure);
  assert.deepEqual(locked.outcome.spent, { inputTokens: 0, outputTokens: 0 });
});

test('an unreachable model fails after three tries, and `onWait` is called as each wait begins', async () => {
  const origins = ['http://127.0.0.1:1'];
  const nobody = createEgressClient({}, { origins, mayBePrivate: true, patienceMs: 1_000, mostBytes: 1_000 });
  after(nobody.close);
  const waits: number[] = [];
  const options = { contextTokens: undefined, outputTokens: 1_000, timeoutMs: 5_000, isOwnAddress: true };
  const access = {
    provider: 'compatible' as const,
    name: 'x',
    apiKey: undefined,
    baseUrl: 'http://127.0.0.1:1/v1',
  };
  const model = createModel(
    { ...options, ...access },
    { fetch: nobody.fetch, clock: () => new Date(), wait: async (ms) => void waits.push(ms) },
  );
  const told: number[] = [];
  const onWait = () => void told.push(waits.length);
  await assert.rejects(model.ask({ ...question(), onWait }), { reason: 'unreachable' });
  assert.deepEqual(waits, [2_000, 8_000]);
  assert.deepEqual(told, [0, 1], 'each wait is told as it begins');
});

test("an aborted call rejects with the caller's reason, not with a model failure", async () => {
  const caller = new AbortController();
  const reason = new Error('stopping');
  server.play(() => {
    setImmediate(() => caller.abort(reason));
    return { silent: true };
  });
  await assert.rejects(make('compatible').model.ask(question({ signal: caller.signal })), reason);
});

test('after five failures or one bad key the circuit breaker opens for growing pauses, and then allows one probe', async () => {
  const made = make('anthropic');
  const broken = [{ error: { status: 500, code: 'api_error' } }];
  for (let failure = 0; failure < 5; failure += 1) {
    assert.deepEqual(await reasonFor(made, broken), ['overloaded', 3]);
  }
  const { outcome, calls } = await play(made, broken);
  assert.ok(outcome instanceof ModelFailure);
  assert.deepEqual([outcome.reason, calls], ['breakerOpen', 0]);
  assert.equal(outcome.retryAfterMs, 30_000);

  const pauses: (number | undefined)[] = [];
  for (let probe = 0; probe < 6; probe += 1) {
    made.advance(10 * 60_000);
    assert.deepEqual(await reasonFor(made, broken), ['overloaded', 3]);
    const { outcome: after } = await play(made, broken);
    pauses.push(after instanceof ModelFailure ? after.retryAfterMs : undefined);
  }
  assert.deepEqual(pauses, [60_000, 120_000, 240_000, 480_000, 600_000, 600_000]);

  made.advance(10 * 60_000);
  server.play([{ text }]);
  const [first, second] = await Promise.allSettled([made.model.ask(question()), made.model.ask(question())]);
  assert.equal(first.status, 'fulfilled');
  assert.ok(second.status === 'rejected' && second.reason.reason === 'breakerOpen');
  assert.deepEqual(await reasonFor(made, [{ text }]), [null, 1]);

  const locked = make('openai');
  assert.deepEqual(await reasonFor(locked, [{ error: { status: 401, code: 'invalid_api_key' } }]), [
    'badKey',
    1,
  ]);
  assert.deepEqual(await reasonFor(locked, [{ text }]), ['breakerOpen', 0]);
});

test("a failure contains neither the prompt nor the key, even if the provider's message does", async () => {
  for (const protocol of protocols) {
    const message = 'the-key and Words, please. are wrong';
    const { outcome } = await play(make(protocol), [{ error: { status: 400, code: 'invalid', message } }]);
    assert.ok(outcome instanceof ModelFailure);
    const seen = JSON.stringify([outcome.message, outcome.stack, outcome.cause, { ...outcome }]);
    assert.doesNotMatch(seen, /the-key|Words, please/);
  }
});

test('a known model has its own limits and price, and configured limits override them', async () => {
  const known = make('anthropic', { name: 'claude-sonnet-4-5', outputTokens: 16_000 }).model;
  assert.deepEqual(await known.limits(), {
    outputTokens: 16_000,
    promptBytes: 460_000,
    surePromptBytes: 460_000,
  });
  assert.equal((await known.priceOf({ inputTokens: 100_000, outputTokens: 10_000 }))?.toFixed(6), '0.450000');
  const unknown = make('compatible', { outputTokens: 16_000 }).model;
  assert.deepEqual(await unknown.limits(), {
    outputTokens: 8_000,
    promptBytes: 60_000,
    surePromptBytes: 60_000,
  });
  assert.equal(await unknown.priceOf({ inputTokens: 1, outputTokens: 1 }), undefined);
  const told = make('openai', { name: 'gpt-5', contextTokens: 10_000, outputTokens: 16_000 }).model;
  assert.deepEqual(await told.limits(), {
    outputTokens: 2_500,
    promptBytes: 18_750,
    surePromptBytes: 18_750,
  });
});

test('the prompt limit grows with the reported tokens per byte, up to the reported ratio', async () => {
  const made = make('compatible', { contextTokens: 40_000, outputTokens: 10_000 });
  const prompt = 'x'.repeat(30_000 - 9);
  await play(made, [{ text, usage: { input: 10_000, output: 5 } }], { prompt });
  assert.equal((await made.model.limits()).promptBytes, 90_000);
  await play(made, [{ text, usage: { input: 12_000, output: 5 } }], { prompt });
  assert.equal((await made.model.limits()).promptBytes, 75_000);
});
