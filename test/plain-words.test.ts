import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

/** Words and phrases that readers found foreign, wherever they are. */
const odd: RegExp[] = [
  /\b(?:whoever|somebody|anew)\b/i,
  /\bof ours\b/,
  /\b(?:is|are|was|were) told\b/,
  /\b(?:borne|bears?|bore) out\b/,
  /\bin that very moment\b/,
  /\bas nobody\b/,
  /\bby (?:itself|themselves)\b/,
  /\bto be had\b/,
  /\b(?:that|which) (?:is|are) none\b/,
  /\bput right\b/,
];
/** Product terms, for texts that users read. */
const oddForUsers: RegExp[] = [
  /\bthis is not yours\b/i,
  /\bor you may not see it\b/i,
  /(?<!there )\bis no (?:e-?mail|address|tag|branch|clone|token|number|setting|file|commit)\b/i,
  /\be-mail/i,
  /\b(?:a|the|such|these|this) mails?\b(?! (?:server|program))/i,
  /\bmust be (?:a |at |in )?(?:day|moment)\b/i,
  /\b(?:a day or )?a moment (?:in|of|such)\b/i,
  /\bwhole numbers? from \d+ on\b/i,
  /\b(?:is|are) (?:known|not known) here\b/i,
  /\b(?:passed over|used up or logged out|are under way already)\b/i,
  /\bcan(?:not)? be had\b/i,
  /\bhas to check\b/i,
  /\bsign(?:ing)? in by browser\b/i,
  /\d %(?! ?\d)/,
  /\b(?:lost access takes|wrong parameters?|which of yours)\b/i,
  /\b(\w+) or \w+ or \w+\b/,
];
/** What made names of tests and comments hard to understand. */
const oddForDevelopers: RegExp[] = [
  /^(?:what|who|whose|whatever|one who|nor|of (?:its|their|what|which)) /i,
  /\b(?:anybody|nobody) else\b/,
  /\b(?:comes?|becomes?|came|became) of (?:it|them|a|the|its)\b/,
  /\b(?:is|are) to be (?:told|heard|asked)\b/,
  /\b(?:so|as) far as that goes\b/,
  /\b(?:for want of|in the place of|at a time of|of its own accord)\b/,
  /\bit means it\b/,
  /\bin (?:whichever|whatever) (?:way|order|dress)\b/,
];
const oddInJapanese =
  /お気に入り|コードホスト|該当箇所|作者|見立て|プル要求|ウォッチ|リネーム|そのほか|互換性のない|当てはまる|[ぁ-ん一-龠][,:]|。 /;

const isOdd = (text: string, ...lists: RegExp[][]): boolean =>
  [odd, ...lists].flat().some((pattern) => pattern.test(text));

const read = (file: string): string => readFileSync(file, 'utf8');

const testNamesIn = (source: string): string[] =>
  Array.from(
    source.matchAll(/^\s*(?:await )?test\(\s*(['"`])((?:\\.|(?!\1)[^\\])+)\1/gm),
    ([, , name = '']) => name,
  );

/** The comments of a file, each on one line. */
const commentsIn = (source: string): string[] =>
  (source.match(/^[ \t]*\/\*\*?[\s\S]*?\*\/|(?:^[ \t]*\/\/.*\n)+/gm) ?? [])
    .map((comment) => comment.replace(/^\s*(?:\/\*\*?|\*\/|\*|\/\/)\s?|\s*\*\/\s*$/gm, ''))
    .map((comment) => comment.replace(/\s+/g, ' ').trim());

/** The texts in quotation marks of a module, without its comments and patterns. */
const textsOf = (source: string): string[] =>
  source
    .replace(
      /^\s*(?:\/\/|\/?\*).*$|(?<=[(=:,\s])\/(?![/*\s])(?:\\.|[^\\\n/])+\/[dgimsuvy]*(?=[\s.,;)])/gm,
      '',
    )
    .match(/'(?:[^'\\\n]|\\.){12,}'|`(?:[^`\\]|\\.){12,}`|"(?:[^"\\\n]|\\.){12,}"/g) ?? [];

test('user-facing texts have none of the phrases that readers found odd', () => {
  const pages = ['README.md', 'SECURITY.md', ...globSync(['docs/*.md', 'prompts/*.md'])].flatMap((file) =>
    read(file)
      .split('\n')
      .map((text) => ({ file, text })),
  );
  const modules = globSync([
    'src/{pages/words,settings,cli,http,mcp,actions,contract,code-hosts,db,domain,egress,feeds,jobs,client,github-action,writing}/**/*.ts',
    'src/pages/robots.ts',
  ])
    .filter((file) => !file.endsWith('.test.ts') && !file.endsWith('samples.ts'))
    .flatMap((file) => textsOf(read(file)).map((text) => ({ file, text })));
  const found = [...pages, ...modules].flatMap(({ file, text }) =>
    isOdd(text, oddForUsers) ? `${file}: ${text.trim()}` : [],
  );
  assert.deepEqual(found, []);
});

test('names of tests and comments have none of the phrases that readers found odd', () => {
  const sources = ['{bench,src,test}/**/*.ts', 'scripts/*.ts', 'scripts/client-types/*.ts', 'web/*.js'];
  const found = globSync(sources)
    .filter((file) => !/plain-words\.test\.ts$|api-types\.ts$/.test(file))
    .flatMap((file) =>
      [...testNamesIn(read(file)), ...commentsIn(read(file))].flatMap((text) =>
        isOdd(text, oddForDevelopers) ? `${file}: ${text}` : [],
      ),
    );
  assert.deepEqual(found, []);
});

test('Japanese texts have none of the words that Japanese products do not use', () => {
  const modules = [
    'src/pages/words/ja.ts',
    'src/domain/article-words.ts',
    'src/domain/releases.ts',
    'src/writing/rules/japanese.ts',
    'src/writing/questions/answer-by-search.ts',
  ];
  const found = modules.flatMap((file) => textsOf(read(file)).filter((text) => oddInJapanese.test(text)));
  assert.deepEqual(found, []);
});
