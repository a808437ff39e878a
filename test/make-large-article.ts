import type { ArticleContent } from '../src/contract/articles.ts';
import type { StoredArticle, StoredContent } from '../src/db/articles.ts';
import { Chance } from './chance.ts';

/** Hostile content: any script, code, an endless word, and characters that JSON escapes as six. */
const words = [
  'retry',
  '変更点',
  '🚀👩‍👩‍👧',
  '`code`',
  '\\"',
  '</x>',
  '\u0007',
  'a'.repeat(900),
  '```',
  '\ud800',
  '{}=>;',
];

const prose = (chance: Chance, most: number): string =>
  Array.from({ length: chance.from(1, most) }, () => chance.one(words)).join(
    chance.one([' ', ' ', '\n', '']),
  );

/** An article far larger than any real one, whose every text occurs once. */
export function makeLargeArticle(seed: number): { article: StoredArticle; content: StoredContent } {
  const chance = new Chance(seed);
  let sentences = 0;
  const evidence = (count: number) =>
    Array.from({ length: count }, (_, index) => ({
      fileName: `src/${'深い/'.repeat(chance.from(0, 90))}file-${index}.ts`,
      startLine: index + 1,
      endLine: index + chance.from(1, 3_000),
      side: chance.one(['old', 'new'] as ('old' | 'new')[]),
      hostUrl: chance.one([null, `https://forge.example.org/${'%E6%B7%B1'.repeat(chance.from(1, 120))}#L1`]),
    }));
  const statement = () => {
    sentences += 1;
    const id = sentences.toString(16).padStart(12, '0');
    const basis = chance.one(['diff', 'words', 'judgement'] as ('diff' | 'words' | 'judgement')[]);
    return {
      id,
      text: `s${sentences}. ${prose(chance, 12)}`,
      basis,
      evidence: evidence(chance.one([0, 1, 2, 2, 25])),
    };
  };
  const statements = (most: number) => Array.from({ length: chance.from(1, most) }, statement);
  const hunkOf = (fileName: string) => ({
    fileName,
    heading: prose(chance, 3),
    lines: Array.from({ length: 16 }, (_, index) => ({
      kind: chance.one(['added', 'removed', 'context'] as ('added' | 'removed' | 'context')[]),
      ...{ oldLine: index + 1, newLine: index + 1, text: prose(chance, 5).replaceAll('\n', ' ') },
    })),
    moreBefore: 0,
    moreAfter: chance.from(0, 9),
  });
  const mainChanges = Array.from({ length: chance.from(4, 8) }, (_, index) => {
    const fileName = `src/part-${index}.ts`;
    const told = statements(3);
    return {
      ...{ heading: null, fileName, changeTypes: [], statements: told, description: '', evidence: [] },
      hunk: hunkOf(fileName),
    };
  });
  const headSha = 'a'.repeat(40);
  const content: Omit<ArticleContent, 'likeCount' | 'stale'> = {
    ...{ languageCode: 'en', aiGeneratedTitle: prose(chance, 30), standfirst: statement(), changeTypes: [] },
    ...{
      quote: null,
      readingMinutes: 9,
      counts: { files: 9, additions: 9, deletions: 9, commits: 1, parts: [] },
    },
    ...{ backgroundAndPurpose: '', background: statements(8), mainChanges },
    ...{ scope: null, authorWords: null, tests: null },
    notablePoints: Array.from({ length: 4 }, () => ({
      ...{
        categories: ['RISK' as const],
        label: chance.one([null, 'breaking' as const]),
        severity: null,
        statements: statements(2),
      },
      ...{ point: '', evidence: [] },
    })),
    also: Array.from({ length: 9 }, () => ({
      ...{
        statement: statement(),
        times: null,
        files: [prose(chance, 9)],
        filesTotal: 1,
      },
      ...{ additions: 1, deletions: 1 },
    })),
    ...{
      summaryGeneratedAt: '2026-03-01T09:30:00.000Z',
      headSha,
      baseSha: headSha,
      writer: { kind: 'offline' },
    },
    coverage: { filesRead: 9, filesTotal: 9, linesRead: 9, linesTotal: 9, skipped: [], skippedTotal: 0 },
    verification: { claims: 9, verified: 9, repaired: 0, dropped: 0, judged: 0, unjudged: 0 },
  };
  const range = { baseSha: headSha, headSha };
  const body = Buffer.from(JSON.stringify(content));
  const stored = {
    ...range,
    languageCode: 'en',
    revision: 3,
    likeCount: 0,
    chosen: null,
    isOutdated: false,
    body,
  };
  const then = new Date('2026-03-01');
  const id = `${String(seed).padStart(8, '0')}-0000-4000-8000-000000000000`;
  const names = { host: 'git', owner: 'o'.repeat(100), name: 'r'.repeat(100) };
  const known = { hostRepoId: 1, isPrivate: false, checkedAt: then, unreachableSince: null };
  return {
    content: stored,
    article: {
      ...{
        id,
        pullRequestId: id,
        host: 'git',
        owner: names.owner,
        repo: names.name,
        number: 7,
        hostUrl: null,
      },
      ...{ title: prose(chance, 30), authorLogin: prose(chance, 30), state: 'merged', hostCreatedAt: then },
      ...{ mergedAt: then, createdAt: then, updatedAt: then, headSha, contents: [stored] },
      isDiscussed: false,
      repository: { id, ...names, ...known },
    },
  };
}
