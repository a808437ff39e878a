import { mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import type { Hunk } from '../src/contract/article-parts.ts';
import type { TestApp } from './build-app.ts';
import { tellByHand } from './doors/articles-by-hand.ts';
import { change, line, statement, type Told } from './doors/stated-parts.ts';
import { git, makeClone } from './make-clone.ts';

/** Line 1 and the last line are not indented; all others are. */
const textOf = (number: number): string =>
  number === 1 ? 'export class Long {' : number === 130 ? '}' : `  at${number} = ${number};`;

/** A clone whose pull request 2, merged or open, adds a file of 130 lines. */
export function makeLongFile(root: string, fullName: string, { isOpen = false } = {}): void {
  const clone = makeClone(root, fullName);
  if (isOpen) git(clone, 'switch', '--quiet', '--create', 'long');
  mkdirSync(join(clone, 'src'));
  const lines = Array.from({ length: 130 }, (_, index) => textOf(index + 1));
  writeFileSync(join(clone, 'src/long.ts'), `${lines.join('\n')}\n`);
  git(clone, 'add', '--all');
  git(clone, 'commit', '--quiet', '--message', isOpen ? 'feat: a long class' : 'feat: a long class (#2)');
  if (!isOpen) return;
  git(clone, 'update-ref', 'refs/pull/2/head', 'HEAD');
  git(clone, 'switch', '--quiet', 'main');
}

const hunk: Hunk = {
  fileName: 'src/long.ts',
  heading: 'Long',
  lines: [60, 61, 62].map((number) => line('added', number, textOf(number))),
  moreBefore: 0,
  moreAfter: 0,
};

/** Two sentences about lines in a hunk, with 59 lines above and 68 below it, and one about other lines. */
const aboutLongFile = (): Told => ({
  aiGeneratedTitle: 'A long class',
  mainChanges: [
    change(
      'src/long.ts',
      [
        statement('It begins at 60.', [['src/long.ts', 'new', 60]]),
        statement('It goes on to 62.', [['src/long.ts', 'new', 62]]),
        statement('It opens with a name.', [['src/long.ts', 'new', 1]]),
        statement('It closes, too.', [['src/long.ts', 'new', 130]]),
      ],
      { hunk },
    ),
  ],
});

/** Writes the article about that pull request and replaces its content; returns its id. */
export async function tellOfLongFile(app: TestApp, fullName: string, token: string): Promise<string> {
  const path = `/repos/${fullName}/pulls/2/article`;
  const { status, text, body } = await app.call('POST', path, { token, body: { language: 'en' } });
  if (status !== 201) throw new Error(text);
  const articleId: string = body.data.id;
  await tellByHand(app, { articleId, languageCode: 'en' }, aboutLongFile());
  return articleId;
}
