import type { SideLine } from '../hunk-sides.ts';
import type { Mention } from './mention.ts';

const step =
  /^\s*(?:-\s+)?uses:\s*["']?([\w.-]+\/[\w./-]{1,150})@([\w./+-]{1,100})["']?(?:\s+#\s*(.{0,60}))?/;
const hash = /^[0-9a-f]{40}$/;

/** Reads the actions that a workflow uses. A commit is named by the version in the comment behind it. */
export function readWorkflow(lines: SideLine[]): Mention[] {
  return lines.flatMap((line) => {
    const [, name, reference, comment] = step.exec(line.text) ?? [];
    if (!name || !reference) return [];
    const said = hash.test(reference) ? /^\D{0,20}?(v?\d[\w.-]{0,40})/.exec(comment ?? '')?.[1] : undefined;
    return [{ name, version: said ?? reference, scope: 'development', line } satisfies Mention];
  });
}

export function readPreCommit(lines: SideLine[]): Mention[] {
  let name: string | null = null;
  return lines.flatMap((line) => {
    const [, url] = /^\s*(?:-\s*)?repo:\s*["']?(\S{1,200}?)["']?\s*$/.exec(line.text) ?? [];
    if (url !== undefined) name = /^https?:\/\/[^/]+\/(.+?)(?:\.git)?\/?$/.exec(url)?.[1] ?? null;
    const [, version, comment] =
      /^\s*(?:-\s*)?rev:\s*["']?([\w./+-]{1,100})["']?(?:\s+#\s*(?:frozen:\s*)?(\S{1,60}))?/.exec(
        line.text,
      ) ?? [];
    if (version === undefined || name === null) return [];
    const said = hash.test(version) ? comment : undefined;
    return [{ name, version: said ?? version, scope: 'development', line } satisfies Mention];
  });
}

const from = /^\s*FROM\s+(?:--platform=\S{1,80}\s+)?(\S{1,200})(?:\s+AS\s+(\S{1,100}))?\s*$/i;

/** Reads the images that an image is built on. */
export function readDockerfile(lines: SideLine[]): Mention[] {
  const stages = new Set<string>();
  return lines.flatMap((line) => {
    const [, image, stage] = from.exec(line.text) ?? [];
    if (stage !== undefined) stages.add(stage.toLowerCase());
    if (image === undefined || image.includes('$') || image === 'scratch') return [];
    if (stages.has(image.toLowerCase())) return [];
    const [, name, tag, digest] =
      /^((?:[\w.-]+(?::\d{1,5})?\/)?[\w./-]+?)(?::([\w.-]{1,128}))?(?:@(sha256:[0-9a-f]{64}))?$/.exec(
        image,
      ) ?? [];
    // A bare word may be a stage that begins above the hunk.
    if (name === undefined || (tag === undefined && digest === undefined && !name.includes('/'))) return [];
    return [{ name, version: tag ?? digest ?? null, scope: 'runtime', line } satisfies Mention];
  });
}
