import assert from 'node:assert/strict';
import { globSync, readFileSync } from 'node:fs';
import { test } from 'node:test';

/** Words and phrases that readers found foreign. */
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
const oddInJapanese =
  /お気に入り|コードホスト|該当箇所|作者|見立て|プル要求|ウォッチ|リネーム|そのほか|互換性のない|当てはまる|[ぁ-ん一-龠][,:]|。 /;

/** The texts in quotation marks of a module, without its comments and without what only logs or programs read. */
const textsOf = (source: string): string[] =>
  source
    .replace(/^\s*(?:\/\/|\/?\*).*$/gm, '')
    .match(/'(?:[^'\\\n]|\\.){12,}'|`(?:[^`\\]|\\.){12,}`|"(?:[^"\\\n]|\\.){12,}"/g) ?? [];

test('user-facing texts have none of the phrases that readers found odd', () => {
  const pages = ['README.md', 'SECURITY.md', ...globSync('docs/*.md')].flatMap((file) =>
    readFileSync(file, 'utf8')
      .split('\n')
      .map((text) => ({ file, text })),
  );
  const modules = globSync([
    'src/{pages/words,settings,cli,http,mcp,actions,contract,code-hosts,domain,jobs,client,github-action}/**/*.ts',
    'src/pages/robots.ts',
  ])
    .filter((file) => !file.endsWith('.test.ts') && !file.endsWith('samples.ts'))
    .flatMap((file) => textsOf(readFileSync(file, 'utf8')).map((text) => ({ file, text })));
  const found = [...pages, ...modules].flatMap(({ file, text }) =>
    odd.some((pattern) => pattern.test(text)) ? `${file}: ${text.trim()}` : [],
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
  const found = modules.flatMap((file) =>
    textsOf(readFileSync(file, 'utf8')).filter((text) => oddInJapanese.test(text)),
  );
  assert.deepEqual(found, []);
});
