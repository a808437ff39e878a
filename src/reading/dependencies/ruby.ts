import type { SideLine } from '../hunk-sides.ts';
import type { Mention, Scope } from './mention.ts';

const gem = /^\s*gem[\s(]\s*["']([\w.-]{1,100})["'](.*)$/;
const specification =
  /^\s*\w{1,20}\.add_(runtime_|development_)?dependency[\s(]\s*["']([\w.-]{1,100})["'](.*)$/;
const constraint = /^\s*,\s*["']([^"']{1,80})["'](?:\s*,\s*["']([^"']{1,80})["'])?/;

function versionIn(rest: string): string | null {
  const [, first, second] = constraint.exec(rest) ?? [];
  if (first === undefined || !/\d/.test(first)) return null;
  return second === undefined ? first : `${first}, ${second}`;
}

export function readGemfile(lines: SideLine[]): Mention[] {
  const mentions: Mention[] = [];
  let group: Scope | null = null;
  for (const line of lines) {
    const [, groups] = /^\s*group\s*\(?\s*(:[\w:,\s]{1,100}?)\)?\s+do\b/.exec(line.text) ?? [];
    if (groups !== undefined) group = /:(?:default|production)\b/.test(groups) ? 'runtime' : 'development';
    else if (/^end\b/.test(line.text)) group = 'runtime';
    const [, name, rest = ''] = gem.exec(line.text) ?? [];
    if (name === undefined) continue;
    const isForDevelopment =
      /\bgroups?:\s*\[?\s*:(?:development|test)|:group\s*=>\s*\[?\s*:(?:development|test)/.test(rest);
    mentions.push({ name, version: versionIn(rest), scope: isForDevelopment ? 'development' : group, line });
  }
  return mentions;
}

export function readGemspec(lines: SideLine[]): Mention[] {
  return lines.flatMap((line) => {
    const [, kind, name, rest = ''] = specification.exec(line.text) ?? [];
    if (name === undefined) return [];
    const scope = kind === 'development_' ? 'development' : 'runtime';
    return [{ name, version: versionIn(rest), scope, line } satisfies Mention];
  });
}
