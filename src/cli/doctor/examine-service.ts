import type { Config } from '../../config.ts';
import { StartupProblem } from '../../domain/errors.ts';
import { type Finding, failure, failureOf, ok, warning } from '../../domain/finding.ts';
import { version } from '../../version.ts';
import { type Answering, askService } from '../ask-service.ts';
import { requireFreePort } from '../require-free-port.ts';

/** Whether the service runs and is well, or could listen. */
export async function examinePort(
  config: Pick<Config, 'listen' | 'port'>,
  address: string | null,
  answering: Answering | null,
): Promise<Finding[]> {
  if (!address || !answering) return [ok('port', 'PORT=0: any free port is taken.')];
  if (answering.kind === 'well')
    return [ok('port', `The service answers at ${address} and is well.`), ...judgeVersion(answering.version)];
  if (answering.kind === 'unwell')
    return answering.problems.map((problem) =>
      failure(
        'port',
        `The service at ${address} is unwell: ${problem}.`,
        'Look at its log, and at the lines above.',
      ),
    );
  try {
    await requireFreePort(config);
  } catch (error) {
    if (error instanceof StartupProblem) return [failureOf('port', error)];
    throw error;
  }
  return [ok('port', `No service runs at ${address}, and the port is free.`)];
}

function judgeVersion(running: string): Finding[] {
  if (running === version) return [];
  const sentence = `The service that runs is Pullquote ${running}, and this is ${version}.`;
  return [warning('version', sentence, 'Start the service anew to have it run this version.')];
}

/** Whether the service is reached under the name that people use. */
export async function examinePublicUrl(config: Config, isRunning: boolean): Promise<Finding> {
  const { publicUrl } = config;
  if (!publicUrl)
    return ok('address', 'PUBLIC_URL is not set: the service answers only under IP addresses and localhost.');
  return judgePublicUrl(publicUrl, await askService(config, publicUrl), isRunning);
}

export function judgePublicUrl(publicUrl: string, answering: Answering, isRunning: boolean): Finding {
  const at = `PUBLIC_URL=${publicUrl}`;
  const { kind } = answering;
  if (kind === 'well') return ok('address', `${at} leads to the service.`);
  if (kind === 'unwell')
    return failure('address', `${at} leads to a service that is unwell.`, 'Look at the log of that service.');
  if (kind === 'other') {
    const remedy = 'Have the proxy pass every path on to the service, or correct PUBLIC_URL.';
    return failure('address', `${at} is answered by something else than Pullquote.`, remedy);
  }
  const why = `${at} cannot be reached from here (${answering.reason})`;
  if (!isRunning)
    return warning('address', `${why}; the service does not run.`, 'Start it, then look again.');
  return warning(
    'address',
    `${why}, though the service runs.`,
    'Check its name in DNS, the proxy and its certificate; some networks do not lead back to themselves.',
  );
}
