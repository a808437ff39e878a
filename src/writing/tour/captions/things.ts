import type { DeclaredThing, SurfaceThing } from '../../draft.ts';

/** What things are called. */
export const things: Record<DeclaredThing | SurfaceThing, { en: string; ja: string }> = {
  function: { en: 'function', ja: '関数' },
  method: { en: 'method', ja: 'メソッド' },
  constructor: { en: 'constructor', ja: 'コンストラクタ' },
  class: { en: 'class', ja: 'クラス' },
  module: { en: 'module', ja: 'モジュール' },
  type: { en: 'type', ja: '型' },
  constant: { en: 'constant', ja: '定数' },
  field: { en: 'field', ja: 'フィールド' },
  commandLineOption: { en: 'command-line option', ja: 'コマンドラインオプション' },
};
