import type { Thing } from '../../draft.ts';

type Language = 'en' | 'ja';

/** What things are called. */
export const thingIn: Record<Language, Record<Thing, string>> = {
  en: {
    function: 'function',
    method: 'method',
    constructor: 'constructor',
    class: 'class',
    module: 'module',
    type: 'type',
    constant: 'constant',
    condition: 'condition',
    line: 'line',
    heading: 'section',
    text: 'text',
    test: 'test',
    dependency: 'dependency',
    configurationKey: 'configuration key',
    environmentVariable: 'environment variable',
    route: 'route',
    commandLineOption: 'command-line option',
  },
  ja: {
    function: '関数',
    method: 'メソッド',
    constructor: 'コンストラクタ',
    class: 'クラス',
    module: 'モジュール',
    type: '型',
    constant: '定数',
    condition: '条件',
    line: '行',
    heading: '節',
    text: '文',
    test: 'テスト',
    dependency: '依存',
    configurationKey: '設定キー',
    environmentVariable: '環境変数',
    route: 'ルート',
    commandLineOption: 'コマンドラインオプション',
  },
};

/** Several things in one sentence. */
export const list: Record<Language, (items: string[]) => string> = {
  en: (items) => (items.length < 2 ? items.join('') : `${items.slice(0, -1).join(', ')} and ${items.at(-1)}`),
  ja: (items) => items.join('、'),
};
