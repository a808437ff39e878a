import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Type } from 'typebox';
import { createGitLabApi } from '../gitlab/gitlab-api.ts';
import { HostClient } from './host-client.ts';

const Thing = Type.Object({ seenBy: Type.String() });

/** A client of a host that sends scripted responses and the same ETag to everyone. */
function connect(
  answer: (headers: Headers) => object = (headers) => ({ seenBy: headers.get('authorization') ?? 'all' }),
) {
  const tags: (string | null)[] = [];
  const client = new HostClient({
    api: createGitLabApi('https://gitlab.example/api/v4'),
    clock: () => new Date(),
    fetch: async (_address, options) => {
      const headers = new Headers(options?.headers);
      const tag = headers.get('if-none-match');
      tags.push(tag);
      return tag === '"1"'
        ? new Response(null, { status: 304 })
        : Response.json(answer(headers), { headers: { etag: '"1"' } });
    },
  });
  const { signal } = new AbortController();
  const get = (token: string | null) =>
    client.get('/thing', Thing, { token, isService: token === null, signal });
  return { get, takeTags: () => tags.splice(0) };
}

test('`HostClient.get` reuses a response only for the token that fetched it', async () => {
  const { get, takeTags } = connect();
  const seen = [await get('ann'), await get('bob'), await get(null), await get('ann')];
  assert.deepEqual(
    seen.map((thing) => thing?.seenBy),
    ['Bearer ann', 'Bearer bob', 'all', 'Bearer ann'],
  );
  assert.deepEqual(takeTags(), [null, null, null, '"1"']);
});

test('`HostClient.get` does not remember an invalid response', async () => {
  const answers = [{ seenBy: 1 }, { seenBy: 'all' }];
  const { get, takeTags } = connect(() => answers.shift() ?? assert.fail('too many calls'));
  await assert.rejects(get(null), /is not valid/);
  assert.deepEqual(await get(null), { seenBy: 'all' });
  assert.deepEqual(takeTags(), [null, null]);
});
