import { type Finding, failure } from '../../domain/finding.ts';
import { reasonOf } from '../../domain/reason-of.ts';
import type { Connect, Examined } from '../host-definition.ts';

const limits = { patienceMs: 10_000, mostBytes: 256 * 1024, mostRedirects: 1 };

interface Question {
  /** What findings are about. */
  id: string;
  web: string;
  /** What is asked for, with the token of the service. */
  address: string;
  token: string | undefined;
  mayBePrivate: boolean;
  /** The setting that names the host's address. */
  urlSetting: string;
  judge: (answered: { status: number; headers: Headers; answer: unknown }) => Finding[];
}

/** Whether a host is reached and what it answers, and by how much its clock is ahead. */
export async function examineHost(question: Question, connect: Connect): Promise<Examined> {
  const { web, address, token, mayBePrivate, judge } = question;
  const { pathname: folder } = new URL(web);
  const way = connect({ ...limits, origins: [new URL(address).origin], folder, mayBePrivate });
  const before = Date.now();
  try {
    const response = await way.fetch(address, {
      headers: {
        accept: 'application/json',
        'user-agent': 'pullquote',
        ...(token && { authorization: `Bearer ${token}` }),
      },
      signal: AbortSignal.timeout(limits.patienceMs),
    });
    const { status, headers } = response;
    const ahead = Date.parse(headers.get('date') ?? '') - (before + Date.now()) / 2;
    const answer: unknown = await response.json().catch(() => null);
    return { findings: judge({ status, headers, answer }), aheadMs: Number.isNaN(ahead) ? null : ahead };
  } catch (error) {
    return { findings: [unreachable(question, reasonOf(error))], aheadMs: null };
  } finally {
    await way.close();
  }
}

export function unreachable(
  { id, web, urlSetting }: Pick<Question, 'id' | 'web' | 'urlSetting'>,
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
