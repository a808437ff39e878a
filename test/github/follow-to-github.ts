import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { standInCertificate } from './stand-in.ts';

/** The address that the stand-in redirects a browser to; null without a redirect. */
export async function followToGitHub(address: string): Promise<URL | null> {
  const { promise, resolve, reject } = Promise.withResolvers<URL | null>();
  get(address, { ca: readFileSync(standInCertificate), agent: false }, (response) => {
    response.resume();
    const { location } = response.headers;
    resolve(location === undefined ? null : new URL(location));
  }).on('error', reject);
  return promise;
}
