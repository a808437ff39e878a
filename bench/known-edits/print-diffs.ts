import { execFileSync } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type MergedPullRequest, printEach } from '../mirrors.ts';
import type { KnownEdit, World } from './known-edit.ts';

/** The diff of each edit as git prints it: every edit becomes two commits of a temporary repository. */
export function printDiffs(edits: KnownEdit[]): Buffer[] {
  const folder = mkdtempSync(join(tmpdir(), 'known-edits-'));
  try {
    execFileSync('git', ['init', '-q', '--bare', folder]);
    const stream: Buffer[] = [];
    for (const [index, { before, after }] of edits.entries()) {
      commit(stream, 2 * index + 1, null, before);
      commit(stream, 2 * index + 2, 2 * index + 1, after);
    }
    const marks = join(folder, 'known-marks');
    execFileSync('git', ['-C', folder, 'fast-import', '--quiet', `--export-marks=${marks}`], {
      input: Buffer.concat(stream),
      maxBuffer: 2 ** 30,
    });
    const printed = execFileSync('cat', [marks]).toString();
    const shas = new Map(
      Array.from(printed.matchAll(/^:(\d+) ([0-9a-f]+)$/gm), ([, mark, sha]) => [Number(mark), sha ?? '']),
    );
    const pullRequests = edits.map(
      (_, index): MergedPullRequest => ({
        sha: shas.get(2 * index + 2) ?? '',
        parent: shas.get(2 * index + 1) ?? null,
        title: '',
        body: '',
      }),
    );
    return printEach(folder, pullRequests).map((diff) => diff ?? Buffer.alloc(0));
  } finally {
    rmSync(folder, { recursive: true });
  }
}

function commit(stream: Buffer[], mark: number, parent: number | null, files: World): void {
  const from = parent === null ? '' : `from :${parent}\n`;
  // Each commit has its own time, so that no two are equal.
  stream.push(
    Buffer.from(
      `commit refs/heads/edit-${mark}\nmark :${mark}\ncommitter a <a@example.com> ${mark} +0000\ndata 0\n${from}`,
    ),
  );
  for (const [path, text] of files) {
    const bytes = Buffer.from(text);
    stream.push(Buffer.from(`M 100644 inline ${path}\ndata ${bytes.length}\n`), bytes, Buffer.from('\n'));
  }
  stream.push(Buffer.from('\n'));
}
