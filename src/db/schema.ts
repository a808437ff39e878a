// Written by `npm run schema` from the migrations.

/** The columns of the tables that modules take types from, with names in camel case. */
export interface Tables {
  added_repositories: {
    id: string;
    userId: string | null;
    owner: string;
    name: string;
    isPrivate: boolean;
    folder: string | null;
    defaultRef: string | null;
    address: string | null;
    createdAt: Date;
    root: string | null;
    refreshedAt: Date | null;
  };
  ai_drafts: {
    pullRequestId: string;
    diffRevision: number;
    languageCode: string;
    draft: unknown;
  };
  answers: {
    id: string;
    repositoryId: string;
    pullRequestId: string | null;
    userId: string | null;
    question: string;
    questionKey: string;
    languageCode: string;
    isShared: boolean;
    sources: unknown;
    body: unknown;
    createdAt: Date;
    comments: string[];
  };
  article_cards: {
    articleId: string;
    languageCode: string;
    version: string;
    png: Uint8Array;
    drawnAt: Date;
  };
  article_contents: {
    articleId: string;
    languageCode: string;
    title: string;
    headSha: string;
    generatedAt: Date;
    likeCount: number;
    body: unknown;
    changeTypes: string[];
    revision: number;
    baseSha: string;
    quote: unknown;
    readingMinutes: number;
    offlineWriter: number | null;
    failedTries: number;
    nextTryAt: Date | null;
    repositoryId: string;
    standfirst: string | null;
    isBreaking: boolean;
    listedAt: Date;
    touches: unknown;
    review: unknown;
    additions: number;
    deletions: number;
    isExample: boolean;
  };
  article_likes: {
    id: string;
    userId: string;
    articleId: string;
    languageCode: string;
    likedAt: Date;
  };
  article_rankings: {
    articleId: string;
    languageCode: string;
    period: string;
    repositoryId: string;
    pullRequestNumber: number;
    likeCount: number;
    writtenAt: Date;
  };
  article_search: {
    articleId: string;
    languageCode: string;
    repositoryId: string;
    place: number;
    isPublic: boolean;
    words: string | null;
    sections: unknown;
    repositoryName: string | null;
    listedAt: Date;
  };
  article_totals: {
    repositoryId: string;
    languageCode: string;
    articles: number;
    newestAt: Date | null;
  };
  articles: {
    id: string;
    pullRequestId: string;
    createdAt: Date;
    updatedAt: Date;
    repositoryId: string;
    listedAt: Date;
  };
  daily_counts: {
    day: Date;
    kind: 'articles' | 'articles of followers' | 'tokens' | 'tokens of month' | 'stored bytes' | 'mails';
    subject: string;
    count: number;
  };
  digest_deliveries: {
    recipient: string;
    period: string;
    periodEnd: Date;
    userId: string | null;
    state: 'waiting' | 'claimed' | 'sending' | 'sent' | 'nothing' | 'unwanted' | 'failed' | 'unknown';
    attempt: number;
    tries: number;
    plannedAt: Date;
    notBefore: Date;
    claimedUntil: Date | null;
    secretHash: string | null;
  };
  digests: {
    userId: string;
    period: 'off' | 'daily' | 'weekly';
    email: string | null;
    confirmedAt: Date | null;
    confirmHash: string | null;
    confirmUntil: Date | null;
    endedBecause: 'refused' | null;
    chosenAt: Date;
  };
  favorite_repositories: {
    id: string;
    userId: string;
    repositoryId: string;
    registeredAt: Date;
  };
  feed_addresses: {
    userId: string;
    secretHash: string;
    createdAt: Date;
  };
  host_tokens: {
    identityId: string;
    host: string;
    sealed: string;
    savedAt: Date;
    expiresAt: Date | null;
    generation: number;
    refreshClaimedUntil: Date | null;
    refreshRefused: boolean;
  };
  jobs: {
    id: string;
    work: 'article' | 'answer' | 'import' | 'planned' | 'mirror' | 'refresh' | 'test' | 'preview' | 'digest';
    subject: string;
    parentId: string | null;
    userId: string | null;
    isPlanned: boolean;
    turn: number;
    repositoryId: string | null;
    pullRequestId: string | null;
    prNumber: number | null;
    languageCode: string | null;
    baseSha: string | null;
    headSha: string | null;
    writer: string | null;
    because: string | null;
    detail: unknown;
    mayBeOpen: boolean;
    waitsFor: string | null;
    state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
    attempt: number;
    putBack: number;
    deferred: number;
    isDueAgain: boolean;
    queuedAt: Date;
    notBefore: Date | null;
    heartbeatAt: Date | null;
    step: string;
    done: number;
    total: number;
    version: number;
    error: unknown;
    articleId: string | null;
    answerId: string | null;
    modelCalled: boolean;
    quotaDay: Date | null;
    createdAt: Date;
    startedAt: Date | null;
    finishedAt: Date | null;
    quotaKind: string | null;
    quotaSubject: string | null;
  };
  pull_request_contents: {
    pullRequestId: string;
    body: string | null;
    labels: unknown;
    baseRef: string;
    headRef: string;
    additions: number;
    deletions: number;
    files: unknown;
    unread: unknown;
    commits: unknown;
    comments: unknown;
    linkedIssues: unknown;
    outlines: unknown;
    toldIssues: number[];
    discussion: unknown;
  };
  pull_request_diffs: {
    pullRequestId: string;
    firstFile: number;
    lastFile: number;
    compressed: Uint8Array;
    revision: number;
    replacedAt: Date | null;
  };
  pull_requests: {
    id: string;
    repositoryId: string;
    number: number;
    hostUrl: string | null;
    title: string;
    authorLogin: string;
    state: 'open' | 'closed' | 'merged';
    headSha: string;
    hostCreatedAt: Date;
    mergedAt: Date | null;
    fetchedAt: Date;
    baseSha: string;
    cutAtBytes: number | null;
    diffRevision: number;
    hostVersion: string | null;
    unusedSince: Date | null;
    outdatedAt: Date | null;
    hasMoved: boolean;
  };
  ranking_windows: {
    period: string;
    countedFrom: Date;
    asOf: Date | null;
  };
  read_marks: {
    userId: string;
    articleId: string;
    languageCode: string;
    revision: number;
    readAt: Date;
  };
  read_revisions: {
    articleId: string;
    languageCode: string;
    revision: number;
    sentenceIds: string[];
  };
  removals: {
    id: string;
    host: string;
    hostRepoId: number | null;
    owner: string;
    name: string;
    number: number | null;
    removedAt: Date;
  };
  repositories: {
    id: string;
    host: string;
    hostRepoId: number;
    owner: string;
    name: string;
    isPrivate: boolean;
    checkedAt: Date;
    unreachableSince: Date | null;
    readAt: Date | null;
    unansweredAt: Date | null;
    isRemoved: boolean;
    revokedAt: Date | null;
  };
  repository_grants: {
    repositoryId: string;
    userId: string;
    confirmedAt: Date;
    withdrawn: boolean;
    unreachableSince: Date | null;
    suspendedAt: Date | null;
  };
  schema_migrations: {
    number: number;
    name: string;
    appliedAt: Date;
  };
  sessions: {
    id: string;
    identityId: string;
    tokenHash: string;
    createdAt: Date;
    lastUsedAt: Date;
    expiresAt: Date;
    revokedAt: Date | null;
  };
  users: {
    id: string;
    identityId: string;
    language: string;
    createdAt: Date;
    updatedAt: Date;
    rightsRevokedAt: Date | null;
    interfaceLanguage: string | null;
  };
  watched_repositories: {
    repositoryId: string;
    dueAt: Date;
    claim: number;
    claimedUntil: Date | null;
    cursor: string | null;
    askedBy: string | null;
    failures: number;
    isTold: boolean;
    webhookAt: Date | null;
  };
  watches: {
    favoriteId: string;
    repositoryId: string;
    userId: string;
    owner: string;
    name: string;
    languageCode: string;
    labels: string[];
    includeBots: boolean;
    since: Date;
    hasBegun: boolean;
    lastSeenAt: Date | null;
    pause: 'noToken' | 'noRights' | 'hostAway' | null;
    pausedSince: Date | null;
  };
  webhook_deliveries: {
    host: string;
    deliveryId: string;
    receivedAt: Date;
    hostRepoId: number | null;
    prNumber: number | null;
  };
}
