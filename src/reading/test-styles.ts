/** How tests are written down: in one line, or by a mark above a function. */
export interface TestStyle {
  /** Each captures the name, or the parts of it. */
  named: readonly RegExp[];
  mark?: RegExp;
  /** What may stand below a mark and captures the name. */
  marked?: RegExp;
  /** A call that was opened and waits for its name on the next line. */
  opened?: RegExp;
}

const text = `(?:'((?:[^'\\\\]|\\\\.){1,300})'|"((?:[^"\\\\]|\\\\.){1,300})"|\`((?:[^\`\\\\]|\\\\.){1,300})\`)`;

/** A group of tests, named by a text or by what they are about. */
const group = new RegExp(
  `^(?:RSpec\\.)?(?:describe|fdescribe|xdescribe|context|suite|group|feature)(?:\\.\\w{1,20}){0,3}\\s{0,2}[\\s(]\\s{0,4}(?:${text}|([A-Z][\\w:]{1,100})\\b)`,
);

const scriptCall =
  '(?:(?:t|tt|Deno|QUnit|suite)\\.)?(?:it|test|bench|specify|fit|xit|xtest)(?:\\.\\w{1,20}){0,3}';

const script: TestStyle = {
  named: [
    new RegExp(`^\\s*(?:await |void |return )?${scriptCall}\\(\\s{0,4}${text}`),
    new RegExp(`^\\s*(?:${scriptCall}\\(.{0,300}?)?\\]\\)\\(\\s{0,4}${text}`),
    new RegExp(`^\\s*${text},?\\s*$`),
  ],
  opened: new RegExp(`^\\s*(?:await )?(?:${scriptCall}|\\]\\))\\(\\s*$`),
};

const method =
  /^\s*(?:(?:public|private|protected|internal|static|final|open|override|suspend|async|synchronized|virtual)\s)*(?:fun\s(?:`([^`]{1,200})`|(\w{1,150}))|[\w<>[\],.?]{1,80}\s(\w{1,150}))\s?\(/;
const junit: TestStyle = {
  // Before there were marks, a test was known by its name.
  named: [/^\s*(?:public\s+)?(?:void|fun)\s+(test[A-Z_]\w{0,150})\s?\(/],
  mark: /^\s*@(?:Test|ParameterizedTest|RepeatedTest|TestFactory|TestTemplate)\b(?:\([^)]{0,100}\))?/,
  marked: method,
};
const ruby: TestStyle = {
  named: [
    new RegExp(`^\\s*(?:it|specify|scenario|test|should)\\s{0,2}\\(?${text}`),
    /^\s*def (test_\w{1,150})/,
  ],
};
const cpp: TestStyle = {
  named: [
    /^\s*TEST(?:_F|_P)?\((\w{1,100}),\s{0,4}(\w{1,100})\)/,
    /^\s*(?:TEST_CASE|SCENARIO|SECTION)\("([^"]{1,200})"/,
  ],
};

const scriptEndings = ['js', 'mjs', 'cjs', 'jsx', 'ts', 'mts', 'cts', 'tsx', 'vue', 'svelte'];

/** By the ending of the file. */
export const testStyles: ReadonlyMap<string, TestStyle> = new Map<string, TestStyle>([
  ...scriptEndings.map((ending): [string, TestStyle] => [ending, script]),
  ['py', { named: [/^\s*(?:async )?def (test(?:_\w{1,150}|[A-Z]\w{0,150}))\s?\(/] }],
  [
    'go',
    {
      named: [
        /^func (?:\(\w{1,20} \*?\w{1,60}\) )?((?:Test|Benchmark|Fuzz)[A-Z0-9_]\w{0,150})\((?:\w{1,10} \*testing\.[TBF]\b|\))/,
        /^\s*\w{1,6}\.Run\("((?:[^"\\]|\\.){1,300})",/,
      ],
    },
  ],
  [
    'rs',
    {
      named: [],
      mark: /^\s*#\[(?:\w{1,40}::){0,3}(?:test|rstest|quickcheck|bench|test_case|wasm_bindgen_test)\b/,
      marked: /^\s*(?:pub )?(?:async )?fn (\w{1,150})/,
    },
  ],
  ['java', junit],
  ['kt', junit],
  ['scala', { ...junit, named: [/^\s*(?:test|it)\("((?:[^"\\]|\\.){1,300})"/] }],
  [
    'cs',
    {
      named: [],
      mark: /^\s*\[\w{0,40}(?:Fact|Theory|Test|TestMethod|TestCase|TestCaseSource)\b[^\]]{0,300}\]?/,
      marked: method,
    },
  ],
  [
    'php',
    {
      named: [
        /^\s*(?:(?:public|final|static) ){0,3}function (test\w{1,150})\s?\(/,
        new RegExp(`^\\s*(?:it|test)\\(${text}`),
      ],
      mark: /^\s*(?:#\[Test\b[^\]]{0,100}\]|(?:\/\*)?\* @test\b)/,
      marked: /^\s*(?:(?:public|final|static) ){0,3}function (\w{1,150})\s?\(/,
    },
  ],
  ['rb', ruby],
  ['ex', { named: [/^\s*(?:test|property)\s"((?:[^"\\]|\\.){1,300})"/] }],
  ['exs', { named: [/^\s*(?:test|property)\s"((?:[^"\\]|\\.){1,300})"/] }],
  ['dart', { named: [new RegExp(`^\\s*(?:test|testWidgets|blocTest)\\(\\s{0,2}${text}`)] }],
  [
    'swift',
    {
      named: [/^\s*func (test\w{1,150})\(/],
      mark: /^\s*@Test\b(?:\([^)]{0,200}\))?/,
      marked: /^\s*func (\w{1,150})\(/,
    },
  ],
  ['bats', { named: [/^@test ["']([^"']{1,300})["']/] }],
  ['feature', { named: [/^\s*Scenario(?: Outline)?:\s{1,4}(\S.{0,300})$/] }],
  ['cc', cpp],
  ['cpp', cpp],
]);

/** The name of the test that a line begins, below a mark or a call that was opened. */
export function testNameIn(
  text: string,
  style: TestStyle,
  { isMarked, isOpened }: { isMarked: boolean; isOpened: boolean },
): string | null {
  if (isMarked && style.marked) {
    const match = style.marked.exec(text);
    if (match) return partsIn(match);
  }
  for (const [index, pattern] of style.named.entries()) {
    // The last pattern of a style with opened calls is a name that stands alone.
    if (style.opened && index === style.named.length - 1 && !isOpened) continue;
    const match = pattern.exec(text);
    if (match) return partsIn(match);
  }
  return null;
}

function partsIn(match: RegExpExecArray): string {
  return match
    .slice(1)
    .filter((part) => part !== undefined)
    .join('.')
    .replaceAll(/\\(['"`\\])/g, '$1');
}

/** The name of a group of tests that a line opens. */
export function testGroupIn(line: string): string | null {
  const match = group.exec(line);
  return match && partsIn(match);
}
