// Written by `npm run schema` from the migrations.

/** The columns of each table, as rows have them under their names in camel case. */
export interface Tables {
  ai_answers: {
    jobId: string;
    question: string;
    answer: unknown;
  };
  ai_drafts: {
    pullRequestId: string;
    diffRevision: number;
    languageCode: string;
    draft: unknown;
  };
  ai_notes: {
    pullRequestId: string;
    part: string;
    notes: unknown;
    usedAt: Date;
  };
  ai_part_plans: {
    pullRequestId: string;
    plan: unknown;
  };
  ai_quotas: {
    host: string;
    hostUserId: number;
    day: Date;
    articles: number;
  };
  ai_tokens: {
    day: Date;
    tokens: number;
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
  };
  article_facets: {
    articleId: string;
    languageCode: string;
    author: string;
    changeType: string;
    repositoryId: string;
    listedAt: Date;
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
  article_sums: {
    languageCode: string;
    part: number;
    articles: number;
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
  code_host_addresses: {
    host: string;
    address: string;
    nextRoundAt: Date | null;
  };
  confirmation_mails: {
    day: Date;
    scope: string;
    mails: number;
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
  facet_sums: {
    author: string;
    changeType: string;
    languageCode: string;
    part: number;
    articles: number;
  };
  facet_totals: {
    repositoryId: string;
    author: string;
    changeType: string;
    languageCode: string;
    articles: number;
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
  housekeeping: {
    dueAt: Date;
  };
  identities: {
    id: string;
    host: string;
    hostUserId: number;
    username: string;
    displayName: string;
    email: string;
    avatarUrl: string | null;
  };
  imports: {
    id: string;
    repositoryId: string;
    userId: string;
    languageCode: string;
    wanted: string;
    state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
    done: number;
    total: number;
    version: number;
    error: unknown;
    createdAt: Date;
    updatedAt: Date;
    startedAt: Date | null;
    finishedAt: Date | null;
  };
  ingest_quotas: {
    host: string;
    hostUserId: number;
    day: Date;
    bytes: number;
  };
  offline_articles: {
    pullRequestId: string;
    version: number;
    articles: unknown;
    diffRevision: number;
  };
  offline_writers: {
    number: number;
    version: string;
  };
  planned_articles: {
    id: number;
    repositoryId: string;
    userId: string | null;
    importId: string | null;
    prNumber: number;
    languageCode: string;
    state: 'waiting' | 'running' | 'done' | 'failed' | 'skipped';
    jobId: string | null;
    attempt: number;
    deferred: number;
    notBefore: Date;
    heartbeatAt: Date | null;
    error: unknown;
    finishedAt: Date | null;
    mayBeOpen: boolean;
    isDueAgain: boolean;
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
  ranking_sums: {
    period: string;
    languageCode: string;
    part: number;
    articles: number;
  };
  ranking_totals: {
    repositoryId: string;
    languageCode: string;
    period: string;
    articles: number;
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
  refused_tokens: {
    tokenHash: string;
    expiresAt: Date | null;
  };
  release_changes: {
    repositoryId: string;
    number: number;
    fromTag: string;
    toTag: string;
    commits: number;
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
  told_merges: {
    repositoryId: string;
    prNumber: number;
    mergedAt: Date;
    isBot: boolean;
    isDraft: boolean;
  };
  unreadable_diffs: {
    repositoryId: string;
    number: number;
    baseSha: string;
    headSha: string;
    step: 'fetching' | 'writing';
    terms: string;
    message: string;
    notedAt: Date;
  };
  users: {
    id: string;
    identityId: string;
    language: string;
    createdAt: Date;
    updatedAt: Date;
    rightsRevokedAt: Date | null;
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
  watching_budgets: {
    day: Date;
    scope: string;
    articles: number;
  };
  webhook_deliveries: {
    host: string;
    deliveryId: string;
    receivedAt: Date;
    hostRepoId: number | null;
    prNumber: number | null;
  };
  writing_job_askers: {
    jobId: string;
    userId: string;
    cancelledAt: Date | null;
  };
  writing_jobs: {
    id: string;
    pullRequestId: string;
    headSha: string;
    languageCode: string;
    writer: string;
    state: 'queued' | 'running' | 'done' | 'failed' | 'cancelled';
    attempt: number;
    putBack: number;
    step: string;
    done: number;
    total: number;
    version: number;
    error: unknown;
    articleId: string | null;
    createdAt: Date;
    updatedAt: Date;
    finishedAt: Date | null;
    baseSha: string;
    quotaHost: string | null;
    quotaUserId: number | null;
    quotaDay: Date | null;
    modelCalled: boolean;
    queuedAt: Date;
    heartbeatAt: Date | null;
    because: string | null;
    budgetDay: Date | null;
    budgetScope: string | null;
    isPlanned: boolean;
  };
}
