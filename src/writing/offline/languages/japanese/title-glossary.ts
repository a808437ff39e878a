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
export const verbs = glossary(`
  add=を追加, allow=を許可, apply=を適用, avoid=を回避, bump=を更新, cache=をキャッシュ, change=を変更,
  check=を確認, clarify=を明確化, clean=を整理, cleanup=を整理, convert=を変換, correct=を訂正, cover=を網羅,
  create=を作成, decouple=を分離, deprecate=を非推奨に, delete=を削除, detect=を検出, disable=を無効化,
  disallow=を禁止, document=を文書化, drop=を廃止, dedupe=の重複を排除, deduplicate=の重複を排除,
  enable=を有効化, enforce=を強制, enhance=を強化, ensure=を保証, escape=をエスケープ, exclude=を除外,
  expand=を拡張, export=を公開, expose=を公開, extend=を拡張, extract=を切り出し, fix=を修正, forbid=を禁止,
  format=を整形, generate=を生成, handle=に対処, hide=を非表示に, ignore=を無視, implement=を実装, import=を取り込み,
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

export const nouns = glossary(`
  version number=バージョン番号, line number=行番号, broken link=リンク切れ,
  memory leak=メモリリーク, race condition=競合状態, unit test=単体テスト,
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
  grammar=文法, handler=ハンドラ, handling=処理, header=ヘッダー, helper=ヘルパー, hook=フック, icon=アイコン, image=画像,
  implementation=実装, indentation=インデント, import=インポート, index=インデックス, inference=推論, input=入力,
  interface=インターフェース, issue=問題, item=項目, key=キー, label=ラベル, latest=最新版, language=言語,
  layout=レイアウト, leak=リーク, library=ライブラリ, license=ライセンス, limit=上限, line=行, link=リンク,
  list=一覧, lowercase=小文字, uppercase=大文字, spelling=綴り, whitespace=空白, wording=言い回し,
  locale=ロケール, lockfile=ロックファイル, log=ログ, logging=ログ出力, logic=ロジック, logo=ロゴ,
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
  trace=トレース, translation=翻訳, type=型, typing=型付け, typings=型定義, typo=誤字, url=URL, usage=使用,
  user=ユーザー, utility=ユーティリティ, validation=検証, value=値, variable=変数, version=バージョン,
  view=ビュー, warning=警告, website=ウェブサイト, window=ウィンドウ, worker=ワーカー, workflow=ワークフロー,
  workspace=ワークスペース`);

export const adjectives = glossary(`
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
