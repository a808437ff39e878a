import type { OfPoints, Saying } from '../../statements.ts';
import { code, codes } from './words.ts';

const subjectsNamed = 3;
const named = (subjects: string[]): string => codes(subjects, subjectsNamed);

const settings = {
  configurationKey: '設定キー',
  environmentVariable: '環境変数',
  route: 'ルート',
  commandLineOption: 'コマンドラインオプション',
} as const;

export const pointSayings: Saying<string, OfPoints> = {
  publicApiRemoved: ({ names, isPart }) =>
    `公開されていた ${named(names.map(({ name }) => name))} ${isPart ? 'など' : ''}の宣言がなくなります。`,
  publicApiRenamed: ({ from, to }) => `外部から使えた ${code(from)} は ${code(to)} という名前になります。`,
  reliersBreak: () => 'これに頼っているコードは修正が必要かもしれません。',
  publicApiChanged: ({ names }) =>
    `公開されている ${named(names.map(({ name }) => name))} の宣言が変わります。`,
  callersFollow: () => 'ほかの呼び出し側も直す必要があるかもしれません。',
  closedToAdditions: ({ subjects }) => `${named(subjects)} には外部から追加ができなくなります。`,
  openedToAdditions: ({ subjects }) => `${named(subjects)} には外部から追加ができるようになります。`,
  minimumVersion: ({ isRaised, transitions }) =>
    transitions
      .map(
        ({ subject, from, to }) =>
          `対応する ${subject} の最低バージョンが ${code(from)} から ${code(to)} に${isRaised ? '上がり' : '下がり'}ます。`,
      )
      .join(''),
  frameworksDropped: ({ names }) => `対象フレームワークから ${codes(names)} が外れます。`,
  fallbackRemoved: ({ subjects }) => `${named(subjects)} を代わりの値とともに読む箇所がなくなります。`,
  defaultChanged: ({ transitions }) =>
    transitions
      .map(
        ({ subject, from, to }) =>
          `${code(subject)} の既定値が ${code(from)} から ${code(to)} に変わります。`,
      )
      .join(''),
  reliersGetAnother: () => '既定値に頼っていた人は、別の値を受け取ることになります。',
  schemaMigration: ({ subjects }) => `データベースのスキーマが変わります (${named(subjects)})。`,
  migrationNeeded: () => '導入するときには移行作業が必要です。',
  settingRemoved: ({ kind, subjects }) => `${settings[kind]} ${named(subjects)} がなくなります。`,
  majorUpgrade: ({ transitions }) =>
    transitions
      .map(
        ({ subject, from, to }) =>
          `${code(subject)} はメジャーバージョンが ${code(from)} から ${code(to)} に変わります。`,
      )
      .join(''),
  mayBreak: () => '互換性のない変更が含まれているかもしれません。',
  dangerousCall: ({ subjects }) => `追加された行に ${named(subjects)} があります。`,
  lookWhereFrom: () => '渡されたものを実行・表示するため、値がどこから来るかを確かめる価値があります。',
};
