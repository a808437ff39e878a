import { type App, buildApp } from '../app.ts';
import { type Config, unknownSettings } from '../config.ts';
import { createLog } from '../log.ts';
import { version } from '../version.ts';
import { localOrigin } from './ask-service.ts';
import { endOnSignals } from './end-on-signals.ts';
import { print } from './print.ts';
import { cannotListen, requireFreePort } from './require-free-port.ts';

/** Starts a process that lives until it gets a signal, and tells where on this machine it can be asked. */
export async function startProcess(
  config: Config,
  role: { isWorker?: boolean } = {},
): Promise<{ app: App; address: string }> {
  const log = await createLog(config.logLevel);
  const clock = () => new Date();
  print(`Pullquote ${version}`);
  for (const { name, meant } of unknownSettings())
    print(
      `${name} is not a setting; ${meant ? `did you mean ${meant}?` : 'pullquote settings lists what there is.'}`,
    );
  await requireFreePort(config);
  const app = await buildApp(config, {
    log,
    clock,
    command: role.isWorker ? 'work' : 'serve',
    announce: print,
    ...role,
  });
  // No proxy asks one that only writes.
  endOnSignals(app, log, role.isWorker ? 0 : config.drainMs);
  return { app, address: await listen(app, config) };
}

async function listen(app: App, config: Config): Promise<string> {
  const { listen: host, port } = config;
  try {
    const address = new URL(await app.server.listen({ host, port }));
    return localOrigin({ listen: host, port: Number(address.port) || 80 });
  } catch (error) {
    await app.close();
    throw cannotListen(error, config);
  }
}
