import { spawnSync } from 'node:child_process';
import { mkdirSync } from 'node:fs';
import { join } from 'node:path';
import { programSearchPath } from '../../src/config.ts';
import { quotePath } from './injection-points.ts';
import type { HostileText } from './texts.ts';

/** Where in a clone a text can stand. */
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

/** A bare clone at root/fullName.git with a merged pull request for each text, each at another place; says how many there are. */
export function makeHostileClone(
  root: string,
  fullName: string,
  texts: HostileText[],
  bytes: number,
): number {
  const folder = join(root, `${fullName}.git`);
  mkdirSync(folder, { recursive: true });
  const stream = [commit(0, { ...ordinary(0), subject: 'Begin' })];
  for (const [index, text] of texts.entries()) {
    const put = puts[index % puts.length] as Put;
    const { subject, ...rest } = put(text.make(bytes), index + 1);
    stream.push(commit(index + 1, { ...rest, subject: `${subject.trim() || 'x'} (#${index + 1})` }));
  }
  run(folder, ['init', '--quiet', '--bare', '--initial-branch=main', '.']);
  run(folder, ['fast-import', '--quiet'], Buffer.concat(stream));
  return texts.length;
}

function commit(mark: number, { subject, body, path, content }: ReturnType<Put>): Buffer {
  const message = Buffer.from(`${subject}\n\n${body}`.replaceAll('\0', ''));
  const bytes = Buffer.from(content);
  return Buffer.concat([
    Buffer.from(`commit refs/heads/main\nmark :${mark + 1}\n`),
    Buffer.from(
      `committer Rin Example <rin@example.org> ${1_700_000_000 + mark} +0000\ndata ${message.length}\n`,
    ),
    message,
    Buffer.from(
      `\n${mark > 0 ? `from :${mark}\n` : ''}M 100644 inline ${quotePath(path)('')}\ndata ${bytes.length}\n`,
    ),
    bytes,
    Buffer.from('\n'),
  ]);
}

function run(folder: string, parameters: string[], input?: Buffer): void {
  const environment = { PATH: programSearchPath(), GIT_CONFIG_GLOBAL: '/dev/null', GIT_CONFIG_NOSYSTEM: '1' };
  const { status, stderr } = spawnSync('git', ['-C', folder, ...parameters], { input, env: environment });
  if (status !== 0) throw new Error(`git ${parameters[0]}: ${stderr}`);
}
