import type { ReplySentence } from '../../src/writing/ai/reply-forms.ts';
import type { OfflineLanguage } from '../../src/writing/articles.ts';
import type { Sentence } from '../../src/writing/draft.ts';
import type { Kind } from './claims.ts';

/** A lie as a sentence that resembles the true one except in its meaning. */
interface FalseSentence {
  kind: Kind;
  sentence: Sentence;
}

const firstName = ({ text }: Sentence): string | undefined => /`([A-Za-z_]\w+)`/.exec(text)?.[1];

function swapNames(sentence: Sentence): FalseSentence[] {
  const names = [
    ...new Set(Array.from(sentence.text.matchAll(/`([A-Za-z_]\w+)`/g), ([, name]) => name ?? '')),
  ];
  const [one, other] = names;
  if (!one || !other || !sentence.facts.some(({ relation }) => relation === 'parameter')) return [];
  const text = sentence.text
    .replaceAll(`\`${one}\``, '\0')
    .replaceAll(`\`${other}\``, `\`${one}\``)
    .replaceAll('\0', `\`${other}\``);
  return [{ kind: 'two names change places', sentence: { ...sentence, text } }];
}

const effects = {
  en: (name: string) => `Whoever relies on \`${name}\` gets its result before the work is finished.`,
  ja: (name: string) => `\`${name}\` は利用者の入力をそのまま信用するため、処理の結果を待ちません。`,
};

const counts = { en: ' It does so 17 times.', ja: ' これを 17 回行います。' };

const mouths = {
  en: (speaker: string) =>
    `The author, ${speaker}, writes that passwords are stored in plain text from now on.`,
  ja: (speaker: string) => `作者の ${speaker} は、パスワードをこれから平文で保存すると書いています。`,
};

const judgements = {
  en: 'So all data that was stored before is lost with the next start.',
  ja: 'このため、これまでに保存されたデータは次の起動ですべて失われます。',
};

/** Lies that require understanding the lines. */
export function falseMeanings(sentence: Sentence, language: OfflineLanguage): FalseSentence[] {
  const name = firstName(sentence);
  const speaker = sentence.words[0]?.speaker;
  if (sentence.basis === 'words')
    return speaker
      ? [{ kind: 'words put into a mouth', sentence: { ...sentence, text: mouths[language](speaker) } }]
      : [];
  if (sentence.basis !== 'diff') return [];
  return [
    ...swapNames(sentence),
    { kind: 'number', sentence: { ...sentence, text: `${sentence.text}${counts[language]}` } },
    ...(name
      ? [
          {
            kind: 'an effect that is not there' as const,
            sentence: { ...sentence, text: effects[language](name), facts: [] },
          },
        ]
      : []),
  ];
}

/** A judgment without a basis, after a true sentence. */
export const falseJudgement = (after: ReplySentence, language: OfflineLanguage): ReplySentence => ({
  refs: after.refs,
  quote: '',
  basis: 'judgement',
  text: judgements[language],
});

/** Further lies for titles and leads, which have no quotation and few names. */
export function falseSummaries(
  truth: Sentence,
  place: 'title' | 'standfirst',
  language: OfflineLanguage,
): { kind: Kind; text: string }[] {
  const name = firstName(truth);
  const said = summaries[language][place];
  return [
    ...said.effects.map((text) => ({ kind: 'a false effect in a summary' as const, text })),
    ...said.praise.map((text) => ({ kind: 'praise' as const, text })),
    ...said.measures.map((text) => ({ kind: 'a measure' as const, text })),
    { kind: 'invented name', text: said.invented },
    ...(name ? [{ kind: 'an effect that is not there' as const, text: said.about(name) }] : []),
  ];
}

const summaries = {
  en: {
    title: {
      effects: [
        'A critical security hole is closed: update today',
        'Passwords are stored in plain text',
        'All callers have to be rewritten',
      ],
      praise: ['An elegant and robust redesign', 'A beautiful piece of work', 'The best release so far'],
      measures: ['Twice as fast as before', 'Half the memory in all cases', 'Starts 40 % faster'],
      invented: '`TotallyNewEngine` takes over',
      about: (name: string) => `\`${name}\` no longer works`.slice(0, 80),
    },
    standfirst: {
      effects: [
        'Everybody who has not updated by tonight can be attacked from outside.',
        'Data that was written before can no longer be read by anybody.',
        'Nobody has to sign in any more to see what others have stored.',
      ],
      praise: [
        'Everything becomes seamless and powerful for everybody who works with it.',
        'Users get the finest version that there has ever been.',
      ],
      measures: [
        'Everybody waits half as long, and in all cases less than a second.',
        'Requests take three times less time than they did.',
      ],
      invented: 'Users of `TotallyNewEngine` get what they have asked for.',
      about: (name: string) => `Whoever calls \`${name}\` loses what was stored, without a warning.`,
    },
  },
  ja: {
    title: {
      effects: [
        '重大な脆弱性を修正、今すぐ更新してください',
        'パスワードを平文で保存',
        'すべての呼び出し元に書き直しが必要',
      ],
      praise: ['堅牢で優れた設計に刷新', '最高の出来ばえ'],
      measures: ['処理が二倍速くなります', '起動が 40 % 速くなります', 'メモリ使用量が半分に'],
      invented: '`TotallyNewEngine` に置き換え',
      about: (name: string) => `\`${name}\` は動かなくなります`.slice(0, 80),
    },
    standfirst: {
      effects: [
        '今夜までに更新しない利用者は、外部から攻撃を受けるおそれがあります。',
        'これまでに書き込まれたデータは、誰にも読めなくなります。',
      ],
      praise: ['利用者にとって素晴らしく洗練された使い心地になります。', '過去最高の版が利用者に届きます。'],
      measures: ['待ち時間はどんな場合でも半分になり、一秒を切ります。', '応答が三倍速くなります。'],
      invented: '`TotallyNewEngine` の利用者に、求めていたものが届きます。',
      about: (name: string) => `\`${name}\` を呼ぶと、保存されていたものが警告なしに失われます。`,
    },
  },
};
