import assert from 'node:assert/strict';
import { test } from 'node:test';
import type { FailingHosts, HostInService } from './build-failing-hosts.ts';
import type { Delivery, Proof } from './failing-host.ts';

type Headers = Record<string, string>;

/** The headers with one of them changed. */
const each = (headers: Headers, change: (value: string) => string): Headers =>
  Object.fromEntries(Object.entries(headers).map(([name, value]) => [name, change(value)]));

const without = (headers: Headers, names: string[]): Headers =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)));

const lastChanged = (value: string): string =>
  value.slice(0, -2) + (value.at(-2) === 'a' ? 'b' : 'a') + value.at(-1);

/** Deliveries are accepted only if they are authenticated by their host. */
export function testDeliveries({ app, hosts, each: eachHost }: FailingHosts): void {
  const send = async (id: string, headers: Headers, payload: string): Promise<number> => {
    const sent = { 'content-type': 'application/json', ...headers };
    const { server } = app;
    return (await server.inject({ method: 'POST', url: `/webhooks/${id}`, headers: sent, payload }))
      .statusCode;
  };

  const holds = async (host: HostInService, { name, prove, isSignature }: Proof): Promise<void> => {
    const { id, deliveries } = host;
    const { headers, body } = deliveries.merged(71);
    const proof = prove(body);
    const expect = async (status: number, what: string, given: Headers, text = body) =>
      assert.equal(await send(id, given, text), status, `${host.name}, ${name}: ${what}`);
    await expect(202, 'as it is sent', { ...headers, ...proof });
    await expect(200, 'the same again', { ...headers, ...proof });

    const fresh = () => without(deliveries.merged(71).headers, []);
    await expect(401, 'no proof', fresh());
    await expect(401, 'an empty one', { ...fresh(), ...each(proof, () => '') });
    await expect(401, 'one that is a little different', { ...fresh(), ...each(proof, lastChanged) });
    await expect(401, 'more than one', { ...fresh(), ...each(proof, (value) => `${value},${value}`) });
    await expect(401, 'of another secret', { ...fresh(), ...prove(body, 'no-secret-of-this-service') });
    const others = hosts.filter((one) => one !== host);
    for (const other of others) {
      const [foreign] = other.deliveries.proofs;
      await expect(401, `as ${other.name} proves it`, { ...fresh(), ...foreign?.prove(body) });
      assert.equal(
        await send(other.id, { ...fresh(), ...proof }, body),
        401,
        `${host.name} to ${other.name}`,
      );
    }
    if (isSignature) await expect(401, 'of another body', { ...fresh(), ...proof }, `${body} `);
    const signed = (text: string) => ({ ...fresh(), ...prove(text) });
    const wrong = JSON.stringify(deliveries.wrong);
    await expect(400, 'what its event cannot be about', signed(wrong), wrong);
    for (const text of ['7', '[', '']) await expect(400, `‘${text}’`, signed(text), text);
    await expect(400, 'no event', without(signed(body), deliveries.names.event));
    // A header that is part of the signature cannot be left out.
    const isNameSigned = deliveries.names.delivery.some((one) => one in proof);
    await expect(isNameSigned ? 401 : 400, 'no name', without(signed(body), deliveries.names.delivery));
    const mostBytes = (host.codeHost.webhooks?.mostKib ?? 0) * 1024;
    const form = { 'content-type': 'application/x-www-form-urlencoded' };
    await expect(415, 'a form', { ...fresh(), ...prove('signed otherwise'), ...form }, 'payload=%7B%7D');
    await expect(413, 'more than it sends', { ...signed(body), 'content-length': String(mostBytes + 1) });
  };

  test('a delivery is taken once, only with a proof of its host, and a malformed one gets 400, 413 or 415', () =>
    eachHost(async (host) => {
      for (const proof of host.deliveries.proofs) await holds(host, proof);
    }));

  test('an edited or deleted comment is updated by the next ingest, even if its host does not count it as a change', () =>
    eachHost(async ({ name, addRepository, reword, ingest, ann }) => {
      addRepository(75, 'discussed');
      const comments = async () => {
        app.advance(60_000);
        const { status, body, text } = await ingest(ann, 'discussed');
        assert.ok(status < 300, `${name}: ${text}`);
        return body.data.comments.map((one: { body: string }) => one.body);
      };
      for (const body of ['As written.', 'As edited.', null]) {
        reword(75, body);
        const written = (await comments()).filter((one: string) => one.startsWith('As '));
        assert.deepEqual(written, [body].filter(Boolean), name);
      }
    }));

  test('after an event about a comment, the next article has the new comments; an event about an issue is ignored', () =>
    eachHost(async ({ id, name, addRepository, reword, pathOf, on, ann, deliveries }) => {
      addRepository(76, 'reworded');
      const path = pathOf('reworded');
      const write = async () => {
        app.advance(1_000);
        const { status, text } = await app.call('POST', `${path}/article${on}`, {
          token: ann,
          body: { language: 'en' },
        });
        assert.ok(status < 300, `${name}: ${text}`);
        const { body } = await app.call('GET', `${path}${on}`);
        return JSON.stringify(body.data.comments);
      };
      await write();
      const { onPullRequest, onIssue } = deliveries.discussed(76);
      const [{ prove } = assert.fail()] = deliveries.proofs;
      const deliver = ({ headers, body }: Delivery) => send(id, { ...headers, ...prove(body) }, body);
      for (const [place, delivery] of onPullRequest.entries()) {
        reword(76, `Reworded ${place}.`);
        assert.equal(await deliver(onIssue), 200, name);
        assert.equal(await deliver(delivery), 202, `${name}: ${delivery.body}`);
        assert.match(await write(), new RegExp(`Reworded ${place}\\.`), `${name}: ${delivery.body}`);
      }
    }));

  test('a delivery with several proofs is 401 if its strongest proof is wrong, even if another is right', () =>
    eachHost(async (host) => {
      const { proofs, merged } = host.deliveries;
      const { headers, body } = merged(71);
      for (const [place, first] of proofs.entries())
        for (const second of proofs.slice(place + 1)) {
          const names = Object.keys(second.prove(body));
          if (Object.keys(first.prove(body)).some((name) => names.includes(name))) continue;
          const wrong = { ...second.prove(body), ...first.prove(body, 'no-secret-of-this-service') };
          const isStronger = !first.isSignature && second.isSignature;
          const given = isStronger
            ? { ...first.prove(body), ...second.prove(body, 'no-secret-of-this-service') }
            : wrong;
          assert.equal(
            await send(host.id, { ...headers, ...given }, body),
            401,
            `${first.name}, ${second.name}`,
          );
        }
    }));
}
