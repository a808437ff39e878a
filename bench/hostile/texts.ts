import { pieces } from './pieces.ts';

/** A text of strangers, as a rule that makes a text of any length. */
export interface HostileText {
  name: string;
  make: (bytes: number) => string;
}

const openings = [
  '[',
  '![',
  '(',
  '{',
  '<',
  '「',
  '『',
  '（',
  '【',
  '“',
  '`',
  '```',
  '*',
  '**',
  '_',
  '__',
  '~~',
  '<b>',
  '<details>',
  '<!--',
  '> ',
  '- ',
  '1. ',
  '[a](',
  '![a](',
  '[a][',
  '[^',
  '{{',
  '${',
  '"',
  "'",
  '/*',
  '<div hidden>',
  '<a href="',
  '&lt;',
  '#{',
];
const closings = [
  ']',
  ']',
  ')',
  '}',
  '>',
  '」',
  '』',
  '）',
  '】',
  '”',
  '`',
  '```',
  '*',
  '**',
  '_',
  '__',
  '~~',
  '</b>',
  '</details>',
  '-->',
  '\n',
  '\n',
  '\n',
  ')',
  ')',
  ']',
  ']',
  '}}',
  '}',
  '"',
  "'",
  '*/',
  '</div>',
  '">',
  '&gt;',
  '}',
];

const fill = (piece: string, bytes: number): string =>
  piece.repeat(Math.max(1, Math.round(bytes / Buffer.byteLength(piece))));

function ofPieces(): HostileText[] {
  return pieces.flatMap((piece) => {
    const shown = JSON.stringify(piece);
    const asLines = { name: `${shown} on each line`, make: (bytes: number) => fill(`${piece}\n`, bytes) };
    const ending = { name: `${shown} repeated`, make: (bytes: number) => `x ${fill(piece, bytes)} y` };
    return piece.includes('\n') ? [ending] : [ending, asLines];
  });
}

function ofPairs(): HostileText[] {
  return openings.flatMap((open, index) => {
    const close = closings[index] ?? '';
    const shown = JSON.stringify(open);
    const half = (bytes: number) => bytes / 2;
    return [
      { name: `${shown} never closed`, make: (bytes: number) => `x ${fill(open, bytes)} y` },
      {
        name: `${shown} with words, never closed`,
        make: (bytes: number) => `x ${fill(`${open}a `, bytes)} y`,
      },
      {
        name: `${shown} nested`,
        make: (bytes: number) => {
          const depth = Math.round(bytes / Buffer.byteLength(open + close));
          return `x ${open.repeat(depth)}a${close.repeat(depth)} y`;
        },
      },
      {
        name: `${shown} half closed`,
        make: (bytes: number) => `x ${fill(open, half(bytes))} a ${fill(`${close} `, half(bytes))} y`,
      },
      { name: `${shown} in pairs`, make: (bytes: number) => `x ${fill(`${open}a${close} `, bytes)} y` },
      {
        name: `${shown} behind a long word`,
        make: (bytes: number) => `${fill('a', half(bytes))}${fill(open, half(bytes))}`,
      },
    ];
  });
}

/** Lines of the same form that differ from each other: # stands for a number that each has for itself. */
const numbered = [
  '// the word# of other# because it# is so#.',
  '# the word# of other# because it# is so#.',
  ' * the word# of other# because it# is so#.',
  'if (a# > b#) { call#(c#); }',
  'if a# > b#:',
  'throw new Error("the thing# went wrong with other#");',
  'raise ValueError("the thing# went wrong with other#")',
  'object#.method#(first#, second#);',
  "test('does thing# with other#', () => { expect(a#).toBe(#); });",
  'def test_thing#(self):',
  'function name#(a#, b#) { return a# + #; }',
  'def name#(a#, b#):',
  'class Name# extends Base# {}',
  "import { name# } from './module#';",
  '## The heading# of part#',
  '* The item# of list# says thing#',
  'The item# of list# says thing# to word#.\n',
  'key#: value#',
  'KEY# = "value#"',
  'package#==1.#.0',
  '  "package#": "^1.#.0",',
  'const value# = #;',
  '| a# | b# |',
  'return first# ?? second#;',
];

function ofNumbered(): HostileText[] {
  return numbered.map((line) => ({
    name: `${JSON.stringify(line)} numbered`,
    make: (bytes) =>
      Array.from({ length: Math.round(bytes / (line.length + 6)) }, (_, index) =>
        line.replace(/(?<!^)#(?!#)|^#(?![# ])/g, String(index)),
      ).join('\n'),
  }));
}

export const hostileTexts: HostileText[] = [...ofPieces(), ...ofPairs(), ...ofNumbered()];
