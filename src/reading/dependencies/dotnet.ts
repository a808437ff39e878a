import type { SideLine } from '../hunk-sides.ts';
import type { Mention } from './mention.ts';

const reference =
  /<(?:PackageReference|PackageVersion|GlobalPackageReference|DotNetCliToolReference)\s[^>]{0,200}?(?:Include|Update)="([\w.-]{1,150})"([^>]{0,200})/;
const legacy = /<package\s+id="([\w.-]{1,150})"\s+version="([^"]{1,80})"/;
const development = /test|xunit|nunit|moq|coverlet|fluentassertions|analyzers?$/i;

/** Reads package references of a project file, of central versions and of the older packages.config. */
export function readMsbuild(lines: SideLine[]): Mention[] {
  const mentions: Mention[] = [];
  let open: string | null = null;
  const add = (name: string, version: string | null, line: SideLine): void => {
    mentions.push({ name, version, scope: development.test(name) ? 'development' : 'runtime', line });
  };
  for (const line of lines) {
    const [, id, old] = legacy.exec(line.text) ?? [];
    if (id && old) add(id, old, line);
    const [whole, name, rest = ''] = reference.exec(line.text) ?? [];
    if (name !== undefined && whole !== undefined) {
      const version = /\bVersion(?:Override)?="([^"]{1,80})"/.exec(rest)?.[1] ?? null;
      const isClosed = rest.trimEnd().endsWith('/');
      if (version !== null || isClosed) add(name, version, line);
      open = version === null && !isClosed ? name : null;
    }
    const nested = /^\s*<Version>([^<]{1,80})<\/Version>/.exec(line.text)?.[1];
    if (nested !== undefined && open !== null) add(open, nested, line);
    if (line.text.includes('</PackageReference>')) open = null;
  }
  return mentions;
}
