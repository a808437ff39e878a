import { createServer } from 'node:http';
import type { AddressInfo } from 'node:net';
import { after } from 'node:test';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { Provider } from 'oidc-provider';

type SigningAlgorithm = 'RS256' | 'PS256' | 'ES256' | 'EdDSA';

/** A standards-compliant identity provider, whose keys a test can rotate and sign with. */
interface Issuer {
  url: string;
  audience: string;
  /** A token for an account by number, as issued by the provider. */
  giveToken: (hostUserId: number) => Promise<string>;
  /** A token with any claims, signed with the provider's key. */
  sign: (claims: JWTPayload, header?: object, algorithm?: SigningAlgorithm) => Promise<string>;
  publicKeys: () => object[];
  /** Replaces the provider's signing keys. */
  rotate: () => Promise<void>;
  /** Every requested path since the last call. */
  takeCalls: () => string[];
  /** Whether the provider gives no response. */
  isSilent: boolean;
}

const algorithms: SigningAlgorithm[] = ['RS256', 'PS256', 'ES256', 'EdDSA'];
const audience = 'https://pullquote.example.org';

async function makeKeys(generation: number) {
  return Promise.all(
    algorithms.map(async (alg) => {
      const { privateKey } = await generateKeyPair(alg, { extractable: true });
      const jwk = { ...(await exportJWK(privateKey)), alg, use: 'sig', kid: `${alg}-${generation}` };
      return { alg, privateKey, jwk };
    }),
  );
}

export async function startIssuer(clientIds: number[]): Promise<Issuer> {
  const calls: string[] = [];
  let generation = 0;
  let keys = await makeKeys(generation);
  let answer: ReturnType<Provider['callback']>;
  const server = createServer((request, response) => {
    calls.push(request.url ?? '');
    if (!issuer.isSilent) void answer(request, response);
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  after(() => {
    server.closeAllConnections();
    server.close();
  });
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  const open = () => new Provider(url, configuration(clientIds, keys)).callback();
  answer = open();
  const issuer: Issuer = {
    url,
    audience,
    isSilent: false,
    async giveToken(hostUserId) {
      const body = new URLSearchParams({
        grant_type: 'client_credentials',
        resource: audience,
        scope: 'read',
      });
      const authorization = `Basic ${btoa(`${hostUserId}:secret`)}`;
      const given = await fetch(`${url}/token`, { method: 'POST', body, headers: { authorization } });
      const { access_token } = (await given.json()) as { access_token?: string };
      if (!access_token) throw new Error(`The issuer answered ${given.status}.`);
      return access_token;
    },
    async sign(claims, header = {}, algorithm = 'RS256') {
      const key = keys.find(({ alg }) => alg === algorithm);
      if (!key) throw new Error(`There is no key for ${algorithm}.`);
      return new SignJWT(claims)
        .setProtectedHeader({ alg: algorithm, kid: key.jwk.kid, ...header })
        .sign(key.privateKey);
    },
    publicKeys: () => keys.map(({ jwk }) => ({ ...jwk })),
    async rotate() {
      generation += 1;
      keys = await makeKeys(generation);
      answer = open();
    },
    takeCalls: () => calls.splice(0),
  };
  return issuer;
}

function configuration(clientIds: number[], keys: Awaited<ReturnType<typeof makeKeys>>): object {
  return {
    jwks: { keys: keys.map(({ jwk }) => jwk) },
    clients: clientIds.map((id) => ({
      client_id: String(id),
      client_secret: 'secret',
      grant_types: ['client_credentials'],
      redirect_uris: [],
      response_types: [],
    })),
    features: {
      devInteractions: { enabled: false },
      clientCredentials: { enabled: true },
      resourceIndicators: {
        enabled: true,
        getResourceServerInfo: () => ({
          scope: 'read',
          audience,
          accessTokenFormat: 'jwt',
          jwt: { sign: { alg: 'RS256' } },
        }),
      },
    },
  };
}
