import type { Caller, CodeHost, HostRepository } from '../src/code-hosts/code-host.ts';
import type { Identity } from '../src/domain/accounts.ts';
import type { TestApp } from './build-app.ts';
import { nobody } from './read-from-host.ts';

type Decide = (found: HostRepository, viewer: Identity | null) => Promise<HostRepository | null>;

interface ScriptedHost {
  host: CodeHost;
  /** Decides which viewer sees an existing repository; by default as the host does. */
  decide: Decide;
  /** Called before a pull request is read. */
  beforePullRequest: () => Promise<void>;
  /** The viewers who asked about a repository since the last call. */
  takeAskers: () => (string | null)[];
}

/** Scripts the code host of a service, because a folder of clones never changes its visibility. */
export function scriptHost({ codeHosts }: Pick<TestApp, 'codeHosts'>): ScriptedHost {
  const [host] = codeHosts;
  if (!host) throw new Error('The service has no code host.');
  const real = { ...host };
  const askers: (string | null)[] = [];
  const script: ScriptedHost = {
    host,
    decide: async (found) => found,
    beforePullRequest: async () => {},
    takeAskers: () => askers.splice(0),
  };
  const decided = async (asked: Promise<HostRepository | null>, { identity }: Caller) => {
    askers.push(identity?.hostUsername ?? null);
    const found = await asked;
    return found && script.decide(found, identity);
  };
  host.findRepository = (owner, name, caller) => decided(real.findRepository(owner, name, caller), caller);
  host.findRepositoryById = (known, caller) => decided(real.findRepositoryById(known, caller), caller);
  host.findPullRequest = async (owner, name, number, caller) => {
    const repository = await host.findRepository(owner, name, caller);
    if (!repository) return null;
    await script.beforePullRequest();
    const found = await real.findPullRequest(owner, name, number, caller);
    return found && { ...found, repository };
  };
  host.mergedSince = async (known, cursor, caller) => {
    const repository = await host.findRepositoryById(known, caller);
    const told = repository && (await real.mergedSince(known, cursor, caller));
    return told && { ...told, repository };
  };
  host.lastMerged = async (known, wanted, caller) =>
    (await host.findRepositoryById(known, caller)) && real.lastMerged(known, wanted, caller);
  host.suggestPullRequest = async () => {
    const suggested = await real.suggestPullRequest();
    const found = suggested && (await real.findRepository(suggested.owner, suggested.name, nobody));
    const shown = found && (await script.decide(found, null));
    return shown && !shown.isPrivate ? suggested : null;
  };
  return script;
}

/** Shows a repository as private, only to some users. */
export const onlyTo =
  (...names: string[]): Decide =>
  async (found, viewer) =>
    viewer && names.includes(viewer.hostUsername) ? { ...found, isPrivate: true } : null;
