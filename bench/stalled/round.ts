import type { Database } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';
import type { SignUps } from '../acknowledged/sign-ups.ts';

/** A way in which something stalls. */
export interface Round {
  place: string;
  /** Has something stall for so long, and settles when that is over; false where no statement came to the place. */
  run: (ms: number) => Promise<boolean>;
}

/** A service that is used all the time. */
export interface Used {
  database: () => Database;
  signUps: SignUps;
}

/** How many statements are slow at once: on a server, as many as there are connections. */
const slowOnes = 10;

/** Signing up under such a name takes until the signup is committed, and then as long as the name says. */
export const lateCommits = `
  CREATE FUNCTION bench_stall() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_sleep(split_part(NEW.username, ''-'', 2)::float / 1000); RETURN NULL; END';
  CREATE CONSTRAINT TRIGGER bench_late AFTER INSERT ON identities DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.username LIKE 'late-%') EXECUTE FUNCTION bench_stall()`;

/** What stalls in the same way on either database: because of what is asked, not because of what is between. */
export function roundsOnAny({ database, signUps }: Used): Round[] {
  return [
    {
      place: 'COMMIT, by a deferred trigger',
      async run(ms) {
        await signUps.signUp(`late-${ms}`);
        return true;
      },
    },
    {
      place: 'ten slow statements at once',
      async run(ms) {
        // One session does them one after the other.
        const seconds = ms / 1000 / (database().isShared ? 1 : slowOnes / 2);
        const slow = () =>
          database()
            .query(sql`SELECT pg_sleep(${seconds}::float)`)
            .catch(() => {});
        await Promise.all(Array.from({ length: slowOnes }, slow));
        return true;
      },
    },
  ];
}
