import assert from 'node:assert/strict';
import { test } from 'node:test';
import Fastify from 'fastify';
import { Type } from 'typebox';
import { Bytes } from '../contract/formats.ts';
import { endpoint } from './endpoint.ts';
import { bodyLimitKib, parseBodies, useStrictValidation } from './requests/parse-requests.ts';
import { sendFailure } from './responses/errors.ts';
import { ok } from './responses/response.ts';

const described = {
  summary: 'Take something',
  description: 'For this test.',
  tag: 'General',
  access: 'public',
  success: { 200: 'Taken.' },
} as const;

const takeBytes = endpoint({
  ...described,
  operationId: 'takeBytes',
  body: Bytes,
  bodyLimitKib: 256,
  data: Type.Object({ received: Type.String() }),
  handle: ({ body }) => ok({ received: body.toString('base64') }, 'Taken.'),
});

const takeJson = endpoint({
  ...described,
  operationId: 'takeJson',
  body: Type.Object({ name: Type.String() }, { additionalProperties: false }),
  data: Type.Object({ name: Type.String() }),
  handle: ({ body }) => ok(body, 'Taken.'),
});

const app = Fastify({ bodyLimit: bodyLimitKib * 1024 });
parseBodies(app);
useStrictValidation(app);
app.setErrorHandler(sendFailure);
app.route(takeBytes('POST', '/bytes'));
app.route(takeJson('POST', '/json'));

const post = (url: string, payload: string | Buffer, type = 'application/json') =>
  app.inject({ method: 'POST', url, payload, headers: { 'content-type': type } });

test('an endpoint that takes bytes gets them unchanged, whatever their content type', async () => {
  const sent = [
    ['application/json', Buffer.from('{ "name" :  "spaces stay" }\n')],
    ['application/json', Buffer.from('{"name": broken')],
    ['application/x-www-form-urlencoded', Buffer.from('payload=%7B%7D')],
    ['application/octet-stream', Buffer.from([0, 255, 254, 13, 10])],
  ] as const;
  for (const [type, bytes] of sent) {
    const answer = await post('/bytes', bytes, type);
    assert.equal(answer.statusCode, 200, answer.body);
    assert.equal(answer.json().data.received, bytes.toString('base64'));
  }
  const none = await app.inject({ method: 'POST', url: '/bytes' });
  assert.equal(none.json().data.received, '');
});

test('an endpoint may raise its body limit, and its 413 names the limit', async () => {
  const larger = Buffer.alloc(bodyLimitKib * 1024 + 1, 'a');
  assert.equal((await post('/bytes', larger)).statusCode, 200);
  const tooLarge = await post('/bytes', Buffer.alloc(256 * 1024 + 1));
  assert.equal(tooLarge.statusCode, 413);
  assert.match(tooLarge.json().error.message, /less than 256 KiB/);
});

test('an endpoint without its own body limit accepts only JSON below 64 KiB', async () => {
  assert.deepEqual((await post('/json', '{"name":"parcel"}')).json().data, { name: 'parcel' });
  assert.equal((await post('/json', 'name=parcel', 'application/x-www-form-urlencoded')).statusCode, 415);
  const tooLarge = await post('/json', Buffer.alloc(bodyLimitKib * 1024 + 1, 'a'));
  assert.equal(tooLarge.statusCode, 413);
  assert.match(tooLarge.json().error.message, /less than 64 KiB/);
});
