import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import type { Evidence } from '../src/reading/facts.ts';
import { type FileDiff, linesOf } from '../src/reading/file-diff.ts';
import { parseDiff } from '../src/reading/parse-diff.ts';
import type { Sentence } from '../src/writing/draft.ts';
import { checkSentence } from '../src/writing/verify/check-sentence.ts';
import { Ground } from '../src/writing/verify/ground.ts';
import { mergedPullRequests, printEach } from './mirrors.ts';

// Gives sentences that people wrote about pull requests to the check, as a writer would, and counts those that it loses.
// The file has a line "owner/name#number" before what is written about it, and behind every sentence, in _( )_, whether it
// rests on the diff and where: a file's name, then + or - and the lines.
const usage = 'Usage: node bench/hand-written.ts FILE FOLDER-OF-MIRRORS';

const { positionals } = parseArgs({ allowPositionals: true });
const [file, mirrors] = positionals;
if (!file || !mirrors) {
  console.log(usage);
  process.exit(2);
}

const about = /^([\w.-]+)\/([\w.-]+)#(\d+)$/;
const written = /(\S[^\n]*?)\s_\((diff|words|judgement): ([^)\n]*)\)_/g;
const reference = /`([^`]+)` ((?:[+-]\d+(?:-\d+)?(?:, )?)+)/g;

/** Where a sentence says that it can be seen; a name that several files end with means the one that has the lines. */
function evidenceIn(references: string, diff: FileDiff[]): Evidence[] {
  return Array.from(references.matchAll(reference)).flatMap(([, name = '', places = '']) =>
    Array.from(places.matchAll(/([+-])(\d+)(?:-(\d+))?/g), ([, sign, start, end]): Evidence[] => {
      const side = sign === '+' ? 'new' : 'old';
      const [startLine, endLine] = [Number(start), Number(end ?? start)];
      const candidates = diff.filter(({ path }) => path === name || path.endsWith(`/${name}`));
      const found = candidates.find((one) => isChangedIn(one, side, startLine, endLine)) ?? candidates[0];
      return found ? [{ fileName: found.path, side, startLine, endLine }] : [];
    }).flat(),
  );
}

function isChangedIn({ hunks }: FileDiff, side: Evidence['side'], start: number, end: number): boolean {
  const [changed, number] =
    side === 'new' ? (['added', 'newLine'] as const) : (['removed', 'oldLine'] as const);
  return hunks.flatMap(linesOf).some((line) => {
    const at = line[number];
    return line.side === changed && at !== null && at >= start && at <= end;
  });
}

let diff: FileDiff[] = [];
let all = 0;
const lost: string[] = [];
for (const line of readFileSync(file, 'utf8').split('\n')) {
  const [, owner, name, number] = about.exec(line.trim()) ?? [];
  if (owner !== undefined) {
    const mirror = join(mirrors, `${owner}+${name}`, 'repo');
    const wanted = mergedPullRequests(mirror).filter(
      ({ title }) => title.endsWith(`(#${number})`) || title.startsWith(`Merge pull request #${number} `),
    );
    const [bytes] = printEach(mirror, wanted.slice(0, 1));
    diff = bytes ? parseDiff(bytes) : [];
  }
  for (const [, text = '', basis, references = ''] of line.matchAll(written)) {
    if (basis !== 'diff' || diff.length === 0) continue;
    const evidence = evidenceIn(references, diff);
    const sentence: Sentence = {
      text: text.replace(/^(?:-|\d+\.)\s+(?:\*\*`[^`]+`\*\*\s)?/, ''),
      basis,
      quote: null,
      evidence,
      words: [],
      facts: [],
    };
    all++;
    const place = { fileName: null, isSummary: false, before: [] };
    const { kept } = checkSentence(sentence, new Ground({ diff, words: [] }), place);
    if (!kept) lost.push(sentence.text);
  }
}
console.log(`${all} sentences that rest on the diff, ${lost.length} lost`);
for (const text of lost) console.log(`  LOST ${text}`);
