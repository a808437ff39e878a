import { mostCommits } from '../../domain/pull-request-bounds.ts';

/** What stands above a diff about it. */
interface PatchWords {
  title: string;
  body: string;
  author: string;
}

/** Where one of several patches begins, as `git format-patch --stdout` and `git log -p` print them. */
const beginning = /^(?:From|commit) [0-9a-f]{40}\b/gm;

/** The words of each of several patches that are printed one after the other; none where there are none. */
export function wordsOfPatches(bytes: Buffer): PatchWords[] {
  const starts = Array.from(bytes.toString('latin1').matchAll(beginning), ({ index }) => index);
  return [0, ...starts.filter((start) => start > 0)]
    .slice(0, mostCommits)
    .map((start) => wordsOfPatch(bytes.toString('utf8', start, start + mostOfWords)))
    .filter(({ title }) => title !== '');
}

/** As much as is looked at of what stands above a diff. */
const mostOfWords = 100_000;

/** What the first lines of a diff begin with. */
const diffs = /^(?:diff |Index: |--- \S)/m;

/** Those of a patch of `git format-patch` or `hg export`, or of a commit of `git show`; empty where there are none. */
function wordsOfPatch(given: string): PatchWords {
  const text = (given.split(diffs)[0] ?? '').replaceAll('\r\n', '\n');
  return ofMail(text) ?? ofCommit(text) ?? ofChangeset(text) ?? { title: '', body: '', author: '' };
}

function ofMail(text: string): PatchWords | null {
  const [, headers, message = ''] =
    /^(?:From \w+ .*\n)?((?:[\w-]+: .*\n(?:[ \t].*\n)*)+)\n([\s\S]*)$/.exec(text) ?? [];
  if (headers === undefined || !/^Subject: /m.test(headers)) return null;
  const header = (name: string): string =>
    decodeWords(new RegExp(`^${name}: (.*(?:\\n[ \\t].*)*)`, 'm').exec(headers)?.[1] ?? '').replace(
      /\n[ \t]/g,
      ' ',
    );
  const body = message.split(/^---$/m)[0] ?? '';
  return wordsFrom(header('Subject').replace(/^(?:\[[^\]]*\]\s*)+/, ''), body, header('From'));
}

function ofCommit(text: string): PatchWords | null {
  const [, headers, message] =
    /^commit [0-9a-f]{7,64}.*\n((?:\w+: .*\n)*)\n((?: {4}.*\n|\n)+)/.exec(text) ?? [];
  if (headers === undefined || message === undefined) return null;
  const [subject = '', ...rest] = message.replace(/^ {4}/gm, '').trim().split('\n');
  return wordsFrom(subject, rest.join('\n'), /^Author: +(.*)$/m.exec(headers)?.[1] ?? '');
}

function ofChangeset(text: string): PatchWords | null {
  const [, headers, message] = /^# HG changeset patch\n((?:#.*\n)*)([\s\S]*)$/.exec(text) ?? [];
  if (headers === undefined || message === undefined) return null;
  // What comes last is the first line of the diff.
  const [subject = '', ...rest] =
    message
      .split(/^(?:diff|---) /m)[0]
      ?.trim()
      .split('\n') ?? [];
  return wordsFrom(subject, rest.join('\n'), /^# User (.*)$/m.exec(headers)?.[1] ?? '');
}

const wordsFrom = (title: string, body: string, author: string): PatchWords => ({
  title: title.trim(),
  body: body.trim(),
  author: author
    .replace(/\s*<[^<>]*>\s*$/, '')
    .replace(/^"(.*)"$/, '$1')
    .trim(),
});

/** Mail has words that are not ASCII in a form of their own, and no space between two of them. */
const decodeWords = (text: string): string =>
  text
    .replace(/(\?=)\s+(?==\?)/g, '$1')
    .replace(
      /=\?([\w-]+)\?([bq])\?([^?\s]*)\?=/gi,
      (whole, charset: string, form: string, coded: string) => decodeWord(charset, form, coded) ?? whole,
    );

function decodeWord(charset: string, form: string, coded: string): string | null {
  const bytes =
    form.toLowerCase() === 'b'
      ? Buffer.from(coded, 'base64')
      : Buffer.from(
          coded
            .replaceAll('_', ' ')
            .replace(/=([0-9a-f]{2})/gi, (_, digits: string) =>
              String.fromCharCode(Number.parseInt(digits, 16)),
            ),
          'latin1',
        );
  try {
    return new TextDecoder(charset).decode(bytes);
  } catch {
    return null;
  }
}
