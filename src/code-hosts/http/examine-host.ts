import { type Finding, failure, reasonOf } from '../../domain/errors.ts';
import type { Connect, Examined } from '../host-definition.ts';

const limits = { patienceMs: 10_000, mostBytes: 256 * 1024, mostRedirects: 1 };

interface HostCheck {
  id: string;
  web: string;
  address: string;
  token: string | undefined;
  mayBePrivate: boolean;
  urlSetting: string;
  judge: (
    answered: HostAnswered,
    ask: (address: string) => Promise<HostAnswered>,
  ) => Finding[] | Promise<Finding[]>;
}

interface HostAnswered {
  status: number;
  headers: Headers;
  answer: unknown;
}

export async function examineHost(check: HostCheck, connect: Connect): Promise<Examined> {
  const { web, address, token, mayBePrivate, judge } = check;
  const { pathname: folder } = new URL(web);
  const way = connect({ ...limits, origins: [new URL(address).origin], folder, mayBePrivate });
  const ask = async (url: string): Promise<HostAnswered> => {
    const response = await way.fetch(url, {
      headers: {
        accept: 'application/json',
        'user-agent': 'pullquote',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      signal: AbortSignal.timeout(limits.patienceMs),
    });
    const { status, headers } = response;
    return { status, headers, answer: await response.json().catch(() => null) };
  };
  const before = Date.now();
  try {
    const answered = await ask(address);
    const ahead = Date.parse(answered.headers.get('date') ?? '') - (before + Date.now()) / 2;
    return { findings: await judge(answered, ask), aheadMs: Number.isNaN(ahead) ? null : ahead };
  } catch (error) {
    return { findings: [unreachable(check, reasonOf(error))], aheadMs: null };
  } finally {
    await way.close();
  }
}

export function unreachable(
  { id, web, urlSetting }: Pick<HostCheck, 'id' | 'web' | 'urlSetting'>,
  reason: string,
): Finding {
  const isCertificate = /CERT|SIGNATURE|ISSUER|certificate/.test(reason);
  return failure(
    id,
    `${web} cannot be reached (${reason}).`,
    isCertificate
      ? 'Name the certificate of your proxy or server in NODE_EXTRA_CA_CERTS.'
      : `Check the network, HTTPS_PROXY, NO_PROXY and ${urlSetting}.`,
  );
}
