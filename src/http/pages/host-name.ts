import type { CodeHost } from '../../code-hosts/code-host.ts';

/** People know a host by where its pages are. */
export const hostName = ({ id, webUrl }: CodeHost): string => (webUrl && URL.parse(webUrl)?.host) || id;
