import type { HostPullRequest } from '../../code-hosts/code-host.ts';
import type { PublishedContent } from '../../db/articles.ts';
import { articleWordsFor } from '../../domain/article-words.ts';
import type { OfflineLanguage } from '../../writing/languages.ts';
import type { WrittenArticle } from '../../writing/written-article.ts';
import { collectDiff } from '../pull-requests/collect-diff.ts';
import { textsOf } from '../pull-requests/texts-of-pull-request.ts';
import { contentOf } from './content-of-article.ts';
import { payloadOf } from './pull-request-payload.ts';
import type { RunInThread } from './thread-tasks.ts';

/** Of the path of a file, so that there is room for more in a title. */
const mostOfName = 60;

interface Asked {
  host: string;
  owner: string;
  repo: string;
  languageCode: OfflineLanguage;
  maxDiffBytes: number;
  linesUrl: Parameters<typeof contentOf>[1]['codeHosts'][number]['linesUrl'];
  now: Date;
}

/** Reads a pull request and writes about it without a model, as the service does, and stores nothing. */
export async function explainPullRequest(
  run: RunInThread,
  onHost: HostPullRequest,
  { host, owner, repo, languageCode, maxDiffBytes, linesUrl, now }: Asked,
): Promise<PublishedContent> {
  const options = { maxBytes: maxDiffBytes, outsideSlot: <Done>(work: () => Promise<Done>) => work() };
  const { read, parts } = await collectDiff(run, onHost, options);
  const { files, unread, additions, deletions, outlines } = read;
  const texts = textsOf(onHost);
  const payload = payloadOf({
    ...texts,
    host,
    owner,
    repo,
    changedFiles: files.length,
    filesInDiff: files.length - unread.length,
    additions,
    deletions,
    unread,
    outlines,
  });
  const compressed = parts.map((part) => part.compressed);
  const feed = { nextPart: async () => compressed.shift() ?? null, onProgress: async () => {} };
  const articles = await run('writeOffline', payload, feed);
  const article = articles[languageCode];
  return contentOf(article.title ? article : { ...article, title: untitled(article) }, {
    codeHosts: [{ id: host, linesUrl }],
    pullRequest: { host, ...texts },
    languageCode,
    now,
  });

  /** A diff without words is called by what it changes. */
  function untitled({ mainChanges, also, counts }: WrittenArticle): string {
    const [first = ''] = [
      ...mainChanges.map(({ fileName }) => fileName),
      ...also.flatMap((row) => row.files),
    ];
    const rest = counts.files - 1;
    const name = first.slice(-mostOfName);
    return rest > 0 ? `${name} ${articleWordsFor(languageCode).andMore(rest)}` : name;
  }
}
