import assert from 'node:assert/strict';
import { test } from 'node:test';
import { Chance } from '../../test/chance.ts';
import {
  atMinute,
  type MadeFile,
  type MadeReview,
  type MadeThread,
  makeReview,
} from '../../test/make-review.ts';
import { runsWholeTables } from '../../test/tables.ts';
import { type Outcome, outcomesOf } from '../reading/reviews.ts';
import { tellReview } from './reviews.ts';

const base = `import { send } from './net.ts';

export async function upload(parts: Part[]) {
  const first = parts[0];
  return send(first);
}

export function close() {
  stop();
}
`;
const reviewed = `import { send } from './net.ts';

export async function upload(parts: Part[]) {
  const first = parts[0];
  for (const part of parts) {
    await send(part, { retries: 100 });
  }
  return parts.length;
}

export function close() {
  stop();
}
`;
const upload = (end: string | null, rest: Partial<MadeFile> = {}): MadeFile => ({
  path: 'src/upload.ts',
  base,
  reviewed,
  end,
  ...rest,
});
const sendLine = 'await send(part, { retries: 100 });';
const limited = reviewed.replace(
  `    ${sendLine}`,
  `    if (part.size > limit) throw new TooLarge(part);\n    ${sendLine}`,
);
const guard = 'if (part.size > limit) throw new TooLarge(part);';
const onSend = (end: string | null, said: string[], rest: Partial<MadeThread> = {}): MadeThread => ({
  file: upload(end),
  on: sendLine,
  said,
  ...rest,
});
const fenced = (code: string, language = ''): string => `\n\`\`\`${language}\n${code}\n\`\`\``;

interface Row extends MadeReview {
  name: string;
  /** Undefined for threads that are no review: those of bots and of the author. */
  outcome: Outcome | undefined;
  /** The sentence of the expected point; null if there is none. */
  told: string | null;
}

const one = (
  name: string,
  thread: MadeThread,
  outcome: Outcome | undefined,
  told: string | null,
  rest: MadeReview = {},
): Row => ({ name, threads: [thread], outcome, told, ...rest });

const retried = reviewed.replace('retries: 100', 'retries: 3, timeout: 5_000');
const renamed = reviewed.replaceAll('part,', 'piece,').replace('const part of', 'const piece of');
const batched = reviewed.replace(
  `  for (const part of parts) {\n    ${sendLine}\n  }\n`,
  `  await Promise.all(parts.map((part) => send(part, { retries: 100 })));\n`,
);
const lineTaken = 'A line that rin wrote in this comment is in the code as merged.';

const forced = (minute: number): MadeReview => ({
  pushes: [{ at: atMinute(minute), before: null, after: 'last', isForced: true }],
});

/** A new function under the name that it had when it was commented on, and the one that it has in the end. */
const defined = (then: string, end: string, more = ''): MadeFile => ({
  path: 'src/pack.ts',
  base: "import { zip } from './zip.ts';\n",
  reviewed: `import { zip } from './zip.ts';\n\n${then}(parts: Part[]) {\n  return parts.map(zip);\n}\n`,
  end: `import { zip } from './zip.ts';\n\n${end}(parts: Part[]) {\n  return parts.map(zip);\n}\n${more}`,
});
const askedForName =
  'rin: By our guideline it might make more sense to call this function `packedParts`, since it returns them.';

const twoLines = `    if (part.size > limit)\n      throw new TooLarge(part);`;
const failing = (end: string): MadeFile => ({
  path: 'src/check.ts',
  base: "import { zip } from './zip.ts';\n",
  reviewed: `import { zip } from './zip.ts';

export function check(part: Part) {
  if (part.size === 0)
    throw new Error('check does not support this');
  const found = zip(part);
  const size = sizeOf(found);
  const most = limitOf(part);
  const rest = most - size;
  return rest > 0;
}
`,
  end,
});

const farLines = Array.from({ length: 20 }, (_, at) => `other(${at});\n`).join('');

const general = (
  name: string,
  { end, said, sha }: { end: string; said: string; sha?: string },
  told: string | null,
): Row => ({ name, general: { said, file: upload(end), ...(sha && { sha }) }, outcome: undefined, told });

const rows: Row[] = [
  one(
    'a suggestion that was applied',
    onSend(retried, [
      `rin: A hundred retries can take minutes, should it give up earlier?${fenced('    await send(part, { retries: 3, timeout: 5_000 });', 'suggestion')}`,
      'author: Done.',
    ]),
    'takenOver',
    lineTaken,
  ),
  one(
    'code that stood there before, broken into other lines',
    onSend(
      reviewed.replace(
        `    ${sendLine}`,
        '    await send(\n      part,\n      { retries: 100 },\n      { timeout: 5_000 },\n    );',
      ),
      [
        `rin: Otherwise this line is too long to see it:${fenced('await send(\n      part,\n      { retries: 100 }\n    );', 'suggestion')}`,
      ],
    ),
    'functionChanged',
    null,
  ),
  one(
    'code that was taken over above the commented line',
    onSend(limited, [
      `rin: If we add this here, large parts can no longer block the others.${fenced(guard)}`,
    ]),
    'takenOver',
    lineTaken,
  ),
  one(
    'code that was taken over below the commented line, between lines that the host shows',
    onSend(
      reviewed.replace('  return parts.length;', '  await flushAll(parts);\n  return parts.length;'),
      [`rin: I think something must flush them in the end.${fenced('await flushAll(parts);')}`],
      { behind: 3 },
    ),
    'takenOver',
    lineTaken,
  ),
  one(
    'code that was taken over below the commented line, whose file the host shows',
    onSend(
      reviewed.replace('  return parts.length;', '  await flushAll(parts);\n  return parts.length;'),
      [`rin: I think something must flush them in the end.${fenced('await flushAll(parts);')}`],
      { ofFile: 3 },
    ),
    'takenOver',
    lineTaken,
  ),
  one(
    'code below the commented line, which may have been there before',
    onSend(reviewed.replace('  return parts.length;', '  await flushAll(parts);\n  return parts.length;'), [
      `rin: Is this enough, given what we do below?${fenced('await flushAll(parts);')}`,
    ]),
    null,
    null,
  ),
  one(
    'code that was there already when it was quoted',
    onSend(limited.replace('retries: 100', 'retries: 7'), [
      `rin: Why does this loop run one after the other?${fenced('for (const part of parts) {')}`,
    ]),
    'functionChanged',
    null,
  ),
  one(
    'a quoted number that is gone',
    onSend(reviewed.replace('retries: 100', 'retries: 3'), [
      'rin: `100` retries would keep a broken upload alive for an hour, can that be less?',
    ]),
    'changedAsNamed',
    'After this comment, `100` was removed here.',
  ),
  one(
    'a quoted name that came in',
    onSend(batched, [
      'rin: Could `Promise.all` send them at the same time? They do not depend on each other.',
    ]),
    'changedAsNamed',
    'After this comment, `Promise.all` was added here.',
  ),
  one(
    'a quoted name that moved to another file',
    onSend(
      reviewed.replace(sendLine, 'await sendPart(part);'),
      ['rin: Should `retries` be decided here?'],
      {},
    ),
    'functionChanged',
    null,
    { files: [{ path: 'src/net.ts', base: null, end: 'export const options = { retries: 100 };\n' }] },
  ),
  one(
    'a quoted name of which the whole diff is not known',
    onSend(reviewed.replace(sendLine, 'await sendPart(part);'), ['rin: Should `retries` be decided here?']),
    'functionChanged',
    null,
    { hasAllFiles: false },
  ),
  one(
    'a quoted name that stayed',
    onSend(limited, ['rin: Is `retries` what limits this?']),
    'functionChanged',
    null,
  ),
  one(
    'a quoted keyword',
    onSend(batched, ['rin: Do we need `await` and `const` in this loop at all?']),
    'functionChanged',
    null,
  ),
  one(
    'a function that merely changed',
    onSend(limited, ['rin: Are you sure about this loop?']),
    'functionChanged',
    null,
  ),
  one(
    'a comment that was refused',
    onSend(reviewed, ['rin: Could this be `Promise.all`?', 'author: No, order matters.']),
    null,
    null,
  ),
  one(
    'a comment on the last head',
    onSend(limited, [`rin: Please add this.${fenced(guard)}`], { sha: 'last' }),
    null,
    null,
  ),
  one(
    'a comment on a commit of a head that did not change any more',
    onSend(limited, [`rin: Please add this.${fenced(guard)}`], { minute: 10 }),
    null,
    null,
    { reviews: [['kim', 'approved', 'last', 5]] },
  ),
  one(
    'done in another pull request that mentions this one',
    onSend(reviewed, ['rin: This should have a limit.', 'author: I will do that in #334.']),
    'elsewhere',
    null,
    { references: [{ number: 334, isMerged: true }] },
  ),
  one(
    'promised in a pull request that was not merged',
    onSend(reviewed, ['rin: This should have a limit.', 'author: I will do that in #334.']),
    null,
    null,
    { references: [{ number: 334, isMerged: false }] },
  ),
  one(
    'a history that was replaced',
    onSend(limited, [`rin: I wonder if this should stop early.${fenced(guard)}`], { sha: 'gone' }),
    'takenOver',
    lineTaken,
    { pushes: [{ at: atMinute(20), before: 'gone', after: 'last', isForced: true }] },
  ),
  one(
    'a rebase that changed nothing',
    onSend(reviewed, ['rin: Could `Promise.all` do this?'], { sha: 'before the rebase' }),
    null,
    null,
    { pushes: [{ at: atMinute(20), before: 'before the rebase', after: 'last', isForced: true }] },
  ),
  one(
    'a rebase that moved the lines',
    onSend(`// One.\n// Two.\n// Three.\n${limited}`, [
      `rin: Large parts must not get through, please add:${fenced(guard)}`,
    ]),
    'takenOver',
    lineTaken,
  ),
  one(
    'an amended commit',
    onSend(
      reviewed.replace('retries: 100', 'retries: 3'),
      ['rin: Would `100` not be too many for a phone?'],
      {
        sha: 'amended',
      },
    ),
    'changedAsNamed',
    'After this comment, `100` was removed here.',
  ),
  one(
    'a file that was moved afterwards',
    {
      file: {
        path: 'src/upload.ts',
        base: null,
        reviewed,
        end: limited,
        endPath: 'src/net/upload.ts',
      },
      on: sendLine,
      said: [`rin: This needs a limit, or one part can fill the disk.${fenced(guard)}`],
    },
    'takenOver',
    lineTaken,
  ),
  one('a file that is gone in the end', onSend(base, ['rin: Could `Promise.all` do this?']), null, null),
  one(
    'a hunk that the host does not show',
    onSend(limited, [`rin: Please add this.${fenced(guard)}`], { behind: null }),
    null,
    null,
  ),
  one(
    'a head that the host does not say',
    onSend(limited, [`rin: Please add this.${fenced(guard)}`], { sha: null }),
    null,
    null,
  ),
  one(
    'a head that the host does not say, before a forced push',
    onSend(limited, [`rin: Large parts must not get through.${fenced(guard)}`], { sha: null }),
    'takenOver',
    lineTaken,
    forced(20),
  ),
  one(
    'a head that the host does not say, after the last forced push',
    onSend(limited, [`rin: Large parts must not get through.${fenced(guard)}`], { sha: null }),
    null,
    null,
    forced(5),
  ),
  one(
    'a name in the prose that came in',
    onSend(limited.replaceAll('part.size', 'partSizeOf(part)'), [
      'rin: Nothing limits them here, though partSizeOf knows how large they are. Should it be used?',
    ]),
    'changedAsNamed',
    'After this comment, `partSizeOf` was added here.',
  ),
  one(
    'a name in the prose of an address or of a person',
    onSend(limited.replaceAll('part.size', 'partSizeOf(part)'), [
      'rin: Should it not be limited as in https://example.com/partSizeOf, which @partSizeOf wrote?',
    ]),
    'functionChanged',
    null,
  ),
  one(
    'a line that was removed and came back',
    onSend(limited.replace('return parts.length', 'return send(first)'), [
      'rin: Callers rely on the answer to `send(first)`. Could it stay?',
    ]),
    'changedAsNamed',
    'After this comment, `send(first)` was added here.',
  ),
  one(
    'the name of an exported function that became what the comment asks for',
    {
      file: defined('export function packed', 'export function packedParts'),
      on: 'return parts.map(zip);',
      said: [askedForName],
    },
    'changedAsNamed',
    'After this comment, `packedParts` was added here.',
  ),
  one(
    'the name of a function of this file only that became what the comment asks for',
    {
      file: defined('function packed', 'function packedParts'),
      on: 'return parts.map(zip);',
      said: [askedForName],
    },
    'changedAsNamed',
    null,
  ),
  one(
    'the name that a comment asks for, given to another function',
    {
      file: defined(
        'export function packed',
        'export function pack',
        '\nexport function packedParts(parts: Part[]) {\n  return parts.filter(isPacked);\n}\n',
      ),
      on: 'return parts.map(zip);',
      said: [askedForName],
    },
    'functionChanged',
    null,
  ),
  one(
    'a suggested name of an exported function',
    {
      file: defined('export function packed', 'export function packedParts'),
      on: 'export function packed(parts: Part[]) {',
      said: [`rin: ${fenced('export function packedParts(parts: Part[]) {', 'suggestion')}`],
    },
    'takenOver',
    'After this comment, `packed` was renamed to `packedParts` here.',
  ),
  one(
    'a quoted name that got another one when the function was changed',
    {
      file: {
        ...defined('export function packed', ''),
        end: "import { zip } from './zip.ts';\n\nexport function packedAll(parts: Part[], level: number) {\n  return parts.map((part) => zip(part, level));\n}\n",
      },
      on: 'export function packed(parts: Part[]) {',
      said: ['rin: Does `packed` do this for all parts, or should it rather stop at the first?'],
    },
    'changedAsNamed',
    'After this comment, `packed` was renamed to `packedAll` here.',
  ),
  one(
    'other spaces around the name of an exported function',
    {
      file: defined('export function packed', 'export function packed '),
      on: 'export function packed(parts: Part[]) {',
      said: [`rin: ${fenced('export function packed (parts: Part[]) {', 'suggestion')}`],
    },
    'functionChanged',
    null,
  ),
  one(
    'a suggestion of several lines without a word',
    onSend(reviewed.replace(`    ${sendLine}`, `${twoLines}\n    ${sendLine}`), [
      `rin: ${fenced(`${twoLines}\n    ${sendLine}`, 'suggestion')}`,
    ]),
    'takenOver',
    '2 lines that rin wrote in this comment are in the code as merged.',
  ),
  one(
    'a suggestion of other spaces without a word',
    onSend(reviewed.replace('{ retries: 100 }', '{retries: 100}').replace('of parts)', 'of  parts)'), [
      `rin: ${fenced('  for (const part of  parts) {\n    await send(part, {retries: 100});', 'suggestion')}`,
    ]),
    'functionChanged',
    null,
  ),
  one(
    'a message above the commented line that is gone',
    {
      file: failing(
        failing('').reviewed?.replace(/if .*\n.*$/m, "if (part.size === 0) throw new Error('empty');") ?? '',
      ),
      on: 'return rest > 0;',
      said: ['rin: Then they will see `check does not support this`, which is confusing, I think.'],
    },
    'changedAsNamed',
    'After this comment, `check does not support this` was removed here.',
  ),
  one(
    'a short name far above the commented line that is gone',
    {
      file: failing(failing('').reviewed?.replace(/if .*\n.*$/m, 'assertFull(part);') ?? ''),
      on: 'return rest > 0;',
      said: ['rin: Then they will see an `Error`, which is confusing, I think.'],
    },
    'functionChanged',
    null,
  ),
  one(
    'code that is only easier to read',
    onSend(limited, [`rin: Maybe this would be a bit clearer?${fenced(guard)}`]),
    'takenOver',
    null,
  ),
  one(
    'a suggestion of a bot',
    onSend(limited, [`reviewer[bot]: This should have a limit.${fenced(guard)}`]),
    undefined,
    null,
  ),
  one(
    'what the author remarks',
    onSend(limited, [`author: I should add this.${fenced(guard)}`]),
    undefined,
    null,
  ),
  one(
    'a name that was replaced',
    onSend(renamed, ['rin: `part` says little here, could it be `piece`?']),
    'changedAsNamed',
    null,
  ),
  one(
    'a name that was replaced, beside other changes',
    onSend(`${renamed.replace('    await send', '    trace(piece.size, parts);\n    await send')}`, [
      'rin: I would use `piece` here, should we not?',
    ]),
    'changedAsNamed',
    null,
  ),
  one(
    'a name that came into many lines of the function',
    onSend(
      reviewed
        .replace('parts: Part[])', 'parts: Part[], most: number)')
        .replace(
          `    ${sendLine}`,
          `    if (part.size > most) skip(part, most);\n    log(most);\n    grow(most);\n    shrink(most);\n    ${sendLine}`,
        ),
      ['rin: Should the caller say how many bytes are too many, with `most`?'],
    ),
    'changedAsNamed',
    'After this comment, `most` was added here.',
  ),
  one('a nit', onSend(limited, [`rin: nit: could be checked first.${fenced(guard)}`]), 'takenOver', null),
  one(
    'a comment in the code',
    onSend(
      reviewed.replace(
        `    ${sendLine}`,
        `    // Parts are sent in their order, because servers append.\n    ${sendLine}`,
      ),
      [
        `rin: The order matters here, please say so.${fenced('// Parts are sent in their order, because servers append.')}`,
      ],
    ),
    'takenOver',
    null,
  ),
  one(
    'documentation',
    {
      file: {
        path: 'README.md',
        base: '# Upload\n\nIt sends parts.\n',
        reviewed: '# Upload\n\nIt sends parts.\nThey are sent in turn.\n',
        end: '# Upload\n\nIt sends parts.\nThey are sent in turn, and retried three times.\n',
      },
      on: 'They are sent in turn.',
      said: [
        `rin: Please say that they are retried.${fenced('They are sent in turn, and retried three times.', 'suggestion')}`,
      ],
    },
    'takenOver',
    null,
  ),
  one(
    'a suggestion without a word',
    onSend(retried, [
      `rin: ${fenced('    await send(part, { retries: 3, timeout: 5_000 });', 'suggestion')}`,
    ]),
    'takenOver',
    null,
  ),
  general(
    'code of a general comment that was taken over',
    { end: limited, said: `rin: Large parts must not get through, can you add this?${fenced(guard)}` },
    lineTaken,
  ),
  {
    name: 'code of a general comment that was taken over in the documentation, too',
    general: {
      said: `rin: Large parts must not get through, can you add this?${fenced(guard)}`,
      file: upload(limited),
      also: {
        path: 'README.md',
        base: '# Upload\n',
        reviewed: '# Upload\n\nIt sends.\n',
        end: `# Upload\n\nIt sends.\n${guard}\n`,
      },
    },
    outcome: undefined,
    told: lineTaken,
  },
  {
    name: 'code of a general comment with a line that is all over the file',
    general: {
      said: `rin: Large parts must not get through, can you add this?${fenced(`${guard}\nrelease(part);`)}`,
      file: {
        ...upload(`${limited}${'release(part);\n'.repeat(30)}`),
        base: `${base}${'release(part);\n'.repeat(30)}`,
        reviewed: `${reviewed}${'release(part);\n'.repeat(30)}`,
      },
    },
    outcome: undefined,
    told: lineTaken,
  },
  {
    name: 'short lines of a general comment that came in far from each other',
    general: {
      said: `rin: Can this be done first?${fenced('open();\nskip(part);')}`,
      file: {
        ...upload(`${limited.replace(guard, 'skip(part);')}${farLines}open();\n`),
        base: `${base}${farLines}`,
        reviewed: `${reviewed}${farLines}`,
      },
    },
    outcome: undefined,
    told: null,
  },
  general(
    'code of a general comment that was there already',
    {
      end: `${reviewed}stop();\n`,
      said: `rin: Should this be here?${fenced('for (const part of parts) {')}`,
    },
    null,
  ),
  general(
    'a name in a general comment that came in',
    { end: batched, said: 'rin: Nice. Could `Promise.all` send them at the same time?' },
    'After this comment, `Promise.all` was added here.',
  ),
  general(
    'a name in a general comment that was there already',
    {
      end: limited.replace('return parts', 'await send(last);\n  return parts'),
      said: 'rin: Should `send` be used?',
    },
    null,
  ),
  general(
    'a number in a general comment that got a case of its own',
    {
      end: reviewed.replace('    await', '    if (status === 100) continue;\n    await'),
      said: "rin: Don't forget that `100` should only be retried if the header is valid.",
    },
    'After this comment, `100` was added here.',
  ),
  general(
    'a general comment that asks for nothing',
    { end: batched, said: 'rin: Now I see that `Promise.all` is what this is about. Good work.' },
    null,
  ),
  general(
    'a general comment on the last head',
    { end: batched, said: 'rin: Could `Promise.all` send them at the same time?', sha: 'last' },
    null,
  ),
];

test(`each of ${rows.length} reviews has the expected outcome, and a point only if the code proves it`, () => {
  for (const { name, outcome, told, ...made } of rows) {
    const source = makeReview(made);
    assert.equal(outcomesOf(source)[0]?.outcome, outcome, name);
    const { points } = tellReview(source, 'en');
    assert.deepEqual(
      points.flatMap(({ statements }) => statements.map(({ text }) => text)),
      told === null ? [] : [told],
      name,
    );
  }
});

/** Lines that have nothing in common. */
const syllables = ['ba', 'ko', 'mi', 'ru', 'te', 'zu', 'lo', 'pe', 'shi', 'gan'];
const nameFrom = (chance: Chance): string => Array.from({ length: 8 }, () => chance.one(syllables)).join('');
const lineFrom = (chance: Chance): string =>
  `  ${nameFrom(chance)}(${nameFrom(chance)}, '${nameFrom(chance)}', ${chance.from(100, 999)});`;

/** A function that was edited after a comment that quotes nothing that came or went. */
function randomHistory(seed: number): MadeReview {
  const chance = new Chance(seed);
  const stays = Array.from({ length: chance.from(2, 6) }, () => lineFrom(chance));
  const wrap = (lines: string[]): string =>
    ['export function run() {', ...lines, '}', '', 'export function stop() {', '  halt();', '}', ''].join(
      '\n',
    );
  const insert = (lines: string[], most: number): string[] => {
    const all = [...lines];
    for (let count = chance.from(1, most); count > 0; count -= 1)
      all.splice(chance.from(0, all.length), 0, lineFrom(chance));
    return all;
  };
  const then = insert(stays, 4);
  // Some of what was commented on goes, and more comes.
  const kept = then.filter((line) => stays.includes(line) || chance.from(0, 1) === 0);
  const now = insert(kept, 4);
  const on = chance.one(then.filter((line) => !stays.includes(line)));
  const there = chance.one(kept.length > 0 ? kept : stays);
  const nowhere = lineFrom(chance);
  const [, name = ''] = /(\w+)\(/.exec(there) ?? [];
  const said = chance.one([
    'Are you sure about this? It should be done in another way.',
    `Is \`${name}\` not enough for this, or should it come first?`,
    `Could \`${nameFrom(chance)}\` be what we need here?`,
    `Could ${nameFrom(chance)}_${name} be what we need here, or ${name}Of${nameFrom(chance)}?`,
    `We already have this, why should it change?${fenced(there)}`,
    `Would this not be better here?${fenced(nowhere)}`,
    `Would this not be better here?${fenced(nowhere, 'suggestion')}`,
    fenced(`${nowhere}\n${lineFrom(chance)}`, 'suggestion'),
    `This is not what I expected, see \`${chance.from(1, 9)}\` and \`null\`.`,
  ]);
  const file = { path: 'src/run.ts', base: wrap(stays), reviewed: wrap(then), end: wrap(now) };
  const sha = chance.one(['first', 'gone']);
  const behind = chance.from(0, 3);
  const why = 'Otherwise large parts break the upload for all other users, I think.';
  const reasoned = chance.from(0, 2) === 0 ? `${why}\n\n${said}` : said;
  const answer = chance.one(['I see, done.', 'I would rather keep it, because nobody else depends on it.']);
  const words = [`rin: ${reasoned}`, `author: ${answer}`];
  const general = { said: `rin: ${said}`, file, sha };
  return {
    threads: [
      {
        file,
        on: on.trim(),
        said: words,
        sha: chance.one([sha, null]),
        behind,
        ofFile: chance.from(0, 1) * 20,
      },
    ],
    general,
    ...forced(20),
  };
}

const mostHistories = runsWholeTables ? 5_000 : 300;

test(`in none of ${mostHistories} random histories in which the commented function merely changed, a result is claimed`, () => {
  let [changed, quoted] = [0, 0];
  for (let seed = 1; seed <= mostHistories; seed += 1) {
    const source = makeReview(randomHistory(seed));
    if (outcomesOf(source)[0]?.outcome === 'functionChanged') changed += 1;
    for (const { outcome, statements, hunk } of tellReview(source, 'en').points) {
      assert.deepEqual([outcome, statements, hunk], ['discussed', [], null], `seed ${seed}`);
      quoted += 1;
    }
  }
  assert.ok(quoted > mostHistories / 5, `${quoted} discussions quoted`);
  assert.ok(changed > mostHistories / 3, `${changed} functions changed`);
});
