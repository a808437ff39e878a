import type { Release, ReleaseMention } from '../../contract/releases.ts';
import { groupName, notesOnRelease, type ReleaseWords, releaseWordsFor } from '../../domain/releases.ts';
import { authorTitle, headlineOf } from '../../domain/titles.ts';
import { codeSpan, lineOfText, linkTo } from '../../writing/article-markdown.ts';

type Item = Release['groups'][number]['items'][number];

const mostNamed = 20;
const mostNumbers = 100;

interface Printed {
  language: string;
  publicUrl?: string | undefined;
}

/**
 * Release notes as a page of Markdown, in the order of the release page. Pull request numbers are plain text, which
 * code hosts turn into links.
 */
export function releaseMarkdown(release: Release, printed: Printed): string {
  const { language } = printed;
  const words = releaseWordsFor(language);
  const { groups, from, to, owner, repo } = release;
  const parts = [
    `# ${lineOfText(to)}`,
    `${lineOfText(`${owner}/${repo}`)} · ${lineOfText(words.since(from))}`,
    ...notesOnRelease(words, release).map(lineOfText),
    ...groups
      .filter(({ automatic }) => !automatic)
      .flatMap((group) => [
        `## ${group.heading === null ? groupName(words, group) : lineOfText(group.heading)}`,
        group.items.map((item) => releaseEntry(item, release, printed)).join('\n'),
      ]),
    ...(groups.length === 0 ? [words.nothing] : []),
    ...bareCommits(release, words, language),
    ...folded(release, words, language),
    ...contributors(release, words),
    ...(release.compareUrl === null ? [] : [`**${words.fullChangelog}**: ${release.compareUrl}`]),
  ];
  return `${parts.join('\n\n')}\n`;
}

function releaseEntry(item: Item, release: Release, { language, publicUrl }: Printed): string {
  const { host, owner, repo, breaks } = release;
  const { prNumber, authorLogin } = item;
  const by = `(#${prNumber}, ${lineOfText(authorLogin)})`;
  if (!('articleId' in item)) return `- ${lineOfText(authorTitle(item.title, language))} ${by}`;
  const { secondLine, languageCode } = item;
  const title = lineOfText(headlineOf(item.title, item));
  const query = new URLSearchParams({ host, language: languageCode });
  const path = [owner, repo].map(encodeURIComponent).join('/');
  const called = publicUrl ? linkTo(`${publicUrl}/r/${path}/${prNumber}?${query}`, title) : title;
  const sentence = breaks.find((one) => one.prNumber === prNumber)?.sentence ?? secondLine?.text;
  return `- ${called} ${by}${sentence ? `  \n  ${lineOfText(sentence)}` : ''}`;
}

const listed = (lines: string[], total: number, words: ReleaseWords): string => {
  const named = lines.slice(0, mostNamed);
  const more = total - named.length;
  return [...named, ...(more > 0 ? [`- … ${words.more(more)}`] : [])].join('\n');
};

function bareCommits({ withoutPullRequest }: Release, words: ReleaseWords, language: string): string[] {
  const { items } = withoutPullRequest;
  const people = items.filter(({ automatic }) => !automatic);
  const total = withoutPullRequest.total - items.length + people.length;
  const lines = people.map(({ sha, subject, authorLogin }) => {
    const by = authorLogin === null ? '' : `, ${lineOfText(authorLogin)}`;
    return `- ${lineOfText(authorTitle(subject, language))} (${codeSpan(sha)}${by})`;
  });
  return total === 0 ? [] : [`## ${words.commits}`, listed(lines, total, words)];
}

function contributors({ contributors: all }: Release, words: ReleaseWords): string[] {
  if (all.length === 0) return [];
  const names = (some: typeof all): string => some.map(({ login }) => lineOfText(login)).join(', ');
  const [newcomers, others] = [all.filter(({ isNew }) => isNew), all.filter(({ isNew }) => !isNew)];
  return [
    `## ${words.contributors}`,
    ...(others.length > 0 ? [names(others)] : []),
    ...(newcomers.length > 0 ? [`${words.newcomers}${names(newcomers)}`] : []),
  ];
}

function folded(
  { groups, withoutPullRequest, reverted, backported }: Release,
  words: ReleaseWords,
  language: string,
): string[] {
  const automatic = [
    ...groups.flatMap((group) => (group.automatic ? group.items : [])).map(({ prNumber }) => `#${prNumber}`),
    ...withoutPullRequest.items.flatMap((commit) => (commit.automatic ? codeSpan(commit.sha) : [])),
  ];
  const numbers = automatic.slice(0, mostNumbers);
  const more = automatic.length - numbers.length;
  const rest = more > 0 ? `, ${words.more(more)}` : '';
  const pairs = (title: string, between: string, some: [ReleaseMention, ReleaseMention][]): string[] => {
    const lines = some.map(
      ([change, other]) =>
        `- ${namedCommit(change, language)}  \n  ${between}${namedCommit(other, language)}`,
    );
    return some.length === 0 ? [] : [`**${title}**`, listed(lines, some.length, words)];
  };
  return [
    ...(automatic.length > 0
      ? [`**${words.automatic(automatic.length)}**: ${numbers.join(', ')}${rest}`]
      : []),
    ...pairs(
      words.reverted(reverted.length),
      words.revertedBy,
      reverted.map(({ change, by }) => [change, by]),
    ),
    ...pairs(
      words.backported(backported.length),
      words.copyOf,
      backported.map(({ change, of }) => [change, of]),
    ),
  ];
}

const namedCommit = ({ prNumber, sha, title }: ReleaseMention, language: string): string =>
  `${lineOfText(authorTitle(title, language))} (${prNumber === null ? codeSpan(sha) : `#${prNumber}`})`;
