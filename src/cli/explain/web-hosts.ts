import { networkHosts } from '../../code-hosts/known-hosts.ts';
import type { Config } from '../../config.ts';
import { isAddressAt } from '../../domain/parse-pasted-address.ts';

/** A code host that a change may be named on. */
export interface WebHost {
  id: keyof typeof networkHosts;
  name: string;
  /** Null where the settings do not say. */
  webUrl: string | null;
  urlSetting: string;
  isLocal: false;
  ownersNest: boolean;
  examplePath: string;
}

const ids = Object.keys(networkHosts) as WebHost['id'][];

/** The first is the one that is meant where nothing says which. */
export const webHosts = (config: Config): WebHost[] =>
  ids.map((id) => {
    const { name, web } = networkHosts[id];
    const { urlSetting, ownersNest, examplePath } = web;
    const webUrl = web.urlOf(config)?.href.replace(/\/$/, '') ?? null;
    return { id, name, webUrl, urlSetting, isLocal: false, ownersNest, examplePath };
  });

/** The host that an address is at, by its name on the web. */
export const hostAt = (hosts: WebHost[], address: string): WebHost | undefined =>
  hosts.find(({ webUrl }) => webUrl !== null && isAddressAt(webUrl, address));
