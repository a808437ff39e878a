import type { Words } from './words.ts';

const number = (count: number): string => count.toLocaleString('ja');
const dates = new Intl.DateTimeFormat('ja', { dateStyle: 'medium', timeZone: 'UTC' });
const date = (text: string): string => dates.format(new Date(text));

export const japanese: Words = {
  tagline: 'プルリクエストを、差分と照合された読みものに。',
  skipToContent: '本文へ',
  bar: { paste: 'プルリクエストのURLを貼る', go: '開く', signIn: 'ログイン', signUp: '登録' },
  footer: {
    reference: 'HTTP API',
    source: 'すべての文は差分と照合されています。',
    appearance: '外観',
    system: '自動',
    light: 'ライト',
    dark: 'ダーク',
  },
  home: {
    title: 'プルリクエストの記事',
    newest: '新着',
    periods: { daily: '今日', weekly: '今週', monthly: '今月', yearly: '今年', all: '全期間' },
    languages: '言語',
    allLanguages: 'すべての言語',
    newer: '新しい記事',
    older: '前の記事',
    likes: (count) => `いいね ${number(count)}`,
    empty: 'まだ記事がありません。',
    emptyPeriod: 'この期間に「いいね」された記事はありません。',
    emptyLanguage: 'この言語の記事はまだありません。',
    wayOn: '上の欄にプルリクエストのURLを貼ると、最初の記事になります。',
    toAll: 'すべての記事を見る',
  },
  article: {
    by: '',
    minutes: (count) => `${number(count)} 分で読めます`,
    state: {
      open: (when) => `オープン ${when}`,
      closed: (when) => `クローズ済み ${when}`,
      merged: (when) => `マージ済み ${when}`,
    },
    like: 'いいね',
    onHost: 'プルリクエスト',
    languages: '言語',
    writeIn: (language) => `${language}で書く`,
    stale: 'この記事が書かれたあと、プルリクエストが更新されています。',
    writeAnew: '書き直す',
    quotedFrom: {
      description: '説明文より',
      commit: 'コミットメッセージより',
      code: 'コード中のコメントより',
    },
    map: '変更の地図',
    mapRest: (files) => `ほか ${number(files)} ファイル`,
    mapKinds: {
      source: 'ソース',
      test: 'テスト',
      documentation: '文書',
      build: 'ビルド',
      configuration: '設定',
      manifest: 'マニフェスト',
      other: 'その他',
    },
    why: '背景と目的',
    whatChanged: '主な変更点',
    worthNoting: '注目すべき点',
    judgement: '見立て（主張ではありません）',
    checked: '照合の結果',
    more: (repository) => `${repository} のほかの記事`,
    evidence: '該当箇所',
    longer: (lines) => `ほか ${number(lines)} 行`,
    noLines: 'この行はここには表示されません。',
    seeFile: 'このファイルの差分を見る',
  },
  checked: {
    claims: ({ verified, claims, dropped, judged }) =>
      (claims === 0
        ? '差分との照合が必要な記述はありません。'
        : verified === claims
          ? `${number(claims)} 件の記述すべてを差分の中に確認しました。`
          : `${number(claims)} 件の記述のうち ${number(verified)} 件を差分の中に確認しました。`) +
      (dropped > 0 ? `確認できなかった ${number(dropped)} 件は載せていません。` : '') +
      (judged > 0 ? `うち ${number(judged)} 件は第二の読み手も認めました。` : ''),
    read: ({ filesRead, filesTotal, linesRead, linesTotal }) =>
      `${number(filesTotal)} ファイル中 ${number(filesRead)} ファイル、変更 ${number(linesTotal)} 行中 ${number(linesRead)} 行を読みました。`,
    byRules: '言語モデルを使わず、差分から規則に従って書かれました。',
    byModel: (model) => `${model} が書きました。`,
    because: {
      tooLarge: '変更が大きく、モデルでは読みきれません。',
      private: '非公開リポジトリのため、モデルには見せていません。',
      failed: 'モデルから使える回答が得られませんでした。',
    },
    skipped: (count) => `読まなかった、または途中まで読んだファイル ${number(count)} 件`,
    andMore: (count) => `ほか ${number(count)} 件`,
    when: (when, commit) => `${when}、コミット ${commit} について`,
    meter: '差分の中に確認できた記述',
  },
  repository: {
    title: (repository) => `${repository} の記事`,
    articles: '記事',
    noArticles: 'このリポジトリの記事はまだありません。',
    pullRequests: 'プルリクエスト',
    noPullRequests: 'このリポジトリにプルリクエストはありません。',
    state: { open: 'オープン', closed: 'クローズ済み', merged: 'マージ済み' },
    read: '読む',
    write: '書く',
  },
  unwritten: {
    heading: '記事はまだありません',
    known: (files, additions, deletions) =>
      `${number(files)} ファイルを変更し、${number(additions)} 行を追加、${number(deletions)} 行を削除しています。`,
    unknown: 'このプルリクエストの記事は、まだ誰も頼んでいません。',
    write: '記事を書く',
    otherLanguage: (language) => `この記事はまだ${language}では書かれていません。`,
    readIn: '読める言語',
  },
  failure: {
    title: 'ページがありません',
    notFound: 'このアドレスに読めるものはありません。',
    mayBePrivate: 'まだ書かれていないか、公開されていない可能性があります。',
    signIn: 'ログイン',
    invalid: 'アドレスに誤りがあります。',
    forbidden: 'この操作は許可されていません。',
    hostToken: 'コードホストが本人確認を求めています。トークンを保存してください。',
    settings: '設定へ',
    tooMany: '一度に多くのリクエストが届きました。少しお待ちください。',
    away: 'いまは何も読み出せません。',
    hostAway: 'いまコードホストが応答していません。',
    full: '保存する空きがありません。読むことはできます。',
    internal: (requestId) => `こちらの不具合です。続くようでしたら ${requestId} とお知らせください。`,
    again: 'もう一度試す',
    home: '新着の記事へ',
  },
  signIn: {
    title: 'ログイン',
    progress: 'ログインしています…',
    token: 'トークン',
    tokenHint:
      'このサービスが GitHub を読む場合は、GitHub の個人用アクセストークン。または、運用者が `npm run -s pullquote -- token 名前` で作るトークン。',
    submit: 'ログイン',
    welcome: 'はじめまして。どの言語で読みますか。',
    language: '言語',
    signUp: '登録する',
  },
  date,
  number,
};
