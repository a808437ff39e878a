import { setTimeout as wait } from 'node:timers/promises';
import type postgres from 'postgres';
import type { StallPoint } from './follow-statements.ts';
import { type Round, roundsOnAny, type Used } from './round.ts';
import type { ProxiedConnection, StallingProxy } from './stalling-proxy.ts';

const never = new Promise(() => {});

/** The ways in which the network between service and server stalls, and in which connections are lost. */
export function postgresRounds(proxy: StallingProxy, server: postgres.Sql, used: Used): Round[] {
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
    ...roundsOnAny(used),
  ];
}
