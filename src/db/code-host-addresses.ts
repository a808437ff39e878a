import type { Queries } from './database.ts';
import { sql } from './sql.ts';

/** Where a host was when this database first stored something of it, which is where it is said to be now unless it is known. */
export async function rememberAddress(
  db: Queries,
  { host, address }: { host: string; address: string },
): Promise<string> {
  const find = async () => {
    const query = sql`SELECT address FROM code_host_addresses WHERE host = ${host}`;
    const [known] = await db.query<{ address: string }>(query);
    return known?.address;
  };
  if ((await find()) === address) return address;
  await db.query(sql`
    INSERT INTO code_host_addresses (host, address) VALUES (${host}, ${address})
    ON CONFLICT (host) DO UPDATE SET address = excluded.address
    WHERE NOT EXISTS (SELECT FROM repositories WHERE host = ${host})
      AND NOT EXISTS (SELECT FROM identities WHERE host = ${host})`);
  return (await find()) ?? address;
}
