import type { HostDefinition } from '../../src/code-hosts/host-definition.ts';
import type { ExampleSettings } from './example-host.ts';
import { isExampleToken } from './token-shapes.ts';

/** The smallest possible code host: only what a host must have. ARCHITECTURE.md explains the next steps. */
export const example: HostDefinition<ExampleSettings> = {
  id: 'example',
  name: 'Example',
  tokens: {
    // A real host has its own kind, listed in src/contract/service.ts.
    kind: 'localToken',
    isOne: isExampleToken,
    taken: 'a token of Example (ex_…)',
  },
  gitUse: { description: 'pull requests of Example', isForAll: true, fetches: true },
  open: async (settings, deps) => (await import('./example-host.ts')).openExampleHost(settings, deps),
  examine: async () => ({ findings: [], aheadMs: null }),
};
