import { forgetHostToken, saveGivenToken } from '../actions/accounts/save-host-token.ts';
import { ref } from '../contract/component.ts';
import { Nothing } from '../contract/envelope.ts';
import { SavedHostToken } from '../contract/host-token.ts';
import { Type } from '../contract/type.ts';
import { ok } from './answers/answer.ts';
import type { Deps } from './deps.ts';
import { endpoint } from './endpoint.ts';
import { chooseCodeHost, hostQuery } from './requests/choose-code-host.ts';

const meansOwn = 'The code host that the token is of; without it, the one that the caller is of';

/** No token that a host gives out comes near this. */
const longest = 4096;

export const postHostToken = (deps: Deps) =>
  endpoint({
    operationId: 'saveHostToken',
    summary: 'Save the token of a code host',
    description:
      'Keeps a token, encrypted, with which the service asks the code host on behalf of the caller wherever they present ' +
      'none of that host, such as with a session. One for each host; another takes its place. On the ' +
      "caller's own host it has to be theirs; of each other host they may save whichever token they have.",
    tag: 'User & Auth',
    access: 'identity',
    query: Type.Object(hostQuery(deps.codeHosts, meansOwn), { additionalProperties: false }),
    body: Type.Object(
      {
        accessToken: Type.String({ minLength: 1, maxLength: longest, description: 'The token' }),
        refreshToken: Type.Optional(
          Type.String({
            minLength: 1,
            maxLength: longest,
            description: 'What the host gives another token for, where this one expires',
          }),
        ),
      },
      { additionalProperties: false, examples: [{ accessToken: 'github_pat_…' }] },
    ),
    data: ref(SavedHostToken),
    success: { 200: 'Saved.' },
    async handle({ query, body, viewer: { identity } }) {
      const codeHost = chooseCodeHost(deps.codeHosts, query.host ?? identity.host);
      const { accessToken, refreshToken = null } = body;
      const given = { identity, accessToken, refreshToken };
      const { hostUsername, savedAt } = await saveGivenToken(deps, codeHost, given);
      const saved = { host: codeHost.id, hostUsername, savedAt: savedAt.toISOString() };
      return ok(saved, 'The token is saved. It is shown to nobody.');
    },
  });

export const deleteHostToken = (deps: Deps) =>
  endpoint({
    operationId: 'forgetHostToken',
    summary: 'Forget the token of a code host',
    description:
      'Removes the saved token, if there is one. A token that was made for this service is revoked at the code host too, ' +
      'if that answers within two seconds.',
    tag: 'User & Auth',
    access: 'identity',
    query: Type.Object(hostQuery(deps.codeHosts, meansOwn), { additionalProperties: false }),
    data: Nothing,
    success: { 200: 'There is no saved token any more.' },
    async handle({ query, viewer: { identity } }) {
      const codeHost = chooseCodeHost(deps.codeHosts, query.host ?? identity.host);
      await forgetHostToken(deps, codeHost, identity);
      return ok({}, 'The token is forgotten.');
    },
  });
