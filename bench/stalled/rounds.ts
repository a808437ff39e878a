import { setTimeout as wait } from 'node:timers/promises';
import type postgres from 'postgres';
import type { Database } from '../../src/db/database.ts';
import { sql } from '../../src/db/sql.ts';
import type { SignUps } from '../acknowledged/sign-ups.ts';
import type { StallPoint } from './follow-statements.ts';
import type { ProxiedConnection, StallingProxy } from './stalling-proxy.ts';

/** A way in which something stalls. */
export interface Round {
  place: string;
  /** Has something stall for so long, and settles when that is over; false where no statement came to the place. */
  run: (ms: number) => Promise<boolean>;
}

/** A service that is used all the time. */
interface Used {
  database: () => Database;
  signUps: SignUps;
}

const never = new Promise(() => {});

/** How many statements are slow at once: as many as there are connections. */
const slowOnes = 10;

/** Signing up under such a name takes until the signup is committed, and then as long as the name says. */
export const lateCommits = `
  CREATE FUNCTION bench_stall() RETURNS trigger LANGUAGE plpgsql AS
    'BEGIN PERFORM pg_sleep(split_part(NEW.username, ''-'', 2)::float / 1000); RETURN NULL; END';
  CREATE CONSTRAINT TRIGGER bench_late AFTER INSERT ON identities DEFERRABLE INITIALLY DEFERRED
    FOR EACH ROW WHEN (NEW.username LIKE 'late-%') EXECUTE FUNCTION bench_stall()`;

/** The ways in which statements and the network between service and server stall, and in which connections are lost. */
export function createRounds(
  proxy: StallingProxy,
  server: postgres.Sql,
  { database, signUps }: Used,
): Round[] {
  const at = (
    place: StallPoint,
    how: string,
    spring: (connection: ProxiedConnection, ms: number) => Promise<unknown>,
  ): Round => ({
    place: `${place}, ${how}`,
    async run(ms) {
      const sprung = await proxy.trap.set(place, async (connection) => {
        await spring(connection, ms);
        return true;
      });
      return sprung ?? false;
    },
  });
  const holdQuestions = (connection: ProxiedConnection, ms: number) => connection.holdQuestions(wait(ms));
  const holdAnswers = (connection: ProxiedConnection, ms: number) => connection.holdAnswers(wait(ms));
  const swallow = (connection: ProxiedConnection, ms: number) => {
    connection.swallow();
    return wait(ms);
  };
  const terminate = (connection: ProxiedConnection) =>
    connection.holdQuestions(
      server`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE client_port = ${connection.port ?? 0}`,
    );
  return [
    at('BEGIN', 'asked late', holdQuestions),
    at('a statement in the middle', 'asked late', holdQuestions),
    at('a statement in the middle', 'answered late', holdAnswers),
    at('the last statement', 'asked late', holdQuestions),
    at('the last statement', 'answered late', holdAnswers),
    at('COMMIT', 'asked late', holdQuestions),
    at('COMMIT', 'answered late', holdAnswers),
    at('ROLLBACK', 'asked late', holdQuestions),
    at('ROLLBACK', 'answered late', holdAnswers),
    at('a statement alone', 'asked late', holdQuestions),
    at('a statement alone', 'answered late', holdAnswers),
    at('a statement in the middle', 'connection terminated', terminate),
    at('COMMIT', 'connection terminated', terminate),
    at('a statement in the middle', 'swallowed for ever', swallow),
    at('COMMIT', 'swallowed for ever', swallow),
    at('COMMIT', 'answer swallowed for ever', (connection, ms) => {
      connection.holdAnswers(never);
      return wait(ms);
    }),
    {
      place: 'the listening connection terminated, LISTEN asked late',
      async run(ms) {
        const sprung = proxy.trap.set('LISTEN', async (connection) => {
          await holdQuestions(connection, ms);
          return true;
        });
        await server`SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE query ILIKE 'listen "%'`;
        return (await sprung) ?? false;
      },
    },
    {
      place: 'all connections, and those that are opened',
      async run(ms) {
        await proxy.holdAll(wait(ms));
        return true;
      },
    },
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
        const slow = () =>
          database()
            .query(sql`SELECT pg_sleep(${ms / 1000}::float)`)
            .catch(() => {});
        await Promise.all(Array.from({ length: slowOnes }, slow));
        return true;
      },
    },
  ];
}
