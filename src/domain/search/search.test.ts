import assert from 'node:assert/strict';
import { test } from 'node:test';
import { findMatches } from './find-matches.ts';
import {
  fileFacts,
  fileQuestion,
  indexedWords,
  type Section,
  stretchBits,
  stretchesFrom,
} from './indexed-words.ts';
import { isProblem, type Question, queryInOrder, queryOf, rankClasses, readQuestion } from './question.ts';
import { addWords, type Places, wordOf } from './words.ts';

function wordsOf(text: string): string[] {
  const places: Places = new Map();
  addWords(places, text, 1);
  return [...places.keys()];
}

function ask(typed: string): Question {
  const question = readQuestion(typed);
  assert.ok(!isProblem(question), typed);
  return question;
}

const asked = (typed: string) => ask(typed).terms.map((term) => queryInOrder([term]) ?? queryOf(term));

test('`wordOf` gives English inflections one stem and leaves other words as they are', () => {
  const stems: Record<string, string[]> = {
    router: ['router', 'routers'],
    retri: ['retry', 'retries', 'retried'],
    gener: ['generate', 'generated', 'generating', 'generation', 'generations'],
    connect: ['connect', 'connection', 'connected', 'connecting'],
    happi: ['happy', 'happiness'],
    hope: ['hope', 'hoping', 'hopes'],
    hop: ['hop', 'hopping', 'hopped'],
    relat: ['relational', 'relate', 'relation'],
    us: ['use', 'uses', 'used', 'using'],
    agre: ['agreed', 'agree'],
    control: ['controlling', 'controlled', 'control'],
    cach: ['Cache', 'CACHES', 'cached', 'caching'],
    constructor: ['constructor'],
    proto: ['proto'],
    // English endings after a digit or a letter outside English are not removed.
    sha256es: ['sha256es'],
    '2026': ['2026'],
    ルーター: ['ルーター'],
    großes: ['größes'],
    тестing: ['тестing'],
    [`${'b'.repeat(99)}i`]: [`${'b'.repeat(99)}ies`],
  };
  for (const [stem, words] of Object.entries(stems))
    for (const word of words) assert.deepEqual([word, wordOf(word)], [word, stem]);
});

test('paths, names and numbers are indexed whole and by their parts, and queries match each spelling', () => {
  const text = 'Router::merge in src/http/app.ts, `retryCount`, HTTPServer, utf8, #12 and ＡＢＣ of Café';
  assert.deepEqual(
    wordsOf(text),
    [
      'router',
      'router.merge',
      'merg',
      'src',
      'src.http',
      'http',
      'http.app',
      'app',
      'app.ts',
      'ts',
      'retrycount',
      'retri',
    ].concat([
      'retry.count',
      'count',
      'httpserver',
      'http.server',
      'server',
      'utf8',
      '#12',
      '12',
      'abc',
      'cafe',
    ]),
  );
  assert.deepEqual(asked('app.ts retry_count JavaScript error-handling #12'), [
    "('app.ts')",
    "('retry.count')",
    "('javascript' | ('java.script'))",
    "'error'",
    "'handl'",
    "'#12'",
  ]);
  assert.deepEqual(fileFacts('src/http/App.ts'), ['=fsrc/http/app.ts', '=fhttp/app.ts', '=fapp.ts']);
  assert.deepEqual(fileQuestion('./src/HTTP/'), { file: '=fsrc/http', folder: '=fsrc/http/' });
});

test('text without spaces is indexed by pairs of characters, and a single character matches the start of a pair', () => {
  assert.deepEqual(wordsOf('リトライ を3回'), ['リト', 'トラ', 'ライ', 'イ', 'を', '3', '回']);
  assert.deepEqual(wordsOf('ﾘﾄﾗｲ'), ['リト', 'トラ', 'ライ', 'イ']);
  assert.deepEqual(asked('リ リト リトラ リトライ retry再試行'), [
    "'リ':*",
    "('リト')",
    "('リト' & 'トラ')",
    "('リト' <1> 'トラ' <1> 'ライ')",
    "'retri'",
    "('再試' & '試行')",
  ]);
  assert.deepEqual(wordsOf('한국어 ทดสอบ'), ['한국', '국어', '어', 'ทด', 'ดส', 'สอ', 'อบ', 'บ']);
});

test('`readQuestion` reads phrases and filters, ignores database operators, and reports malformed queries', () => {
  assert.deepEqual(asked('"state of the art" "one"'), ["('state' <3> 'art')", "'on'"]);
  assert.deepEqual(asked('“typographic quotes” "open'), ["('typograph' <1> 'quot')", "'open'"]);
  assert.deepEqual(asked("it's !x & (y | z) <-> w:* \\ '';--"), ["'x'", "'y'", "'z'", "'w'"]);
  const { terms, words, ...narrowed } = ask(
    'retry REPO:acme/inner/rocket author:@rin type:fix file:"a b.ts" is:unread file:src/',
  );
  assert.deepEqual([terms.length, words], [1, 'retry']);
  assert.deepEqual(narrowed, {
    repository: { owner: 'acme/inner', name: 'rocket' },
    author: 'rin',
    changeType: 'FIX',
    files: ['a b.ts', 'src/'],
    isUnread: true,
  });
  const problems: Record<string, [string, string]> = {
    '': ['noWords', ''],
    '🚀 …': ['noWords', '🚀 …'],
    'the of': ['commonWords', 'the of'],
    'x type:NOPE': ['unknownType', 'type:NOPE'],
    'x is:read': ['unknownIs', 'is:read'],
    'repo:a/../c': ['badRepository', 'repo:a/../c'],
    'repo:/c': ['badRepository', 'repo:/c'],
    'repo:a/b repo:a/c': ['twice', 'repo:a/c'],
    'retry author:': ['emptyPart', 'author:'],
    'author:@ retry': ['emptyPart', 'author:@'],
    'type:"" retry': ['emptyPart', 'type:""'],
    [`b${' b'.repeat(24)}`]: ['tooManyWords', '24'],
  };
  for (const [typed, [problem, part]] of Object.entries(problems))
    assert.deepEqual(readQuestion(typed), { problem, part }, typed);
});

test('`rankClasses` ranks matches in the title first, then those in the title or lead, then all others', () => {
  const classes = (typed: string) => rankClasses(ask(typed).terms).map((asked) => asked.join(' & '));
  assert.deepEqual(classes('file:src/'), ['']);
  assert.deepEqual(classes('リ'), ["'^リ':*", "'~リ':*", "'リ':*"]);
  assert.deepEqual(classes('"one two"'), ["('^on' & '^two')", "('~on' & '~two')", "('on' & 'two')"]);
  assert.deepEqual(classes('"a router" app.ts'), [
    "'^router' & ('^app.ts')",
    "('^router' | '~router') & (('^app.ts') | ('~app.ts'))",
    "'router' & ('app.ts') & ('^router' | ('^app.ts'))",
    "'router' & ('app.ts')",
  ]);
});

test('`findMatches` marks each match and prefers the sections with the most matches', () => {
  const sections: Section[] = [
    { kind: 'title', text: 'Routers retry' },
    { kind: 'change', text: '`Router.nest` can panic; the ROUTER は リトライします。', id: 'a', number: 1 },
    { kind: 'change', text: 'Nothing of it.', id: 'b', number: 2 },
    { kind: 'file', text: 'src/router/router.ts' },
    { kind: 'file', text: 'src/router/nest.ts' },
  ];
  const marked = (typed: string, most = 3) =>
    findMatches(sections, ask(typed).terms, most).map(({ section, ranges, alike }) => [
      section.kind,
      ranges.map(([start, end]) => section.text.slice(start, end)).join(' '),
      alike,
    ]);
  assert.deepEqual(marked('routers', 9), [
    ['title', 'Routers', 0],
    ['change', 'Router ROUTER', 0],
    ['file', 'router router', 1],
  ]);
  assert.deepEqual(marked('リトライ router', 1), [['change', 'Router ROUTER リトライ', 0]]);
  assert.deepEqual(marked('router/nest.ts'), [['file', 'router/nest.ts', 0]]);
  assert.deepEqual(marked('リ'), [['change', 'リ', 0]]);
  assert.deepEqual(marked('"retry of routers"'), [
    ['title', 'Routers retry', 0],
    ['change', 'Router ROUTER', 0],
    ['file', 'router router', 1],
  ]);
});

test('`indexedWords` of a huge article stays below 400,000 characters and contains no NUL', () => {
  const text = `${"a'b\\c ".repeat(10)}${Array.from({ length: 60_000 }, (_, index) => `w${index}${'x'.repeat(200)}`).join(' ')}`;
  const sections: Section[] = [
    { kind: 'title', text: 'Retries' },
    { kind: 'standfirst', text: 'It waits.' },
    { kind: 'change', text },
    { kind: 'file', text: `a\0'b\\/${'y'.repeat(3_000)}` },
  ];
  const about = { host: 'git', owner: 'acme', name: 'rocket', number: 1, authorLogin: "o'hara" };
  const words = indexedWords({ languageCode: 'en', changeTypes: ['FIX'], sections, about });
  assert.ok(words.length < 400_000, `${words.length} signs`);
  assert.ok(
    words.startsWith("'=len':1 '=agit:o''hara':1 '=tFIX':1 'retri':1 '^retri':1 'wait':13 '~wait':1 "),
    words.slice(0, 99),
  );
  assert.equal(words.includes('\0'), false);
});

test('`stretchesFrom` returns at most eight stretches that contain each tested place of the range once', () => {
  for (const [from, to] of [
    [0, 1],
    [91_808, 100_000],
    [99_000, 99_900],
    [-5, 3],
    [1_000, 2_000_000],
  ] as const) {
    const stretches = stretchesFrom(from, to);
    assert.ok(stretches.length <= 8, `${stretches}`);
    for (const place of [Math.max(0, from), Math.ceil((Math.max(0, from) + to) / 2), to]) {
      const own = stretchBits.map((bits) => `=s${bits}.${place >> bits}`);
      assert.equal(own.filter((one) => stretches.includes(one)).length, 1, `${place} of ${from} to ${to}`);
    }
  }
});
