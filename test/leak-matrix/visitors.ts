import type { TestApp } from '../build-app.ts';
import type { HostColumn } from './hosts/host-column.ts';
import type { Viewer } from './rights.ts';

/** A viewer and their credential. */
export interface Visitor {
  viewer: Viewer;
  token: string | undefined;
  /** The secret of the viewer's personal feed; viewers without one guess. */
  feedSecret: string;
}

export const anonymous: Visitor = {
  viewer: 'anonymous',
  token: undefined,
  feedSecret: `pqf_${'a'.repeat(43)}`,
};

/** Makes a personal feed. */
async function visitorOf(app: TestApp, viewer: Viewer, token: string): Promise<Visitor> {
  const { body } = await app.call('POST', '/users/me/feed-address', { token });
  return { viewer, token, feedSecret: /pqf_[\w-]+/.exec(body.data.atomUrl)?.[0] ?? '' };
}

async function signUp(app: TestApp, token: string): Promise<void> {
  const { status, text } = await app.call('POST', '/auth/signup', { token, body: { language: 'en' } });
  if (status !== 201) throw new Error(`Signing up answered ${status}: ${text}`);
}

/** Makes an account on a host, signs it up, and saves its token, which imports and follows of private repositories need. */
export async function join(
  app: TestApp,
  { id, addAccount }: HostColumn,
  viewer: Viewer,
  login: string = viewer,
): Promise<Visitor> {
  const token = addAccount(login);
  await signUp(app, token);
  const saved = await app.call('POST', `/auth/host-token?host=${id}`, {
    token,
    body: { accessToken: token },
  });
  if (saved.status !== 200) throw new Error(`Saving a token answered ${saved.status}: ${saved.text}`);
  return visitorOf(app, viewer, token);
}

/** The same user with a session instead of the host's token. */
export async function inSession(app: TestApp, { token, feedSecret }: Visitor): Promise<Visitor> {
  const { status, body, text } = await app.call('POST', '/auth/session', { token });
  if (status !== 201) throw new Error(`Opening a session answered ${status}: ${text}`);
  return { viewer: 'shut out, in a session', token: body.data.accessToken, feedSecret };
}

/** A local user with the owner's name. */
export async function joinLocally(app: TestApp): Promise<Visitor> {
  await app.signUp('owner');
  return visitorOf(app, 'namesake', app.tokenFor('owner', { expiresInMs: 30 * 24 * 60 * 60 * 1000 }));
}
