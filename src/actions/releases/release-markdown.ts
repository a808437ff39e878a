import type { Release, ReleaseMention } from '../../contract/releases.ts';
import { notesOnRelease, type ReleaseWords, releaseWordsFor } from '../../domain/releases.ts';
import { authorTitle, headlineOf } from '../../domain/titles.ts';
import { codeSpan, lineOfText, linkTo } from '../../writing/article-markdown.ts';

type Item = Release['groups'][number]['items'][number];

const mostNamed = 20;

interface Printed {
  language: string;
  publicUrl?: string | undefined;
}

/** Release notes as a page of Markdown. Pull request numbers are plain text, which code hosts turn into links. */
export function releaseMarkdown(release: Release, { language, publicUrl }: Printed): string {
  const words = releaseWordsFor(language);
  const { groups, from, to, owner, repo } = release;
  const parts = [
    `# ${lineOfText(to)}`,
    `${lineOfText(`${owner}/${repo}`)} · ${lineOfText(words.since(from))}`,
    ...notesOnRelease(words, release).map(lineOfText),
    ...groups.flatMap((group) => [
      `## ${groupName(group, words)}`,
      group.items.map((item) => releaseEntry(item, release, { language, publicUrl })).join('\n'),
    ]),
    ...(groups.length === 0 ? [words.nothing] : []),
    ...releaseRest(release, words, language),
  ];
  return `${parts.join('\n\n')}\n`;
}

const groupName = ({ breaking, changeType }: Release['groups'][number], words: ReleaseWords): string => {
  if (breaking) return words.breaking;
  return changeType === null ? words.other : words.types[changeType];
};

function releaseEntry(item: Item, release: Release, { language, publicUrl }: Printed): string {
  const { host, owner, repo, breaks } = release;
  if (!('articleId' in item)) return `- ${lineOfText(authorTitle(item.title, language))} (#${item.prNumber})`;
  const { prNumber, secondLine, languageCode } = item;
  const title = lineOfText(headlineOf(item.title, item));
  const query = new URLSearchParams({ host, language: languageCode });
  const path = [owner, repo].map(encodeURIComponent).join('/');
  const called = publicUrl ? linkTo(`${publicUrl}/r/${path}/${prNumber}?${query}`, title) : title;
  const sentence = breaks.find((one) => one.prNumber === prNumber)?.sentence ?? secondLine?.text;
  return `- ${called} (#${prNumber})${sentence ? `  \n  ${lineOfText(sentence)}` : ''}`;
}

function releaseRest(release: Release, words: ReleaseWords, language: string): string[] {
  const { withoutPullRequest, reverted, backported } = release;
  const list = (title: string, total: number, lines: string[]): string[] => {
    if (total === 0) return [];
    const more = total - Math.min(lines.length, mostNamed);
    const named = lines.slice(0, mostNamed).map((line) => `  - ${line}`);
    return [[`- ${title}`, ...named, ...(more > 0 ? [`  - … ${words.more(more)}`] : [])].join('\n')];
  };
  const lists = [
    ...list(
      words.withoutPullRequest(withoutPullRequest.total),
      withoutPullRequest.total,
      withoutPullRequest.items.map(
        ({ sha, subject }) => `${codeSpan(sha)} ${lineOfText(authorTitle(subject, language))}`,
      ),
    ),
    ...list(
      words.reverted(reverted.length),
      reverted.length,
      reverted.map(
        ({ change, by }) => `${namedCommit(change, language)}${words.revertedBy}${namedCommit(by, language)}`,
      ),
    ),
    ...list(
      words.backported(backported.length),
      backported.length,
      backported.map(
        ({ change, of }) => `${namedCommit(change, language)}${words.copyOf}${namedCommit(of, language)}`,
      ),
    ),
  ];
  return lists.length > 0 ? [`## ${words.rest}`, lists.join('\n')] : [];
}

const namedCommit = ({ prNumber, sha, title }: ReleaseMention, language: string): string =>
  `${lineOfText(authorTitle(title, language))} (${prNumber === null ? codeSpan(sha) : `#${prNumber}`})`;
