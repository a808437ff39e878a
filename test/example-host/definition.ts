import type { HostDefinition } from '../../src/code-hosts/host-definition.ts';
import type { ExampleSettings } from './example-host.ts';
import { isExampleToken } from './token-shapes.ts';

/** The smallest code host that there can be: what one has to have, and nothing more. ARCHITECTURE.md says how to go on. */
export const example: HostDefinition<ExampleSettings> = {
  id: 'example',
  name: 'Example',
  tokens: {
    // A host of the service has a kind of its own, which src/contract/service.ts lists.
    kind: 'localToken',
    isOne: isExampleToken,
    taken: 'a token of Example (ex_…)',
  },
  gitUse: { description: 'pull requests of Example', isForAll: true, fetches: true },
  open: async (settings, deps) => (await import('./example-host.ts')).openExampleHost(settings, deps),
  examine: async () => ({ findings: [], aheadMs: null }),
};
