import type { FileText, HostPullRequest } from '../../code-hosts/code-host.ts';
import type { TextFetcher } from './outline-diff.ts';

/** Hands a thread the texts that a host brings, one at a time, and lets go of the host when it is closed. */
export function fetchTexts(
  fileTexts: HostPullRequest['fileTexts'],
): TextFetcher & { close: () => Promise<void> } {
  let texts: AsyncIterator<FileText> | null = null;
  return {
    async wantTexts(wanted) {
      texts = fileTexts?.(wanted)[Symbol.asyncIterator]() ?? null;
    },
    async nextText() {
      const next = await texts?.next();
      return next && !next.done ? next.value : null;
    },
    async close() {
      await texts?.return?.();
    },
  };
}
