import { createHash, randomBytes } from 'node:crypto';
import type { Static, TSchema } from 'typebox';
import type { JobProgress } from '../../domain/jobs.ts';
import { isRepositoryName } from '../../domain/repositories.ts';
import type { Draft } from '../draft.ts';
import type { CheckedSentence } from '../verify/check-sentence.ts';
import type { ModelQuestion } from './model-question.ts';

/** The prompts of the release or of the operator, by file name. */
export interface Prompts {
  'write-article': string;
  'read-part': string;
  'judge-sentences': string;
  'mend-sentences': string;
  'say-again': string;
  'ask-again': string;
  'answer-question': string;
  'look-around': string;
  'from-review': string;
  'choose-points': string;
  'write-digest': string;
}

/** A prompt with its values filled in, and the untrusted lines within a fence made for this call. */
export interface FilledPrompt {
  instructions: string;
  prompt: string;
}

const notes: Record<string, string> = {
  ja: `Japanese: です・ます調で、日本語の製品ブログやリリースノートのように自然な文にします。

- 変わったことは「〜が加わります」「〜に変わります」「〜なくなります」「〜できるようになります」と書き、変更前は「これまでは〜でした」とします。続いている状態には「〜しています」を使えます（「追加されたテストでは、…を確認しています」）。「〜することができます」「〜を可能にします」「いまは」は使いません。
- 題とリードの両方を「〜ようになります」で終えません。題には仕組みではなく、使う人に起こることを、読み違えない形で書きます（「プロセスが終わらなくなります」ではなく「\`ctx.exit\` の終了コードが \`main\` の戻り値になります」）。見出しは名詞で終えてもよいですが、何がどうなるかが分かる形にします。良い例：「読み込めない入力は原因を示して終了コード 2」「終了コードは例外ではなく戻り値で返る」。悪い例：「管理エンドポイントのオプトイン化」「接続の初期化も、接続を取得したコンテキストで実行」。
- 英語の語順、受け身、「それ」「これらの」「によって」を写さず、主語が分かるところでは省きます。ただし物を主語にして人の動作を書かず（「判定は中身を見ます」ではなく「中身で判定します」）、コードは受け身でよい（「\`Exec\` は…で実行されていました」）。一文は短くし、長い修飾は二文に分けます。「〜なくなることがなくなります」のような二重の否定は使いません。
- 見慣れない訳語を作らず、開発者が普段使う語にします（ドキュメント、リクエスト、デフォルト、バージョン、コンテキスト）。「文書」「版」「要求」「いずれか一方」のような直訳は避けます。
- 句読点と記号は全角です（、。（）：「」）。文と文の間に空白を入れません。英数字やバッククォートの前後の空白は、あってもなくてもよいですが、記事の中でそろえます。
- \`judgement\` の文には「推測」と付きます。言語やライブラリの確かな仕様だけを述べる文は書かず、そこから何が起こるかを、\`judgement\` では「〜おそれがあります」「〜はずです」「〜と考えられます」の形で書き、\`consequence\` では言い切ります。コードで確かめられることは推測にしません。
- 「第 2 引数」のように数字は算用数字にします。
- 人の言葉は英語の節を文にはめ込まず、日本語で言い換えます（「…さんは、既存のセッションが空とみなされることがあると書いています」）。言い換えられない語句だけを「」に原文のまま入れます。「作成者」と呼ぶのはプルリクエストの題や説明を書いた人だけで、コミットを書いた人は名前で示します。コードの名前は必ずバッククォートで囲みます。
- 用語は記事の中で一つにします（例外は「送出」、関数は「呼び出す」、値は「渡される」）。「〜も」は前に並べるものがあるときだけ使います。\`try\` は「囲む」、\`except\` や \`catch\` は「捕捉する」です。`,
};

/** The example article in the requested language. */
const examples = {
  en: {
    exampleWhy:
      'According to the description, customers who ordered at night were \\"promised a day too early\\", because days were counted at the depot.',
    exampleNow: '`estimate` counts from the day that it is in `zone`, no longer from the day at the depot.',
    exampleRisk: '`estimate` takes a second parameter, `zone`, which has no default.',
    exampleJudgement: 'Calls that pass only an order no longer compile.',
    exampleHeading: 'Days are counted where the parcel arrives, not where it leaves',
    exampleLead: 'Callers of `estimate` must now pass the zone of the recipient.',
    exampleTitle: "Delivery dates follow the recipient's calendar",
  },
  ja: {
    exampleWhy:
      '説明によると、夜に受けた注文の届け日は一日早く約束されていました（「promised a day too early」）。',
    exampleNow: '`estimate` は、発送元の日付ではなく `zone` での日付から数えるようになります。',
    exampleRisk: '`estimate` に第 2 引数 `zone` が加わり、既定値はありません。',
    exampleJudgement: '注文だけを渡す呼び出しは、コンパイルできなくなるはずです。',
    exampleHeading: '日数を数えるのは届け先の暦',
    exampleLead: '`estimate` を呼び出すときは、届け先のタイムゾーンを渡す必要があります。',
    exampleTitle: 'お届け予定日が届け先の日付どおりに',
  },
};

interface FilledWith {
  language: string;
  project: string;
  lines: string[];
  length?: string;
  /** The writer's instructions about comments; empty without any. */
  review?: string;
}

/** Fills values into a prompt, and encloses untrusted lines in a fence whose name no author could guess. */
export function fillPrompt(
  template: string,
  { language, project, lines, length = '', review = '' }: FilledWith,
): FilledPrompt {
  const fence = `q${randomBytes(5).toString('hex')}`;
  const values: Record<string, string> = {
    fence,
    project: nameOfProject(project),
    language: languageName(language),
    notes: notes[language] ?? '',
    length,
    review,
    ...examples[language === 'ja' ? 'ja' : 'en'],
  };
  const instructions = template
    .replace(/\{\{(\w+)\}\}/g, (place, name: string) => values[name] ?? place)
    .replace(/\n{3,}/g, '\n\n');
  return { instructions, prompt: [`<${fence}>`, ...lines, `</${fence}>`].join('\n') };
}

/** The name is outside of the fence, and strangers name clones, so only a plain name is used. */
function nameOfProject(project: string): string {
  const names = project.split('/').filter(Boolean);
  return names.length > 0 && names.every(isRepositoryName) ? names.join('/') : 'a repository';
}

export function fenceOf(prompt: string): string | null {
  return /^<(q[0-9a-f]{10})>\n/.exec(prompt)?.[1] ?? null;
}

export function languageName(code: string): string {
  return new Intl.DisplayNames(['en'], { type: 'language' }).of(code) ?? code;
}

/** Identifies equal questions. Their fences differ, which does not affect the reply. */
export function questionKey(
  { instructions, prompt, earlier, schema }: ModelQuestion,
  { provider, name }: { provider: string; name: string },
): string {
  const fence = fenceOf(prompt);
  const question = JSON.stringify([provider, name, instructions, prompt, earlier, schema]);
  return createHash('sha256')
    .update(fence === null ? question : question.replaceAll(fence, ''))
    .digest('base64url');
}

export interface Question<Schema extends TSchema> extends FilledPrompt {
  schema: Schema;
}

export type Ask = <Schema extends TSchema>(question: Question<Schema>) => Promise<Static<Schema>>;

/** Returns null if there is no reply. */
export type AskReader = <Schema extends TSchema>(
  question: Question<Schema>,
) => Promise<Static<Schema> | null>;

type ModelStep = Extract<JobProgress['step'], 'reading parts' | 'writing' | 'checking claims' | 'mending'>;

export interface WritingDeps {
  ask: Ask;
  /** The second model, and how many bytes fit into its prompt besides the instructions; null if none is configured. */
  judge: { ask: AskReader; mostBytes: number } | null;
  check: (draft: Draft) => Promise<CheckedSentence[]>;
  prompts: Prompts;
  project: string;
  language: string;
  shuffle: <Item>(items: Item[]) => Item[];
  onControl?: (isFound: boolean) => void;
  onProgress: (step: ModelStep, done: number, total: number) => void;
}
