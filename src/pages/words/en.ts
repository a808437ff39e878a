import type { Words } from './words.ts';

const number = (count: number): string => count.toLocaleString('en');
const plural = (count: number, one: string): string => `${number(count)} ${count === 1 ? one : `${one}s`}`;
const dates = new Intl.DateTimeFormat('en', { dateStyle: 'medium', timeZone: 'UTC' });
const date = (text: string): string => dates.format(new Date(text));

export const english: Words = {
  tagline: 'Pull requests as articles people want to read, checked against the diff.',
  skipToContent: 'Skip to the content',
  bar: { paste: 'Paste a pull request', go: 'Go', signIn: 'Sign in', signUp: 'Sign up' },
  footer: {
    reference: 'HTTP API',
    source: 'Every sentence is checked against the diff.',
    appearance: 'Appearance',
    system: 'System',
    light: 'Light',
    dark: 'Dark',
  },
  home: {
    title: 'Articles about pull requests',
    newest: 'Newest',
    periods: { daily: 'Today', weekly: 'Week', monthly: 'Month', yearly: 'Year', all: 'All time' },
    languages: 'Language',
    allLanguages: 'All languages',
    newer: 'Newer',
    older: 'Older',
    likes: (count) => plural(count, 'like'),
    empty: 'Nothing has been written here yet.',
    emptyPeriod: 'Nobody has liked an article in this time.',
    emptyLanguage: 'Nothing has been written in this language yet.',
    wayOn: 'Paste the address of a pull request above, and its article will be the first.',
    toAll: 'See everything',
  },
  article: {
    by: 'By',
    minutes: (count) => `${number(count)} min read`,
    state: {
      open: (when) => `opened ${when}`,
      closed: (when) => `closed, opened ${when}`,
      merged: (when) => `merged ${when}`,
    },
    like: 'Like',
    onHost: 'Pull request',
    languages: 'Languages',
    writeIn: (language) => `Write it in ${language}`,
    stale: 'The pull request has moved on since this was written.',
    writeAnew: 'Write anew',
    quotedFrom: {
      description: 'in the description',
      commit: 'in a commit message',
      code: 'in a comment in the code',
    },
    map: 'Where the change fell',
    mapRest: (files) => `${plural(files, 'more file')}`,
    mapKinds: {
      source: 'source',
      test: 'tests',
      documentation: 'documents',
      build: 'build',
      configuration: 'configuration',
      manifest: 'manifests',
      other: 'other',
    },
    why: 'Why',
    whatChanged: 'What changed',
    worthNoting: 'Worth noting',
    judgement: 'A judgement, not a claim',
    checked: 'How this was checked',
    more: (repository) => `More from ${repository}`,
    evidence: 'Evidence',
    longer: (lines) => `${plural(lines, 'more line')}`,
    noLines: 'These lines are not shown here.',
    seeFile: 'See the diff of this file',
  },
  checked: {
    claims: ({ verified, claims, dropped, judged }) =>
      (claims === 0
        ? 'It makes no claim that would need the diff.'
        : verified === claims
          ? `${claims === 1 ? 'Its one claim was' : `All ${number(claims)} claims were`} found in the diff.`
          : `${number(verified)} of ${plural(claims, 'claim')} were found in the diff.`) +
      (dropped > 0
        ? ` ${plural(dropped, 'sentence')} that the diff did not bear out ${dropped === 1 ? 'was' : 'were'} left out.`
        : '') +
      (judged > 0 ? ` A second reader agreed with ${number(judged)}.` : ''),
    read: ({ filesRead, filesTotal, linesRead, linesTotal }) =>
      `${number(filesRead)} of ${plural(filesTotal, 'file')} and ${number(linesRead)} of ${plural(linesTotal, 'changed line')} were read.`,
    byRules: 'Written from the diff by rules, without a language model.',
    byModel: (model) => `Written by ${model}.`,
    because: {
      tooLarge: 'The change is too large for the model.',
      private: 'The repository is private and is not shown to a model.',
      failed: 'The model gave no usable answer.',
    },
    skipped: (count) => `${plural(count, 'file')} not read, or not to the end`,
    andMore: (count) => `and ${number(count)} more`,
    when: (when, commit) => `${when}, for commit ${commit}`,
    meter: 'Claims found in the diff',
  },
  repository: {
    title: (repository) => `Articles about ${repository}`,
    articles: 'Articles',
    noArticles: 'No article about this repository has been written yet.',
    pullRequests: 'Pull requests',
    noPullRequests: 'The repository has no pull requests.',
    state: { open: 'open', closed: 'closed', merged: 'merged' },
    read: 'Read',
    write: 'Write',
  },
  unwritten: {
    heading: 'Not written yet',
    known: (files, additions, deletions) =>
      `It changes ${plural(files, 'file')}: ${plural(additions, 'line')} added, ${number(deletions)} removed.`,
    unknown: 'Nobody has asked for an article about this pull request yet.',
    write: 'Write the article',
    otherLanguage: (language) => `This article is not written in ${language} yet.`,
    readIn: 'Read it in',
  },
  failure: {
    title: 'Nothing here',
    notFound: 'There is nothing to read at this address.',
    mayBePrivate: 'It may not be written yet, or not be for everybody.',
    signIn: 'Sign in',
    invalid: 'This address is not quite right.',
    forbidden: 'This is not yours to do.',
    hostToken: 'The code host wants to know that it is you: save your token of it.',
    settings: 'Go to the settings',
    tooMany: 'Too many requests came from here at once. Wait a moment.',
    away: 'The service cannot look anything up at the moment.',
    hostAway: 'The code host does not answer at the moment.',
    full: 'There is no room left to store anything. Reading goes on.',
    internal: (requestId) => `Something went wrong on our side. If it stays, report it as ${requestId}.`,
    again: 'Try again',
    home: 'Go to the newest articles',
  },
  signIn: {
    title: 'Sign in',
    progress: 'Signing in …',
    token: 'Token',
    tokenHint:
      'A personal access token of GitHub, where this service reads from it; or one that whoever runs it makes with the command `npm run -s pullquote -- token NAME`.',
    submit: 'Sign in',
    welcome: 'Nice to meet you. In which language do you want to read?',
    language: 'Language',
    signUp: 'Sign up',
  },
  date,
  number,
};
