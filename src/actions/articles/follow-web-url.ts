import type { CodeHost } from '../../code-hosts/code-host.ts';
import type { StoredArticle, StoredContent } from '../../db/articles.ts';
import { pullRequestUrl } from '../../domain/pull-requests.ts';

interface Linked {
  owner: string;
  repo: string;
  number: number;
  hostUrl: string | null;
}

/** Where clones come from is a setting, so that links follow the one of this start, whenever what has them was stored. */
export function withPresentUrl<Stored extends Linked>(
  codeHost: CodeHost | undefined,
  stored: Stored,
): Stored {
  if (!codeHost?.isLocal) return stored;
  const { owner, repo, number } = stored;
  return { ...stored, hostUrl: pullRequestUrl(codeHost.webUrl, { owner, name: repo }, number) };
}

/** The same for an article, with the links to the lines that it cites. */
export function withPresentLinks(codeHost: CodeHost | undefined, stored: StoredArticle): StoredArticle {
  if (!codeHost?.isLocal) return stored;
  const article = withPresentUrl(codeHost, stored);
  return { ...article, contents: article.contents.map((content) => relink(codeHost, article, content)) };
}

function relink(codeHost: CodeHost, { hostUrl }: StoredArticle, content: StoredContent): StoredContent {
  const bytes = Buffer.from(content.body.buffer, content.body.byteOffset, content.body.byteLength);
  if (isLinkedTo(bytes, hostUrl)) return content;
  const body = JSON.parse(bytes.toString(), function (this: LinkedLines, key, value) {
    return key === 'hostUrl' ? codeHost.linesUrl(hostUrl, content.headSha, this) : value;
  });
  return { ...content, body: Buffer.from(JSON.stringify(body)) };
}

type LinkedLines = Parameters<CodeHost['linesUrl']>[2];

const linked = '"hostUrl":"';
const unlinked = '"hostUrl":null';

/** All links of an article begin alike: one tells of the others. In the middle of a text, quotation marks are escaped. */
function isLinkedTo(body: Buffer, hostUrl: string | null): boolean {
  const first = body.indexOf(linked);
  if (hostUrl === null) return first === -1;
  return !body.includes(unlinked) && (first === -1 || body.includes(`${linked}${hostUrl}/`, first));
}
