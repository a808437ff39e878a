import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { programSearchPath } from '../../src/config.ts';
import { quotePath } from './injection-points.ts';
import type { HostileText } from './texts.ts';

/** The places in a clone that can contain text. */
type Put = (text: string, number: number) => { subject: string; body: string; path: string; content: string };

const oneLine = (text: string): string => text.replaceAll(/[\r\n]+/g, ' ');
const ordinary = (number: number) => ({
  subject: `Handle gap ${number}`,
  body: 'The cursor skipped a row.',
  path: `src/cursor-${number}.ts`,
  content: `export const cursor${number} = next(${number});\n`,
});

const puts: Put[] = [
  (text, number) => ({ ...ordinary(number), subject: oneLine(text) }),
  (text, number) => ({ ...ordinary(number), body: text }),
  (text, number) => ({ ...ordinary(number), content: text }),
  (text, number) => ({ ...ordinary(number), path: `docs/${number}.md`, content: text }),
  (text, number) => ({ ...ordinary(number), path: `config/${number}.yml`, content: text }),
  (text, number) => ({
    ...ordinary(number),
    path: `src/${oneLine(text).replaceAll(/[\0/]+/g, '-')}-${number}.ts`,
  }),
  (text, number) => ({ ...ordinary(number), path: `part-${number}/.gitattributes`, content: text }),
];

/**
 * A bare clone at root/fullName.git with a merged pull request for each text, each in another place; returns their
 * number.
 */
export function makeHostileClone(
  root: string,
  fullName: string,
  texts: HostileText[],
  bytes: number,
): number {
  const changes = texts.map((text, index) => {
    const { subject, body, path, content } = (puts[index % puts.length] as Put)(text.make(bytes), index + 1);
    return { subject, body, files: [{ path, content }] };
  });
  importChanges(root, fullName, changes);
  return texts.length;
}

interface Change {
  subject: string;
  body: string;
  files: { path: string; content: string }[];
}

/** A bare clone at root/fullName.git with a merged pull request for each change, numbered from 1. */
function importChanges(root: string, fullName: string, changes: Change[]): void {
  const folder = join(root, `${fullName}.git`);
  mkdirSync(folder, { recursive: true });
  const stream = [commit(0, { subject: 'Begin', body: '', files: [ordinary(0)] })];
  for (const [index, change] of changes.entries())
    stream.push(commit(index + 1, { ...change, subject: `${change.subject.trim() || 'x'} (#${index + 1})` }));
  run(folder, ['init', '--quiet', '--bare', '--initial-branch=main', '.']);
  run(folder, ['fast-import', '--quiet'], Buffer.concat(stream));
}

function commit(mark: number, { subject, body, files }: Change): Buffer {
  const message = Buffer.from(`${subject}\n\n${body}`.replaceAll('\0', ''));
  return Buffer.concat([
    Buffer.from(`commit refs/heads/main\nmark :${mark + 1}\n`),
    Buffer.from(
      `committer Rin Example <rin@example.org> ${1_700_000_000 + mark} +0000\ndata ${message.length}\n`,
    ),
    message,
    Buffer.from(`\n${mark > 0 ? `from :${mark}\n` : ''}`),
    ...files.flatMap(({ path, content }) => [
      Buffer.from(`M 100644 inline ${quotePath(path)('')}\ndata ${Buffer.byteLength(content)}\n`),
      Buffer.from(content),
      Buffer.from('\n'),
    ]),
  ]);
}

function run(folder: string, parameters: string[], input?: Buffer): void {
  const environment = { PATH: programSearchPath(), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const { status, stderr } = spawnSync('git', ['-C', folder, ...parameters], { input, env: environment });
  if (status !== 0) throw new Error(`git ${parameters[0]}: ${stderr}`);
}
