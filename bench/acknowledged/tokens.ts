import { randomBytes } from 'node:crypto';
import type { GitHubStandIn } from '../../test/github/stand-in.ts';
import { account } from '../../test/github/state.ts';
import type { Caller } from './caller.ts';
import type { Having } from './keepers.ts';

/** What there is of each person: whichever token they saved last. */
const thing = 'token';

const tokenOf = (authorization: string | undefined): string => authorization?.replace(/^Bearer /, '') ?? '';

/** Tokens of GitHub that people save. What is saved is what GitHub is then asked with, which its stand-in tells. */
export function tokensThrough(caller: Caller, github: GitHubStandIn): Having {
  const owner = account(1, 'alice');
  github.state.accounts.push(owner);
  /** The token with which each repository was asked for. */
  const askedWith = new Map<string, string>();
  let looks = 0;
  // Holding every answer against GitHub's description would take longer than what is to be seen here.
  github.script(/^\/repos\/vault\//, (response, _pass, { url = '', headers }) => {
    const [, name = '', rest] = /\/repos\/vault\/([^/?]+)(.*)$/.exec(url) ?? [];
    const token = tokenOf(headers.authorization);
    const isShown = owner.tokens.has(token);
    if (isShown) askedWith.set(name, token);
    const repository = {
      id: Number(name),
      name,
      owner: { login: 'vault' },
      private: true,
      visibility: 'private',
    };
    const answer = rest ? [] : repository;
    response.writeHead(isShown ? 200 : 404, { 'content-type': 'application/json' });
    response.end(JSON.stringify(isShown ? answer : { message: 'Not Found' }));
  });
  const path = '/auth/host-token?host=github';
  return {
    kind: 'saved tokens',
    things: [thing],
    mostTurns: 4,
    async add(token) {
      const accessToken = `ghp_${randomBytes(18).toString('hex')}`;
      owner.tokens.add(accessToken);
      const body = { accessToken };
      const answer = await caller.call({ kind: 'tokens saved', method: 'POST', path, token, body });
      return answer?.isOk ? accessToken : null;
    },
    async remove(token) {
      return (await caller.call({ kind: 'tokens deleted', method: 'DELETE', path, token }))?.isOk ?? false;
    },
    async find(token) {
      looks += 1;
      const name = String(looks);
      const { isOk } = await caller.look(`/repos/vault/${name}/pulls?host=github`, token);
      const used = isOk ? askedWith.get(name) : undefined;
      return new Map(used === undefined ? [] : [[thing, used]]);
    },
  };
}
