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
  /** What answers mean, and those to what else has to be asked for. */
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

/** Whether a host is reached and what it answers, and by how much its clock is ahead. */
export async function examineHost(question: Question, connect: Connect): Promise<Examined> {
  const { web, address, token, mayBePrivate, judge } = question;
  const { pathname: folder } = new URL(web);
  const way = connect({ ...limits, origins: [new URL(address).origin], folder, mayBePrivate });
  const ask = async (asked: string): Promise<HostAnswered> => {
    const response = await way.fetch(asked, {
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
