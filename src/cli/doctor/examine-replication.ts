import { type ReplicationLook, readReplication } from '../../db/replication.ts';
import { nameServer, parseDatabaseUrl } from '../../domain/database-address.ts';
import { type Finding, failure, ok, warning } from '../../domain/errors.ts';

/** A server in DATABASE_URL. */
export interface ServerLook {
  name: string;
  /** The reason why it does not answer, if so. */
  look: ReplicationLook | string;
}

/** Asks each server in DATABASE_URL for its role. */
export async function examineServers(databaseUrl: string): Promise<Finding[]> {
  const address = parseDatabaseUrl(databaseUrl);
  if (!address) return [];
  const looks = address.hosts.map(async (host): Promise<ServerLook> => {
    const look = await readReplication(address, host).catch(reasonOf);
    return { name: nameServer(host), look };
  });
  return judgeServers(await Promise.all(looks));
}

const reasonOf = (error: unknown): string => {
  const { message = '', code = '' } = error as { message?: string; code?: string };
  return message || code || String(error);
};

/** A segment of PostgreSQL's log of changes. */
const muchLag = 16 * 1024 * 1024;

type Answering = ServerLook & { look: ReplicationLook };

export function judgeServers(servers: ServerLook[]): Finding[] {
  const answering = servers.filter((one): one is Answering => typeof one.look !== 'string');
  const primaries = answering.filter(({ look }) => !look.isStandby);
  const [primary] = primaries;
  const isReplicated = servers.length > 1 || (primary?.look.standbys ?? 0) > 0;
  return [
    ...(servers.length > 1 ? judgeAbsent(servers) : []),
    ...(servers.length > 1 ? judgePrimaries(primaries) : []),
    ...primaries.flatMap((one) => [...(isReplicated ? [judgePrimary(one)] : []), ...judgeSettings(one)]),
    ...answering
      .filter(({ look }) => servers.length > 1 && look.isStandby)
      .map((one) => judgeStandby(one, primary?.look ?? null)),
  ];
}

const judgeAbsent = (servers: ServerLook[]): Finding[] =>
  servers.flatMap(({ name, look }) =>
    typeof look === 'string'
      ? warning(
          'database',
          `${name} does not answer: ${look}.`,
          'Start it again as a standby, or remove it from DATABASE_URL.',
        )
      : [],
  );

function judgePrimaries(primaries: Answering[]): Finding[] {
  const names = primaries.map(({ name }) => name).join(' and ');
  if (primaries.length === 0)
    return [
      failure('database', 'No server in DATABASE_URL takes writes.', 'Promote a standby: pg_ctl promote.'),
    ];
  if (primaries.length === 1) return [];
  return [
    failure(
      'database',
      `${names} both take writes, so they differ.`,
      'Stop the former primary, and make it a standby of the other one with pg_rewind.',
    ),
  ];
}

function judgePrimary({ name, look: { standbys, waitedFor } }: Answering): Finding {
  if (standbys === 0)
    return warning(
      'database',
      `${name} is the primary, and no standby follows it.`,
      'Start the other server as its standby: until then, nothing can take its place.',
    );
  const followed = `${standbys} ${standbys === 1 ? 'standby follows' : 'standbys follow'} it`;
  if (waitedFor > 0)
    return ok('database', `${name} is the primary; ${followed}, and commits wait for ${waitedFor}.`);
  return warning(
    'database',
    `${name} is the primary; ${followed}, but commits wait for none: a failover loses the last ones.`,
    'Set synchronous_standby_names, or synchronous_mode in Patroni, unless you accept that.',
  );
}

function judgeStandby({ name, look }: Answering, primary: ReplicationLook | null): Finding {
  const behind = Math.max(0, (primary?.position ?? look.position) - look.position);
  const lag = `${Math.ceil(behind / 1024 / 1024)} MiB behind`;
  if (!look.isFollowing)
    return warning(
      'database',
      `${name} is a standby, but is not connected to a primary${behind > 0 ? ` and is ${lag}` : ''}.`,
      'Check primary_conninfo and the log of that server.',
    );
  if (behind > muchLag)
    return warning(
      'database',
      `${name} is a standby, ${lag}.`,
      'Check its disk, its network and long queries on it.',
    );
  return ok('database', `${name} is a standby, ${lag}.`);
}

function judgeSettings({ name, look }: Answering): Finding[] {
  const { synchronousCommit, fsync, fullPageWrites, standbys } = look;
  const of = (setting: string, value: string, loss: string): Finding =>
    warning('database', `${setting} is ${value} on ${name}: ${loss}.`, `Set ${setting} to on.`);
  return [
    ...(synchronousCommit === 'off'
      ? [of('synchronous_commit', 'off', 'a crash loses changes that people saw confirmed')]
      : []),
    ...(synchronousCommit === 'local' && standbys > 0
      ? [of('synchronous_commit', 'local', 'a failover loses changes that people saw confirmed')]
      : []),
    ...(fsync === 'off' ? [of('fsync', 'off', 'a power cut can destroy the database')] : []),
    ...(fullPageWrites === 'off' ? [of('full_page_writes', 'off', 'a power cut can destroy pages')] : []),
  ];
}
