import { setting } from './setting.ts';
import { certificatesFile, optional, proxyUrl } from './setting-parsers.ts';

/** How others are reached. Other programs know these settings by the same names. */
export const networkSettings = {
  httpsProxy: setting({
    name: 'HTTPS_PROXY',
    alias: 'https_proxy',
    sentence: 'Proxy for https connections to others.',
    parse: optional(proxyUrl),
  }),
  httpProxy: setting({
    name: 'HTTP_PROXY',
    alias: 'http_proxy',
    sentence: 'Proxy for http connections to others, and for https ones without HTTPS_PROXY.',
    parse: optional(proxyUrl),
  }),
  noProxy: setting({
    name: 'NO_PROXY',
    alias: 'no_proxy',
    sentence: 'Names that are called without a proxy, separated by commas; this machine always is.',
    parse: optional((text) => text),
  }),
  extraCaFile: setting({
    name: 'NODE_EXTRA_CA_CERTS',
    sentence: 'File of certificates (PEM) to trust beside the usual ones.',
    parse: optional(certificatesFile),
  }),
};
