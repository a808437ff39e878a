import type { SideLine } from '../hunk-sides.ts';
import type { Mention } from './mention.ts';

const tuple = /^\s*(?:defp? deps,? ?do: )?(?:\[\s*)?\{:([a-z]\w{0,80}),\s*(.*)$/;

export function readMix(lines: SideLine[]): Mention[] {
  return lines.flatMap((line) => {
    const [, name, rest = ''] = tuple.exec(line.text) ?? [];
    if (name === undefined) return [];
    const version = /^"([^"]{1,80})"/.exec(rest)?.[1] ?? null;
    const isComputed = /^(?:@\w+|[a-z]\w*\(\))\s*[,}]/.test(rest);
    const isFound = isComputed || /\b(?:git|github|path|in_umbrella):/.test(rest);
    // Any other pair of this form is a setting.
    if (version === null ? !isFound : !/\d/.test(version)) return [];
    const only = /\bonly:\s*(\[[^\]]{0,80}\]|:\w+)/.exec(rest)?.[1];
    const scope = only !== undefined && !only.includes(':prod') ? 'development' : 'runtime';
    return [{ name, version, scope, line } satisfies Mention];
  });
}
