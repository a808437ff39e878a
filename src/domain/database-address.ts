export interface ServerHost {
  /** A name, an address, or the folder of a Unix socket; empty for the default of the driver. */
  host: string;
  port: number | undefined;
}

/** An address of one or several servers of the same database, as libpq reads it. */
export interface DatabaseAddress {
  hosts: [ServerHost, ...ServerHost[]];
  /** The address for the driver, which understands one host and no folders of sockets. */
  driverUrl: string;
  username: string | undefined;
  database: string;
}

const shape = /^(postgres(?:ql)?:\/\/)(?:([^/?#]*)@)?([^@/?#]*)(\/[^?#]*)?(?:\?([^#]*))?$/;

const oneHost = /^(\[[\da-f:.]+\]|[^:[\]]*)(?::(\d*))?$/i;

/** The service writes, so a list of hosts may not ask for a standby. */
const attributes = ['read-write', 'primary', 'any'];

/** Returns null for text that is no such address. */
export function parseDatabaseUrl(text: string): DatabaseAddress | null {
  const [, scheme, user, authority = '', path = '', query = ''] = shape.exec(text) ?? [];
  if (scheme === undefined || !isDecodable(text)) return null;
  const parameters = new URLSearchParams(query);
  const [hosts, ports, username, wanted] = ['host', 'port', 'user', 'target_session_attrs'].map((name) => {
    const value = parameters.get(name);
    parameters.delete(name);
    return value ?? undefined;
  });
  if (wanted !== undefined && !attributes.includes(wanted)) return null;
  const named =
    hosts?.split(',').map((host) => ({ host, port: undefined })) ?? authority.split(',').map(readHost);
  const known = withPorts(named, ports?.split(','));
  const [first, ...others] = known.filter((one) => one !== null);
  if (!first || others.length + 1 < known.length) return null;
  const rest = String(parameters);
  const driverUrl = [
    scheme,
    user === undefined ? '' : `${user}@`,
    hostInUrl(first, user),
    path,
    rest && `?${rest}`,
  ].join('');
  return URL.canParse(driverUrl)
    ? { hosts: [first, ...others], driverUrl, username, database: path.slice(1) }
    : null;
}

function isDecodable(text: string): boolean {
  try {
    return decodeURIComponent(text) !== '';
  } catch {
    return false;
  }
}

function readHost(text: string): ServerHost | null {
  const [, host, port] = oneHost.exec(decodeURIComponent(text)) ?? [];
  return host === undefined ? null : { host: host.replace(/^\[|\]$/g, ''), port: Number(port) || undefined };
}

/** A single port in the parameters counts for all hosts. */
function withPorts(hosts: (ServerHost | null)[], ports: string[] = []): (ServerHost | null)[] {
  if (ports.length > 1 && ports.length !== hosts.length) return [null];
  return hosts.map((known, index) => {
    const port = Number(ports[ports.length > 1 ? index : 0] || known?.port || 0);
    return known && port <= 65_535 ? { ...known, port: port || undefined } : null;
  });
}

function hostInUrl({ host, port }: ServerHost, user: string | undefined): string {
  if (host === '' || host.startsWith('/')) return user === undefined ? '' : 'localhost';
  return `${host.includes(':') ? `[${host}]` : host}${port ? `:${port}` : ''}`;
}

export const nameServer = ({ host, port }: ServerHost): string => `${host || 'localhost'}:${port ?? 5432}`;

/** The password apart from its address, because other users can see the arguments of a process. */
export function takePassword(text: string): { address: string; password: string } {
  const [, before, password, after] = /^([^:]+:\/\/[^:@/?#]*):([^/?#]*)(@.*)$/s.exec(text) ?? [];
  if (before === undefined || password === undefined) return { address: text, password: '' };
  return { address: before + after, password: decodeURIComponent(password) };
}
