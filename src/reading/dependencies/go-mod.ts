import type { SideLine } from '../hunk-sides.ts';
import type { Mention } from './mention.ts';

const requirement = /^(?:\t| {1,8}|require\s+)([\w.~-]+(?:\/[\w.~-]+)*)\s+(v\d[\w.+-]*)\s*(\/\/ indirect)?/;

export function readGoMod(lines: SideLine[]): Mention[] {
  const mentions: Mention[] = [];
  let block: string | null = null;
  for (const line of lines) {
    const [, opened] = /^(require|replace|exclude|retract|tool)\s*\(/.exec(line.text) ?? [];
    if (opened) block = opened;
    else if (line.text.startsWith(')')) block = 'none';
    const [, language] = /^go (\d[\w.]*)/.exec(line.text) ?? [];
    if (language) mentions.push({ name: 'go', version: language, scope: 'runtime', line });
    // An arrow puts one module in the place of another and requires nothing.
    if (
      line.text.includes('=>') ||
      (block !== null && block !== 'require' && !line.text.startsWith('require'))
    ) {
      continue;
    }
    const [, name, version, indirect] = requirement.exec(line.text) ?? [];
    if (name && version) {
      mentions.push({ name, version, scope: 'runtime', line, isIndirect: indirect !== undefined });
    }
  }
  return mentions;
}
