import assert from 'node:assert/strict';
import type { Caller, CodeHost } from '../../src/code-hosts/code-host.ts';
import { networkHosts } from '../../src/code-hosts/known-hosts.ts';
import type { Reply } from '../build-app.ts';
import { buildHostedApp, type HostedApp } from '../build-hosted-app.ts';
import { nobody } from '../read-from-host.ts';
import type { FailingHost } from './failing-host.ts';
import { failingGitea } from './gitea.ts';
import { failingGitHub } from './github.ts';
import { failingGitLab } from './gitlab.ts';

/** Every host that is reached over the network. */
const starts = [failingGitHub, failingGitLab, failingGitea];

/** A host of the service, with ann and bea signed up there and a public repository rocket. */
export interface HostInService extends FailingHost {
  codeHost: CodeHost;
  ann: string;
  bea: string;
  asAnn: Caller;
  /** The path of pull request 1 of a repository, with or without the host. */
  pathOf: (name: string) => string;
  on: string;
  ingest: (token: string, name?: string) => Promise<Reply>;
  /** The owner of a token. */
  me: (token: string) => Promise<Reply>;
  /** Makes an account and signs it up. */
  join: (login: string) => Promise<string>;
}

export interface FailingHosts extends HostedApp {
  hosts: HostInService[];
  publicUrl: string;
  /** Runs a function for all hosts at once. */
  each: (work: (host: HostInService) => Promise<void>) => Promise<void>;
}

/** One service for all hosts, with a clock that the test advances. */
export async function buildFailingHosts(): Promise<FailingHosts> {
  let now = Date.now;
  const stoodIn = await Promise.all(starts.map((start) => start(() => now())));
  for (const host of stoodIn) host.addRepository(71, 'rocket');
  const ids = stoodIn.map(({ id }) => id);
  assert.deepEqual(ids.toSorted(), Object.keys(networkHosts).sort(), 'every host has a stand-in that fails');
  const publicUrl = 'https://pullquote.example.org';
  const environment = Object.assign(
    { CODE_HOST: ids.join(','), PUBLIC_URL: publicUrl },
    ...stoodIn.map((host) => host.environment),
  );
  const hosted = await buildHostedApp(
    { environment, addAccount: assert.fail },
    {
      logLevel: 'trace',
      patience: { hostMs: 4_000 },
    },
  );
  const { app } = hosted;
  now = () => app.now().getTime();
  const inService = async (host: FailingHost): Promise<HostInService> => {
    const codeHost = app.codeHosts.find(({ id }) => id === host.id) ?? assert.fail(host.id);
    const pathOf = (name: string) => `/repos/${encodeURIComponent(host.owner)}/${name}/pulls/1`;
    const me = (token: string) => app.call('GET', '/users/me', { token });
    const join = async (login: string) => {
      const token = host.addAccount(login);
      const { status, text } = await app.call('POST', '/auth/signup', { token, body: { language: 'en' } });
      assert.equal(status, 201, `${host.name}: ${text}`);
      return token;
    };
    const [ann, bea] = [await join('ann'), await join('bea')];
    const { identity = null } = (await codeHost.identify(ann)) ?? {};
    return {
      ...host,
      codeHost,
      ann,
      bea,
      asAnn: { ...nobody, identity, token: ann },
      pathOf,
      on: `?host=${host.id}`,
      ingest: (token, name = 'rocket') =>
        app.call('POST', `${pathOf(name)}/ingest?host=${host.id}`, { token }),
      me,
      join,
    };
  };
  const hosts = await Promise.all(stoodIn.map(inService));
  return {
    ...hosted,
    hosts,
    publicUrl,
    async each(work) {
      const done = await Promise.allSettled(hosts.map(work));
      for (const one of done) if (one.status === 'rejected') throw one.reason;
    },
  };
}
