import type { TokenKind } from '../../contract/service.ts';
import type { ArticleWords } from '../../domain/article-words.ts';
import type { DigestChoice, DigestPeriod, RestReason } from '../../domain/digest.ts';
import type { JobProgress, PauseReason } from '../../domain/pull-requests.ts';
import type { ReleaseWords } from '../../domain/release-words.ts';
import type { Section } from '../../domain/search/indexed-words.ts';
import type { RankingPeriod } from '../../domain/time.ts';
import type { MapKind } from '../change-map/map-kinds.ts';

/** Everything that the pages say. */
/** Why something cannot be searched for. */
export type SearchProblem =
  | 'noWords'
  | 'commonWords'
  | 'tooManyWords'
  | 'tooLong'
  | 'unknownType'
  | 'unknownIs'
  | 'badRepository'
  | 'emptyPart'
  | 'twice'
  | 'unreadNeedsUser';

export interface Words {
  /** Between two parts of what is said on one line. */
  comma: string;
  tagline: string;
  skipToContent: string;
  bar: { paste: string; go: string; signIn: string; signUp: string; account: string };
  footer: {
    reference: string;
    source: string;
    appearance: string;
    system: string;
    light: string;
    dark: string;
  };
  home: {
    title: string;
    newest: string;
    mostLiked: string;
    periods: Record<RankingPeriod, string>;
    languages: string;
    allLanguages: string;
    newer: string;
    older: string;
    /** The parts of a list that is long, and those beside the one that is shown where its order is not that of time. */
    pages: string;
    previousPage: string;
    nextPage: string;
    likes: (count: number) => string;
    empty: string;
    /** Why an article leads the newest ones. */
    leads: string;
    legend: string;
    emptyPeriod: string;
    emptyLanguage: string;
    wayOn: string;
    toAll: string;
    newForMe: string;
    unread: (unread: number, changed: number) => string;
    allRead: string;
    markAllRead: string;
    allNewForMe: string;
    nothingForMe: string;
    toFavorites: string;
    isUnread: string;
    isChanged: string;
    newestTitle: string;
    periodTitles: Record<RankingPeriod, string>;
    breaking: string;
  };
  article: {
    by: string;
    minutes: (count: number) => string;
    state: Record<'open' | 'closed' | 'merged', (date: string) => string>;
    like: string;
    newSinceRead: (sentences: number) => string;
    onHost: string;
    languages: string;
    writeIn: (language: string) => string;
    stale: string;
    writeAnew: string;
    map: string;
    filesInFolders: (files: string, folders: number) => string;
    foldersAsList: string;
    moreFolders: (folders: number) => string;
    /** Where files lie that lie in no folder. */
    noFolder: string;
    mapKinds: Record<MapKind, string>;
    callouts: string;
    /** Opens what the author wrote. */
    readOn: string;
    restOnHost: string;
    checked: string;
    more: (repository: string) => string;
    moreOfFiles: string;
    moreInRelease: (tag: string) => string;
    wholeRelease: (range: { from: string; to: string }) => string;
    moreByAuthor: (author: string) => string;
    histories: string;
    evidence: string;
    /** More lines above or below those that are shown. */
    linesBeside: Record<'above' | 'below', (lines: number) => string>;
    backToArticle: string;
    private: string;
    around: string;
    copyLink: string;
    copyMarkdown: string;
    copyLines: string;
    copied: string;
    notCopied: string;
    allEvidence: string;
    /** What keys do; which ones stands between backticks. */
    keys: string;
    linesOnHost: string;
  };
  /** What is said of an article wherever it is shown. */
  told: ArticleWords;
  checked: {
    skipped: (count: number) => string;
    andMore: (count: number) => string;
    when: (date: string, commit: string) => string;
  };
  repository: {
    title: (repository: string) => string;
    articles: string;
    noArticles: string;
    signIn: string;
    pullRequests: string;
    noPullRequests: string;
    /** Said of a clone that has none. */
    whatCounts: string;
    state: Record<'open' | 'closed' | 'merged', string>;
    read: string;
    write: string;
    /** What the tabs are. */
    parts: string;
    readFromClone: string;
    readFrom: (host: string) => string;
    confirmed: (minutes: number) => string;
    noneOfThese: string;
    filters: Record<
      'label' | 'all' | 'merged' | 'open' | 'any' | 'written' | 'unwritten' | 'withBots' | 'withoutBots',
      string
    >;
    /** Leads to them from a list that holds none of them. */
    allPullRequests: string;
    /** What is being written for those who follow it: so many, or what was merged last where that is not counted yet. */
    arriving: (articles: number | null) => string;
  };
  unwritten: {
    heading: string;
    /** Said below the title of a pull request that is known. */
    notYet: string;
    /** To strangers, of what may be there or not. */
    nothingYet: string;
    ifItExists: string;
    signInAndAsk: string;
    /** The same to those who have signed in and not signed up. */
    ifItExistsSignUp: string;
    signUpAndAsk: string;
    /** Of a repository that another host may have. */
    amongClones: string;
    lookOn: (hostName: string) => string;
    known: (files: number, additions: number, deletions: number) => string;
    unknown: string;
    write: string;
    otherLanguage: (language: string) => string;
    readIn: string;
    files: (files: number) => string;
    signIn: string;
    noPullRequest: (name: string) => string;
    checkNumber: string;
    noRepository: (name: string) => string;
    checkSpelling: string;
    /** To those who have no token that would show them what is private. */
    saveToken: string;
    /** How a repository gets among the clones that are read. */
    addClone: (name: string) => string;
  };
  failure: {
    title: string;
    notFound: string;
    mayBePrivate: string;
    whySignIn: string;
    signIn: string;
    /** To those who have signed in already. */
    signUp: string;
    invalid: string;
    elsewhere: string;
    forbidden: string;
    hostToken: string;
    settings: string;
    tooMany: string;
    away: string;
    hostAway: string;
    full: string;
    internal: (requestId: string) => string;
    again: string;
    home: string;
    backToPage: string;
    wait: (seconds: number) => string;
  };
  signIn: {
    title: string;
    progress: string;
    byBrowser: (host: string) => string;
    token: string;
    hints: Record<TokenKind | 'oidc', string>;
    printed: string;
    submit: string;
    asName: (name: string) => string;
    instead: (names: { current: string; name: string }) => string;
    warning: string;
    confirm: (name: string) => string;
    cancel: string;
    signedInAs: (name: string) => string;
    goOn: string;
    refused: string;
    failed: string;
    needsScript: string;
  };
  signUp: { title: string; welcome: string; language: string; submit: string };
  settings: {
    title: string;
    favorites: string;
    liked: string;
    you: string;
    logOut: string;
    language: string;
    languageHint: string;
    save: string;
    saved: string;
    model: string;
    localModel: (server: string) => string;
    hostToken: (host: string) => string;
    hostTokenHint: string;
    forget: string;
    forgotten: string;
    sessions: string;
    session: (created: string, used: string) => string;
    thisSession: string;
    endSession: string;
    deleteAccount: string;
    deleteHint: string;
    typeName: (name: string) => string;
    savedOn: (date: string) => string;
  };
  favorites: {
    title: string;
    empty: string;
    host: string;
    add: string;
    submit: string;
    remove: (repository: string) => string;
    unknown: string;
    watch: string;
    watched: (language: string) => string;
    /** When its host last said what is merged, in minutes; null before it did. */
    looked: (minutes: number | null) => string;
    unwatched: string;
    paused: Record<PauseReason, string>;
    saveToken: string;
    lost: string;
    tooMany: string;
    noRepository: (name: string) => string;
    namesNothing: string;
    watching: string;
    /** What leads to the choices below. */
    which: string;
    labels: string;
    includeBots: string;
  };
  liked: { title: string; empty: string; remove: string };
  go: {
    title: string;
    unreadable: string;
    hint: string;
    hostIsOff: (name: string, setting: string) => string;
    readFrom: string;
    hugeNumber: string;
    hugeNumberHint: string;
    zero: string;
  };
  doing: {
    steps: Record<JobProgress['step'], string>;
    cancel: string;
    cancelled: string;
    progress: string;
    follow: string;
    problems: Record<'invalid' | 'unreadable' | 'language' | 'model' | 'offline' | 'otherwise', string>;
    following: string;
    /** Said to browsers without scripts. */
    loadsAgain: string;
  };
  repositories: {
    none: string;
    title: string;
    description: string;
    articles: (count: number) => string;
    newest: (date: string) => string;
    merged: (count: number) => string;
  };
  digest: {
    title: string;
    kinds: Record<DigestPeriod, string>;
    /** Of the reader's repositories, of one that is named, or of a team's. */
    mine: (period: DigestPeriod, repositories: number) => string;
    ofRepository: (period: DigestPeriod, name: string) => string;
    ours: (period: DigestPeriod, repositories: number) => string;
    /** From the first day to the last. */
    days: (from: string, last: string) => string;
    /** There may be more where not all is known. */
    merged: (count: number, isComplete: boolean) => string;
    written: (count: number) => string;
    shown: (count: number) => string;
    /** By what was chosen what is shown. */
    chosen: string;
    reasons: Record<RestReason, (count: number) => string>;
    before: Record<DigestPeriod, string>;
    after: Record<DigestPeriod, string>;
    /** What leads to the digest of the other period. */
    instead: Record<DigestPeriod, string>;
    quiet: string;
    nothing: Record<DigestPeriod, string>;
    nothingKnown: Record<DigestPeriod, string>;
    /** How more would be known, and where something was merged before. */
    followed: string;
    toLast: (date: string) => string;
    /** Of repositories in which something may have been merged that is not known. */
    unwatched: string;
    /** Where something is known of some that were not watched all the time. */
    partly: string;
    byMail: string;
    choices: Record<DigestChoice, string>;
    email: string;
    hint: string;
    noMail: string;
    goesTo: (email: string) => string;
    unconfirmed: (email: string) => string;
    refused: (email: string) => string;
    problems: Record<'address' | 'tooMany' | 'away', string>;
    confirmHint: string;
    confirmed: string;
    deadLink: string;
    stopTitle: string;
    stopHint: string;
    stop: string;
    stopped: string;
    toChoice: string;
    mail: {
      subject: (period: DigestPeriod, merged: string, shown: number) => string;
      why: Record<DigestPeriod, string>;
      confirmSubject: string;
      /** Who asked for it, and where that Pullquote is. */
      confirmAsked: (name: string, service: string) => string;
      confirmHow: string;
      confirmLink: string;
      confirmIgnore: string;
    };
  };
  find: {
    title: string;
    quoted: (typed: string) => string;
    count: (count: number | null) => string;
    partial: string;
    bestFirst: string;
    newestFirst: string;
    allIndexed: string;
    indexed: (percent: number) => string;
    inRepository: string;
    ofType: string;
    all: string;
    unread: string;
    sections: Record<Exclude<Section['kind'], 'change'>, string>;
    change: (number: number) => string;
    andMoreFiles: (count: number) => string;
    nothing: string;
    fewerWords: string;
    withoutFilters: string;
    asRepository: (name: string) => string;
    howTo: string;
    tips: [example: string, meaning: string][];
    problems: Record<SearchProblem, (part: string) => string>;
  };
  /** Of feeds, which programs read, and of the address of one's own. */
  feeds: {
    feed: string;
    ofSearch: string;
    readArticle: string;
    /** What one's own feed is called where it is read. */
    mine: (name: string) => string;
    /** What a list of the feeds of one's favorites is called. */
    favorites: (name: string) => string;
    heading: string;
    hint: string;
    make: string;
    since: (date: string) => string;
    replace: string;
    replaceHint: string;
    end: string;
    shownOnce: string;
    atom: string;
    json: string;
    /** The digests in the one format that is shown of them. */
    digests: string;
    list: string;
  };
  release: {
    /** What is said of a release wherever it is told. */
    told: ReleaseWords;
    title: (to: string, repository: string) => string;
    /** What leads to the choice of two versions, and stands above it. */
    choose: string;
    from: string;
    to: string;
    show: string;
    hint: string;
    breaking: (count: number) => string;
    unwritten: (count: number, total: number) => string;
    /** Of those that came by another branch than the default one. */
    unwritable: (count: number) => string;
    signIn: string;
    notWritten: string;
    problems: {
      missing: string;
      same: string;
      unfit: (ref: string) => string;
      unknown: (ref: string, others: string[]) => string;
    };
  };
  narrowed: {
    byAuthor: (author: string) => string;
    ofType: (type: string) => string;
    authors: string;
    allAuthors: string;
    types: string;
    allTypes: string;
    empty: string;
  };
  /** Of many articles that are written one after another. Scripts put numbers where braces stand. */
  importing: {
    these: (count: number) => string;
    /** Of more that are listed, those that are merged: all of these, or those without an article. */
    merged: (count: number, areAll: boolean) => string;
    latest: (count: number) => string;
    more: (count: number) => string;
    queued: string;
    writing: string;
    over: string;
    nothing: string;
    skipped: string;
    toArticles: string;
    underAMinute: string;
    minutes: string;
    waits: string;
  };
  date: (date: string) => string;
  number: (count: number) => string;
}
