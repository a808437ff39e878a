import type { Queries } from './database.ts';
import { sql } from './sql.ts';

/** Where a host was when this database first heard of it, which is where it is said to be now unless it is known. */
export async function rememberAddress(
  db: Queries,
  { host, address }: { host: string; address: string },
): Promise<string> {
  await db.query(sql`
    INSERT INTO code_host_addresses (host, address) VALUES (${host}, ${address}) ON CONFLICT DO NOTHING`);
  const [known] = await db.query<{ address: string }>(
    sql`SELECT address FROM code_host_addresses WHERE host = ${host}`,
  );
  return known?.address ?? address;
}
