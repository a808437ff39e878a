import { pino } from 'pino';
import { buildApp } from '../../src/app.ts';
import { readConfig } from '../../src/config.ts';
import { fastClock } from './fast-clock.ts';

// A service like that of `pullquote serve`, by a clock that goes faster: node fast-service.ts EPOCH SPEED

const [epoch, speed] = process.argv.slice(2).map(Number);
const config = readConfig();
const app = await buildApp(config, {
  log: pino({ level: config.logLevel }, pino.destination(2)),
  clock: fastClock(epoch ?? 0, speed ?? 1),
  command: 'serve',
  announce: () => {},
});
process.once('SIGTERM', () => void app.close().then(() => process.exit(0)));
process.stdout.write(`Serving at ${await app.server.listen({ host: config.listen, port: config.port })}\n`);
app.lists.begin();
app.watching.begin();
app.digests.begin();
