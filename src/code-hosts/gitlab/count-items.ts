import type { TSchema } from 'typebox';
import type { HostCaller } from '../http/host-api.ts';
import type { HostClient } from '../http/host-client.ts';

const pageSize = 100;

/** No range of commits comes near it; a list that has no end is not counted on. */
const mostItems = 2 ** 22;

/** How many items a list has of which GitLab does not tell that: by asking for the page with one, until the last one is found. */
export async function countItems(
  client: HostClient,
  path: string,
  schema: TSchema,
  caller: HostCaller,
): Promise<number> {
  const read = (size: number, page: number) =>
    client.page(`${path}&per_page=${size}&page=${page}`, schema, caller);
  const first = await read(pageSize, 1);
  if (first.isLast) return first.items.length;
  const has = async (place: number) => (await read(1, place)).items.length > 0;
  let known = pageSize;
  let beyond = 2 * pageSize;
  while (beyond < mostItems && (await has(beyond))) [known, beyond] = [beyond, 2 * beyond];
  while (beyond - known > 1) {
    const middle = Math.floor((known + beyond) / 2);
    if (await has(middle)) known = middle;
    else beyond = middle;
  }
  return known;
}
