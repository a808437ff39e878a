import { createHash } from 'node:crypto';
import { existsSync } from 'node:fs';
import { readFile, stat } from 'node:fs/promises';
import { dirname, join, relative, resolve } from 'node:path';
import type { FileText, HostPullRequest, WantedText } from '../../code-hosts/code-host.ts';
import type { GitRunner } from '../../code-hosts/git-runner/run-git.ts';
import type { FileDiff } from '../../reading/file-diff.ts';

/** Larger files are not outlined. */
const mostBytes = 1024 * 1024;

/** The files that a piped diff is about, where it is read within their repository: they tell what its lines lie in. */
export function besidePatch(openGit: () => Promise<GitRunner>, folder: string) {
  let opened: GitRunner | null = null;
  const textsOf = (files: FileDiff[]): HostPullRequest['fileTexts'] =>
    liesInRepository(folder)
      ? async function* (wanted) {
          const [git, { findOwnClone }, { readNamedTexts }] = await Promise.all([
            openGit(),
            import('../../code-hosts/git/own-clone.ts'),
            import('../../code-hosts/git-runner/read-objects.ts'),
          ]);
          opened = git;
          const clone = await findOwnClone(git, folder);
          if (!clone) return;
          const ids = idsOf(files, wanted);
          const missing = new Set(ids.keys());
          for await (const text of readNamedTexts(git, clone, ids)) {
            missing.delete(text.place);
            yield text;
          }
          yield* readCheckedOut(clone.root, { wanted, ids, missing });
        }
      : undefined;
  return { textsOf, close: async () => opened?.spawner.close() };
}

/** Before anything is loaded for it. */
function liesInRepository(folder: string): boolean {
  for (let at = resolve(folder); ; at = dirname(at)) {
    if (existsSync(join(at, '.git')) || existsSync(join(at, 'objects'))) return true;
    if (dirname(at) === at) return false;
  }
}

/** By what git prints of a file it is known which content it had and has, wherever that lies now. */
function idsOf(files: FileDiff[], wanted: WantedText[]): string[] {
  const bySide = new Map<string, string>();
  for (const { path, previousPath, bytes } of files) {
    const [, old, now] =
      /^index ([0-9a-f]{7,64})\.\.([0-9a-f]{7,64})/m.exec(bytes.toString('latin1', 0, 4_096)) ?? [];
    if (old) bySide.set(`old ${previousPath ?? path}`, old);
    if (now) bySide.set(`new ${path}`, now);
  }
  return wanted.map(({ path, side }) => bySide.get(`${side} ${path}`) ?? 'none');
}

/** What is not committed, and not added either, is in the folder alone: there it is taken where it is what the diff was made of. */
async function* readCheckedOut(
  root: string,
  { wanted, ids, missing }: { wanted: WantedText[]; ids: string[]; missing: Set<number> },
): AsyncGenerator<FileText> {
  for (const place of missing) {
    const { path = '', side } = wanted[place] ?? {};
    const file = join(root, path);
    if (side !== 'new' || relative(root, file).startsWith('..')) continue;
    const bytes = await readSmall(file);
    if (bytes && isBlob(bytes, ids[place] ?? '')) yield { place, text: bytes.toString('utf8') };
  }
}

async function readSmall(file: string): Promise<Buffer | null> {
  const about = await stat(file).catch(() => null);
  return about?.isFile() && about.size <= mostBytes ? readFile(file).catch(() => null) : null;
}

const isBlob = (bytes: Buffer, id: string): boolean =>
  createHash(id.length > 40 ? 'sha256' : 'sha1')
    .update(`blob ${bytes.length}\0`)
    .update(bytes)
    .digest('hex')
    .startsWith(id);
