import { parseArgs } from 'node:util';
import { readConfig } from '../config.ts';
import { StartupProblem } from '../domain/errors.ts';
import { askLocalService, localOrigin, patienceMs } from './ask-service.ts';
import type { Command } from './command.ts';
import { print } from './print.ts';

export const healthcheck: Command = {
  help: [
    'Usage: pullquote healthcheck',
    '',
    'Asks the process of pullquote serve or pullquote work that listens at LISTEN and PORT whether it is well. Ends with 0 if',
    'it is, otherwise with 1 and a sentence. It takes no parameters, and the settings of that process.',
  ].join('\n'),
  async run(parameters) {
    parseArgs({ args: parameters, options: {} });
    const config = readConfig();
    if (config.port === 0)
      throw new StartupProblem(
        'With PORT=0 it is not known where the process listens. Set PORT to a number.',
      );
    const problem = await findProblem(localOrigin(config));
    if (problem !== null) throw new StartupProblem(problem);
    print('All is well.');
  },
};

async function findProblem(origin: string): Promise<string | null> {
  const answering = await askLocalService(origin);
  if (answering.kind === 'well') return null;
  if (answering.kind === 'unwell') return [answering.message, ...answering.problems].join('\n  ');
  if (answering.kind === 'other') return `What answers at ${origin} is not Pullquote. Check PORT.`;
  return `Nothing answers at ${origin}/healthz within ${patienceMs / 1000} seconds. Is the process running, with this LISTEN and PORT?`;
}
