import type { Config } from '../config.ts';
import { UsageProblem } from './command.ts';

/** The code host that --host names, or else the first of the settings. */
export function chooseHost(given: string | undefined, { codeHosts }: Config): Config['codeHosts'][number] {
  const host = given ?? codeHosts[0];
  const known = codeHosts.find((id) => id === host);
  if (!known)
    throw new UsageProblem(
      `--host must be one of those that CODE_HOST names, which is ${codeHosts.join(' or ')}.`,
    );
  return known;
}
