import { type ChildProcess, spawn } from 'node:child_process';
import { once } from 'node:events';
import { programSearchPath } from '../src/config.ts';

export interface RunningServer {
  url: string;
  child: ChildProcess;
  stop: () => Promise<void>;
}

export const service = ['bin/pullquote.cjs', 'serve'];
export const worker = ['bin/pullquote.cjs', 'work'];

/** Runs a server as its own process, on one core if wanted, and waits until it prints its address. */
export async function runServer(
  parameters: string[],
  { environment = {}, core }: { environment?: Record<string, string>; core?: number } = {},
): Promise<RunningServer> {
  const pinned = core === undefined ? [] : ['taskset', '-c', String(core)];
  const [program = '', ...rest] = [...pinned, process.execPath, ...parameters];
  const child = spawn(program, rest, {
    env: { PORT: '0', RATE_LIMIT: '0', LOG_LEVEL: 'warn', PATH: programSearchPath(), ...environment },
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let output = '';
  const url = await new Promise<string>((resolve, reject) => {
    child.on('exit', (code) => reject(new Error(`A server ended with ${code}: ${output}`)));
    child.stdout.on('data', (chunk: Buffer) => {
      output += chunk.toString();
      const address = /^(?:Serving at |Working with .*\(health: )(https?:\/\/[^\s/]+)/m.exec(output)?.[1];
      if (address) resolve(address);
    });
  });
  return {
    url,
    child,
    async stop() {
      child.kill('SIGTERM');
      await once(child, 'close');
    },
  };
}
