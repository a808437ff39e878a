type Fields = Record<string, string>;

const page = { pageInfo: 'PageInfo', totalCount: 'Int' };

/**
 * The queried types in GitHub's GraphQL schema (`schema.graphql` in octokit/graphql-schema, of July 2026): the fields that we use,
 * with their types.
 */
const schema: Record<string, Fields> = {
  Query: { repository: 'Repository' },
  Repository: { databaseId: 'Int', object: 'GitObject', pullRequest: 'PullRequest' },
  Blob: { text: 'String', isTruncated: 'Boolean' },
  PageInfo: { hasNextPage: 'Boolean', endCursor: 'String' },
  PullRequest: {
    number: 'Int',
    merged: 'Boolean',
    repository: 'Repository',
    closingIssuesReferences: 'IssueConnection',
    comments: 'IssueCommentConnection',
    reviews: 'PullRequestReviewConnection',
    reviewThreads: 'PullRequestReviewThreadConnection',
    timelineItems: 'PullRequestTimelineItemsConnection',
  },
  IssueConnection: { ...page, nodes: 'Issue' },
  Issue: { number: 'Int', title: 'String', body: 'String', repository: 'Repository' },
  IssueCommentConnection: { ...page, nodes: 'IssueComment' },
  IssueComment: { fullDatabaseId: 'BigInt', isMinimized: 'Boolean' },
  PullRequestReviewConnection: { ...page, nodes: 'PullRequestReview' },
  PullRequestReview: { fullDatabaseId: 'BigInt', isMinimized: 'Boolean' },
  PullRequestReviewThreadConnection: { ...page, nodes: 'PullRequestReviewThread' },
  PullRequestReviewThread: {
    isResolved: 'Boolean',
    isOutdated: 'Boolean',
    resolvedBy: 'User',
    comments: 'PullRequestReviewCommentConnection',
  },
  PullRequestReviewCommentConnection: { ...page, nodes: 'PullRequestReviewComment' },
  PullRequestReviewComment: { fullDatabaseId: 'BigInt', isMinimized: 'Boolean' },
  PullRequestTimelineItemsConnection: { ...page, nodes: 'PullRequestTimelineItems' },
  HeadRefForcePushedEvent: { createdAt: 'DateTime', beforeCommit: 'Commit', afterCommit: 'Commit' },
  CrossReferencedEvent: { source: 'ReferencedSubject' },
  Commit: { oid: 'GitObjectID' },
  User: { login: 'String' },
};

const token = /\.\.\.\s*on\s+(?<on>\w+)|\.\.\.\w+|fragment \w+ on (?<of>\w+)|(?<sign>[{}])|(?<field>\w+)/g;

/** Throws for a query with a field that GitHub does not have. */
export function checkQuery(query: string): void {
  const plain = query
    .replace(/^query\s*/, '')
    .replaceAll(/\([^)]*\)/g, '')
    .replaceAll(/\w+:/g, '');
  const types: string[] = [];
  let next = 'Query';
  for (const { groups } of plain.matchAll(token)) {
    const { on, of, sign, field } = groups ?? {};
    if (sign === '{') types.push(next);
    else if (sign === '}') types.pop();
    else if (on ?? of) next = on ?? of ?? '';
    else if (field) {
      next = schema[types.at(-1) ?? '']?.[field] ?? '';
      if (next === '') throw new Error(`GitHub's ${types.at(-1)} has no ${field}.`);
    }
  }
}
