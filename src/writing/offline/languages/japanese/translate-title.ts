import { isThirdPerson } from '../english/verbs.ts';

/**
 * English titles follow few patterns: a verb, what it acts on, and where. Those that do are put into Japanese; what the
 * verb acts on stays in English where one of its words is not in these lists. Anything else is left as its author wrote it.
 */

/** Reads `word=meaning` entries, parted by commas. */
function glossary(entries: string): Map<string, string> {
  return new Map(
    entries.split(',').map((entry) => {
      const [word = '', meaning = ''] = entry.split('=');
      return [word.trim(), meaning.trim()];
    }),
  );
}

/** What is said behind the object. */
const verbs = glossary(`
  add=を追加, allow=を許可, apply=を適用, avoid=を回避, bump=を更新, cache=をキャッシュ, change=を変更,
  check=を確認, clarify=を明確化, clean=を整理, cleanup=を整理, convert=を変換, correct=を訂正, cover=を網羅,
  create=を作成, decouple=を分離, deprecate=を非推奨に, delete=を削除, detect=を検出, disable=を無効化,
  disallow=を禁止, document=を文書化, drop=を廃止, dedupe=の重複を排除, deduplicate=の重複を排除,
  enable=を有効化, enforce=を強制, enhance=を強化, ensure=を保証, escape=をエスケープ, exclude=を除外,
  expand=を拡張, export=を公開, expose=を公開, extend=を拡張, extract=を切り出し, fix=を修正, forbid=を禁止,
  format=を整形, generate=を生成, handle=に対処, hide=を非表示に, ignore=を無視, implement=を実装,
  improve=を改善, include=を含める, increase=を増加, inline=をインライン化, introduce=を導入,
  invalidate=を無効化, limit=を制限, load=を読み込み, log=をログに記録, merge=を統合, migrate=を移行,
  move=を移動, normalize=を正規化, omit=を省略, optimize=を最適化, optimise=を最適化, override=を上書き,
  parse=を解析, pass=を受け渡し, pin=を固定, preserve=を維持, prevent=を防止, propagate=を伝播, provide=を提供,
  reduce=を削減, refactor=をリファクタリング, refresh=を更新, register=を登録, reject=を拒否, remove=を削除,
  rename=を改名, render=を描画, reorder=を並べ替え, replace=を置き換え, report=を報告, require=を必須に,
  reset=をリセット, resolve=を解決, respect=を尊重, restore=を復元, restrict=を制限, retry=を再試行,
  return=を返す, reuse=を再利用, revert=を差し戻し, rewrite=を書き直し, run=を実行, sanitize=を無害化,
  save=を保存, set=を設定, show=を表示, simplify=を簡素化, skip=をスキップ, sort=を整列, split=を分割,
  stabilize=を安定化, stop=を停止, strip=を除去, support=に対応, suppress=を抑制, switch=を切り替え,
  sync=を同期, test=をテスト, throw=を送出, track=を追跡, trim=を切り詰め, tweak=を微調整, unify=を統一,
  update=を更新, upgrade=を更新, use=を使用, utilize=を使用, validate=を検証, verify=を検証, warn=を警告,
  wrap=を包む, exempt=を対象外に`);

const nouns = glossary(`
  broken link=リンク切れ, memory leak=メモリリーク, race condition=競合状態, unit test=単体テスト,
  error message=エラーメッセージ, type error=型エラー, content type=コンテンツタイプ, default value=既定値,
  command line=コマンドライン, error handling=エラー処理, edge case=境界ケース,
  test coverage=テストの網羅範囲, dead code=不要なコード, type definition=型定義, return type=戻り値の型,
  return value=戻り値, field name=フィールド名, file name=ファイル名, filename=ファイル名, class name=クラス名,
  method name=メソッド名, function name=関数名, variable name=変数名, table name=テーブル名,
  exception message=例外メッセージ, access=アクセス, address=アドレス, alias=エイリアス, argument=引数, array=配列,
  asset=アセット, authentication=認証, authorization=認可, badge=バッジ, behavior=動作, behaviour=動作,
  body=本文, branch=ブランチ, browser=ブラウザ, buffer=バッファ, bug=バグ, build=ビルド, button=ボタン,
  cache=キャッシュ, callback=コールバック, certificate=証明書, changelog=変更履歴, character=文字,
  chunk=チャンク, class=クラス, client=クライアント, code=コード, column=列, command=コマンド,
  comment=コメント, compiler=コンパイラ, component=コンポーネント, condition=条件, config=設定,
  configuration=設定, connection=接続, constant=定数, constructor=コンストラクタ, container=コンテナ,
  context=コンテキスト, cookie=Cookie, coverage=カバレッジ, crash=クラッシュ, data=データ,
  database=データベース, deadlock=デッドロック, declaration=宣言, default=既定値, dependency=依存関係,
  description=説明, directory=ディレクトリ, doc=ドキュメント, documentation=ドキュメント, duplicate=重複,
  encoding=エンコーディング, entry=エントリ, environment=環境, error=エラー, event=イベント, example=例,
  exception=例外, export=エクスポート, extension=拡張, feature=機能, field=フィールド, file=ファイル,
  filter=フィルタ, flag=フラグ, folder=フォルダ, format=形式, function=関数, generation=生成, guide=ガイド,
  handler=ハンドラ, handling=処理, header=ヘッダー, helper=ヘルパー, hook=フック, icon=アイコン, image=画像,
  implementation=実装, import=インポート, index=インデックス, inference=推論, input=入力,
  interface=インターフェース, issue=問題, item=項目, key=キー, label=ラベル, latest=最新版, language=言語,
  layout=レイアウト, leak=リーク, library=ライブラリ, license=ライセンス, limit=上限, line=行, link=リンク,
  list=一覧, locale=ロケール, lockfile=ロックファイル, log=ログ, logging=ログ出力, logic=ロジック, logo=ロゴ,
  loop=ループ, memory=メモリ, menu=メニュー, message=メッセージ, metadata=メタデータ, method=メソッド,
  metric=指標, middleware=ミドルウェア, migration=移行, mode=モード, model=モデル, module=モジュール,
  name=名前, namespace=名前空間, network=ネットワーク, number=数, object=オブジェクト,
  operation=操作, operator=演算子, option=オプション, order=順序, output=出力, package=パッケージ,
  page=ページ, parameter=パラメータ, parser=パーサー, parsing=解析, password=パスワード, path=パス,
  pattern=パターン, performance=性能, permission=権限, pipeline=パイプライン, platform=プラットフォーム,
  plugin=プラグイン, policy=ポリシー, prefix=接頭辞, process=プロセス, property=プロパティ,
  protocol=プロトコル, provider=プロバイダー, proxy=プロキシ, query=クエリ, queue=キュー, reference=参照,
  registry=レジストリ, regression=リグレッション, release=リリース, rendering=描画, repository=リポジトリ,
  request=リクエスト, resource=リソース, response=レスポンス, result=結果, retry=再試行, role=ロール,
  route=ルート, router=ルーター, routing=ルーティング, rule=規則, runtime=ランタイム, schema=スキーマ,
  scope=スコープ, script=スクリプト, search=検索, section=節, security=セキュリティ, serialization=直列化,
  server=サーバー, service=サービス, session=セッション, setting=設定, signature=シグネチャ, size=サイズ,
  snapshot=スナップショット, source=ソース, state=状態, status=状態, storage=ストレージ, stream=ストリーム,
  string=文字列, style=スタイル, support=サポート, syntax=構文, table=テーブル, tag=タグ, target=ターゲット,
  template=テンプレート, test=テスト, text=テキスト, theme=テーマ, thread=スレッド, time=時間,
  timeout=タイムアウト, timestamp=タイムスタンプ, title=タイトル, token=トークン, tooltip=ツールチップ,
  trace=トレース, translation=翻訳, type=型, typing=型付け, typings=型定義, typo=誤字, url=URL, usage=使い方,
  user=ユーザー, utility=ユーティリティ, validation=検証, value=値, variable=変数, version=バージョン,
  view=ビュー, warning=警告, website=ウェブサイト, window=ウィンドウ, worker=ワーカー, workflow=ワークフロー,
  workspace=ワークスペース`);

const adjectives = glossary(`
  additional=追加の, all=すべての, async=非同期の, broken=壊れた, correct=正しい, custom=独自の,
  deprecated=非推奨の, different=別の, duplicate=重複した, duplicated=重複した, dynamic=動的な, each=各,
  empty=空の, every=すべての, existing=既存の, experimental=試験的な, external=外部の, failing=失敗する,
  flaky=不安定な, global=全体の, incorrect=誤った, initial=最初の, inline=インラインの, internal=内部の,
  invalid=不正な, latest=最新の, legacy=旧来の, local=ローカルの, many=多数の, minor=細かな,
  missing=不足していた, more=さらなる, multiple=複数の, nested=入れ子の, new=新しい, obsolete=古い, old=古い,
  optional=省略可能な, original=元の, outdated=古くなった, possible=起こりうる, potential=起こりうる,
  private=非公開の, public=公開の, redundant=冗長な, required=必須の, same=同じ, several=いくつかの,
  shared=共有の, single=単一の, some=いくつかの, stale=古い, static=静的な, trailing=末尾の,
  unexpected=予期しない, unknown=未知の, unnecessary=不要な, unsafe=安全でない, unused=未使用の,
  useless=不要な, various=さまざまな, wrong=誤った`);

/** How the place behind a preposition joins what stands before it. */
const places: Record<string, (object: string, place: string) => string> = {
  for: (object, place) => `${place} の ${object}`,
  of: (object, place) => `${place} の ${object}`,
  in: (object, place) => `${place} の ${object}`,
  on: (object, place) => `${place} での ${object}`,
  across: (object, place) => `${place} にわたる ${object}`,
  during: (object, place) => `${place} 中の ${object}`,
  between: (object, place) => `${place} 間の ${object}`,
  within: (object, place) => `${place} 内の ${object}`,
};

const clause =
  /\b(?:when|if|while|because|so|that|which|after|before|unless|until|where|who|is|are|was|were|be|being|does|do|not|can|should|would|could|will|has|have|it|they|there|without|via|using|based|by|instead|rather|than|even|but|or|as)\b/i;

/** A title in Japanese, or null where it does not follow a pattern that can be put into Japanese without guessing. */
export function titleFromEnglish(title: string): string | null {
  const plain = title.replace(/[“”"]/g, '').replace(/\s+\(.*\)$/, '');
  const spans: string[] = [];
  // Identifiers and code are carried over as they are.
  const masked = plain.replace(
    /`[^`]+`|[\w.]*\{[^{}]*\}\S*/g,
    (span) => `\uE000${spans.push(span) - 1}\uE001`,
  );
  const made = translate(masked);
  return made === null
    ? null
    : tidy(made.replace(/\uE000(\d+)\uE001/g, (_, index) => spans[Number(index)] ?? ''));
}

function translate(title: string): string | null {
  const [first = '', ...others] = title.split(/\s+/);
  const lower = first.toLowerCase();
  const verb = verbs.get(lower) ?? verbs.get(lower.replace(/(?:(?<=[sxzo]|ch|sh)e)?s$/, ''));
  const rest = others.join(' ').replace(/^(?:up|out)\s+/, '');
  if (verb === undefined || rest === '') return null;
  const base = verbs.has(lower) ? lower : lower.replace(/(?:(?<=[sxzo]|ch|sh)e)?s$/, '');
  return pattern(base, rest) ?? special(base, rest) ?? plainObject(base, rest, verb);
}

/** What a title speaks of, in Japanese as far as its words are known, and otherwise as it is. */
const named = (text: string): string | null => phrase(text) ?? inEnglish(text);

/** More words than these are a sentence. */
const mostEnglish = 6;

/** A few words that name something, as they are, without their article; null where there may be a sentence in them. */
function inEnglish(text: string): string | null {
  const plain = text.replace(/^(?:the|a|an|its|our|your|some)\s+/i, '').trim();
  const tokens = plain.split(/\s+/);
  const isSentence =
    clause.test(plain) ||
    /[,;:!?]/.test(plain) ||
    /\b(?:to|from|with|into|for|in|on|of|at|over|under|per|up|out|more|less|no|through|against)\b/i.test(
      plain,
    ) ||
    plain
      .split(/\s+and\s+|\s*&\s*/)
      .slice(1)
      .some((part) => isVerb(part)) ||
    tokens.slice(1).some((token) => nounFor(token) === undefined && isThirdPerson(token.toLowerCase())) ||
    /(?:^|\s)\w{2,}ly(?:\s|$)/i.test(plain) ||
    // "Tests failing" says what they do.
    (tokens.length > 1 && /ing$/.test(plain) && nounFor(tokens.at(-1) ?? '') === undefined);
  return plain === '' || isSentence || tokens.length > mostEnglish
    ? null
    : plain.replace(/\s+(?:and|&)\s+/g, ' と ');
}

/** Patterns that say more than a verb and its object. */
function pattern(verb: string, rest: string): string | null {
  const [, one = '', joint = '', other = ''] =
    /^(.+?)\s+(instead of|in place of|rather than|with|by)\s+(.+)$/.exec(rest) ?? [];
  const [first, second] = [named(one), named(other)];
  if (first !== null && second !== null) {
    if (/^(?:use|prefer)$/.test(verb) && /instead|place|rather/.test(joint))
      return `${second} の代わりに ${first} を使用`;
    if (/^(?:replace|swap)$/.test(verb) && /with|by/.test(joint)) return `${first} を ${second} に置き換え`;
  }
  const supported = /^(?:initial |basic |experimental )?support (?:for|of) (.+)$/.exec(rest)?.[1];
  const what = supported === undefined ? null : named(supported);
  if (what !== null && /^(?:add|introduce|implement)$/.test(verb)) return `${what} に対応`;
  if (what !== null && /^(?:drop|remove)$/.test(verb)) return `${what} のサポートを終了`;
  const group = /^the (\S+) group\b.* with (\d+) updates?$/.exec(rest);
  return group && verb === 'bump' ? `${group[1]} グループの ${group[2]} 件を更新` : null;
}

/** Verbs that take two things. */
function special(verb: string, rest: string): string | null {
  const pairs: [RegExp, (one: string, other: string) => string][] = [
    [/^(?:bump|update|upgrade)$/, (one, other) => `${one} を ${other} に更新`],
    [/^rename$/, (one, other) => `${one} を ${other} に改名`],
    [
      /^(?:move|migrate|convert|switch|change)$/,
      (one, other) =>
        `${one} を ${other} に${verb === 'move' ? '移動' : verb === 'convert' ? '変換' : verb === 'change' ? '変更' : '移行'}`,
    ],
    [
      /^(?:add|apply|pass)$/,
      (one, other) => `${other} に ${one} を${verb === 'add' ? '追加' : verb === 'apply' ? '適用' : '渡す'}`,
    ],
  ];
  const version = /^(.+?)\s+(?:from\s+(v?[\d.]+\S*)\s+)?(?:to\s+)?(v?\d[\d.]*\S*)(?:\s+in\s+(\S+))?$/.exec(
    rest,
  );
  if (version && /^(?:bump|update|upgrade)$/.test(verb)) {
    const packed = version[1] ?? '';
    // What has a version is a package, whatever it is called.
    const what = /^[\w@./:-]+$/.test(packed) ? packed : named(packed);
    const place = version[4] === undefined ? '' : `${version[4]} の `;
    if (what !== null)
      return `${place}${what} を ${version[2] ? `${version[2]} から ` : ''}${version[3]} に更新`;
  }
  const joined = /^(.+?)\s+to\s+(.+)$/.exec(rest);
  for (const [pattern, make] of pairs) {
    const one = joined && pattern.test(verb) ? named(joined[1] ?? '') : null;
    const other = joined ? named(joined[2] ?? '') : null;
    if (one !== null && other !== null) return make(one, other);
  }
  const from = /^(.+?)\s+from\s+(.+)$/.exec(rest);
  if (from && /^(?:remove|exclude|exempt|drop|strip|delete|extract|omit)$/.test(verb)) {
    const one = named(from[1] ?? '');
    const other = named(from[2] ?? '');
    if (one !== null && other !== null)
      return `${other} から ${one} ${(verbs.get(verb) ?? 'を除外').replace('を対象外に', 'を除外')}`;
  }
  return null;
}

function plainObject(base: string, rest: string, verb: string): string | null {
  const placed = /^(.+?)\s+(for|of|in|on|across|during|between|within)\s+(.+)$/.exec(rest);
  // "In one query" tells how, not where.
  if (
    placed &&
    /^(?:one|two|a single|single|parallel|order|case|place|advance|favou?r|addition|bulk|batch(?:es)?|background|general|time|sync)\b/.test(
      placed[3] ?? '',
    )
  )
    return null;
  const join = placed && places[placed[2] ?? ''];
  if (placed && join) {
    const object = named(placed[1] ?? '');
    const place = nested(placed[3] ?? '');
    if (object === null || place === null) return null;
    return base === 'allow' && placed[2] === 'in'
      ? `${place} で ${object} ${verb}`
      : `${join(object, place)} ${verb}`;
  }
  const object = named(rest);
  return object === null ? null : `${object} ${verb}`;
}

/** A place may have a place of its own, once. */
function nested(text: string): string | null {
  const placed = /^(.+?)\s+(of|in)\s+(.+)$/.exec(text);
  const join = placed && places[placed[2] ?? ''];
  if (!placed || !join) return named(text);
  const object = named(placed[1] ?? '');
  const place = named(placed[3] ?? '');
  return object === null || place === null ? null : join(object, place);
}

const isVerb = (part: string): boolean =>
  verbs.has((part.split(/\s+/)[0] ?? '').toLowerCase()) || /^re-/.test(part);

const mostWords = 5;

/** A few words that name something; null for anything longer, or with a sentence inside. */
function phrase(text: string): string | null {
  if (clause.test(text) || /[,;:!?]/.test(text) || /\b(?:to|from|with|into|for|in|on|of)\b/i.test(text))
    return null;
  const parts = text.split(/\s+and\s+|\s*&\s*/);
  // A second verb begins a second sentence, and an adverb belongs to the verb.
  if (
    parts.slice(1).some((part) => isVerb(part)) ||
    /\b(?!only|early|apply|supply|reply|assembly|family)\w{2,}ly\b/i.test(text)
  )
    return null;
  const translated = parts.map((part) => words(part.replace(/^(?:the|a|an|its|our|your)\s+/i, '')));
  return translated.every((part) => part !== null) ? translated.join(' と ') : null;
}

/** Japanese has no plural. */
function nounFor(word: string): string | undefined {
  // A name that is spelled like a word.
  if (word === 'Windows') return undefined;
  const lower = word.toLowerCase();
  const singulars = [lower, lower.replace(/ies$/, 'y'), lower.replace(/es$/, ''), lower.replace(/s$/, '')];
  return singulars.map((form) => nouns.get(form)).find((found) => found !== undefined);
}

/** Code, identifiers, paths, versions and abbreviations are the same in every language. */
const isName = (token: string): boolean =>
  /[\uE000-\uE0FF\d_./@:[\]^|]|-.*-|[a-z][A-Z]|^[A-Z]{2,}s?$|^[A-Z][a-z]+$/u.test(token);

function words(text: string): string | null {
  const tokens = text.split(/\s+/).filter((token) => token !== '' && !/^(?:the|a|an|its)$/i.test(token));
  if (tokens.length === 0 || tokens.length > mostWords) return null;
  const made: string[] = [];
  for (let at = 0; at < tokens.length; at++) {
    const pair = nounFor(`${tokens[at]} ${tokens[at + 1]}`);
    if (pair !== undefined) {
      made.push(pair);
      at++;
      continue;
    }
    const token = tokens[at] ?? '';
    // A verb in the middle makes a sentence of it.
    if (at > 0 && nounFor(token) === undefined && isThirdPerson(token.toLowerCase())) return null;
    const isLast = at === tokens.length - 1;
    const meaning =
      (isLast ? undefined : adjectives.get(token.toLowerCase())) ??
      nounFor(token) ??
      (isName(token) ? token : undefined);
    if (meaning === undefined) return null;
    made.push(meaning);
  }
  return made.join(' ');
}

/** Japanese words stand together; a blank only parts them from other letters. */
function tidy(text: string): string {
  const wide = '[\\u3000-\\u30ff\\u4e00-\\u9fff]';
  return text
    .replace(new RegExp(`(?<=${wide}) (?=${wide})`, 'gu'), '')
    .replace(/\s+/g, ' ')
    .trim();
}
