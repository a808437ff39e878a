import { readFileSync } from 'node:fs';
import { get } from 'node:https';
import { standInCertificate } from './stand-in.ts';

/** Where the stand-in sends a browser that visits an address there; null where it stays. */
export async function followToGitHub(address: string): Promise<URL | null> {
  const { promise, resolve, reject } = Promise.withResolvers<URL | null>();
  get(address, { ca: readFileSync(standInCertificate), agent: false }, (response) => {
    response.resume();
    const { location } = response.headers;
    resolve(location === undefined ? null : new URL(location));
  }).on('error', reject);
  return promise;
}
