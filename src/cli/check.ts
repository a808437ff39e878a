import { parseArgs } from 'node:util';
import { checkArticleCounts, checkFacets } from '../actions/articles/check-article-counts.ts';
import { checkLikes, type LikesReport } from '../actions/likes/likes.ts';
import { readConfig } from '../config.ts';
import type { WrongArticleCount, WrongFacets } from '../db/article-lists.ts';
import type { Database } from '../db/database.ts';
import { measureStorage } from '../db/storage.ts';
import type { Command } from './command.ts';
import { describeStorage } from './describe-storage.ts';
import { print } from './print.ts';
import { useDatabase } from './use-database.ts';

/** With more wrong than this, which ones they are is not the operator's problem. */
const shownAtMost = 50;

export const check: Command = {
  help: [
    'Usage: pullquote check [--dry-run]',
    '',
    'Shows what is stored and how much room it takes, by kind, and how much of it is due to go. Then holds every count of',
    'likes, the ranking and its totals against the likes that are stored, and what lists say of how many articles there are',
    'against the articles, says what differs and puts it right. The service may go on running.',
    '',
    '  --dry-run   change nothing, and end with 1 where something differs',
  ].join('\n'),
  async run(parameters) {
    const { values } = parseArgs({
      args: parameters,
      options: { 'dry-run': { type: 'boolean', default: false } },
    });
    const repair = !values['dry-run'];
    await useDatabase('check', readConfig(), (database) => checkAll(database, repair));
  },
};

async function checkAll(database: Database, repair: boolean): Promise<void> {
  print(`${describeStorage(await measureStorage(database, new Date()))}\n`);
  const likes = await checkLikes(database, { repair });
  const articleCounts = await checkArticleCounts(database, { repair });
  const facets = await checkFacets(database, { repair });
  const wrong = [
    ...describeLikes(likes),
    ...articleCounts.map(describeArticleCount),
    ...facets.map(describeFacets),
  ];
  print(describe({ checked: likes.checked, wrong, repair }));
  if (!repair && wrong.length > 0) process.exitCode = 1;
}

function describeLikes({ counters, totals }: LikesReport): string[] {
  return [
    ...counters.map(({ articleId, languageCode, counter, is, shouldBe }) => {
      const name = counter === 'article' ? 'like count' : `${counter} ranking`;
      return `${name} of article ${articleId} in ${languageCode}: ${is} instead of ${shouldBe}`;
    }),
    ...totals.map(({ repositoryId, part, languageCode, period, is, shouldBe }) => {
      const whole = describeWhole({ repositoryId, part });
      return `total of the ${period} ranking of ${whole} in ${languageCode}: ${is} instead of ${shouldBe}`;
    }),
  ];
}

function describeArticleCount({ languageCode, is, shouldBe, ...of }: WrongArticleCount): string {
  const languages = languageCode === '*' ? 'any language' : languageCode;
  return `number of articles of ${describeWhole(of)} in ${languages}: ${is} instead of ${shouldBe}`;
}

const describeFacets = ({ differ, ...of }: WrongFacets): string =>
  `lists of authors and types of ${describeWhole(of)}: ${differ} entries or counts differ`;

const describeWhole = ({ repositoryId, part }: { repositoryId: string | null; part: number | null }) =>
  repositoryId === null ? `part ${part} of all repositories` : `repository ${repositoryId}`;

function describe({ checked, wrong, repair }: { checked: number; wrong: string[]; repair: boolean }): string {
  const shown = wrong.slice(0, shownAtMost);
  const more = wrong.length - shown.length;
  const found = `Checked ${checked} article texts: `;
  if (wrong.length === 0) return `${found}every count is that of the likes and articles.`;
  return [
    ...shown,
    ...(more > 0 ? [`and ${more} more`] : []),
    `${found}${wrong.length} wrong, ${repair ? 'all put right' : 'nothing changed'}.`,
  ].join('\n');
}
