import { MovedMeanwhile } from '../code-host.ts';
import type { HostCaller } from '../http/host-api.ts';
import { HostClient } from '../http/host-client.ts';
import { brokenAnswer, isAbsent } from '../http/host-failures.ts';
import { usualResource } from '../http/rate-limits.ts';

/** Asks Gitea, which says of lists how many items they have. */
export class GiteaClient extends HostClient {
  /** How many items there are of a list of something that was found before. */
  async count(path: string, caller: HostCaller): Promise<number> {
    const address = `${this.api.address}${path}`;
    const { status, headers } = await this.ask({ address, resource: usualResource, isCostly: true }, caller);
    if (isAbsent(status)) throw new MovedMeanwhile();
    const total = Number(headers['x-total-count'] ?? Number.NaN);
    if (!Number.isSafeInteger(total)) throw brokenAnswer(this.api.name);
    return total;
  }
}
