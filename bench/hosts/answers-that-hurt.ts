import { gzipSync } from 'node:zlib';
import type { ScriptedAnswer } from '../../test/github/stand-in.ts';
import { mebibyte } from './watch-process.ts';

const json = { 'content-type': 'application/json' };

const bomb = gzipSync(Buffer.alloc(512 * mebibyte, ' '));

/** What a host might answer that is meant to hurt; after the last, which is nothing, it is left alone for half a minute. */
export const answersThatHurt: [string, ScriptedAnswer][] = [
  [
    'a bomb of 512 MiB',
    (response) => void response.writeHead(200, { ...json, 'content-encoding': 'gzip' }).end(bomb),
  ],
  [
    'without an end',
    (response) => {
      const more = () => void (response.destroyed || response.write(Buffer.alloc(mebibyte, ' '), more));
      response.writeHead(200, json);
      more();
    },
  ],
  [
    'a drop at a time',
    (response) => {
      const drip = setInterval(() => response.write(' '), 200);
      response.writeHead(200, json).on('close', () => clearInterval(drip));
    },
  ],
  ['a million values', (response) => void response.writeHead(200, json).end(`[${'{},'.repeat(1e6)}{}]`)],
  ['nothing', () => {}],
];
