import type { OfStatements, Row, Rows } from './caption.ts';
import { codeSpan as code } from './code-span.ts';
import { inside, listed, subject, turn } from './phrases.ts';
import { becomes, comes, goes, others, within } from './proofs.ts';

const comesAsked: Row<OfStatements['alsoNeeds']>['proof'] = ({ within: name, condition }) => [
  ...within(name),
  comes('condition', condition),
];

const turns: Row<OfStatements['edit']>['proof'] = ({ within: name, from, to }) => [
  ...within(name),
  becomes(from, to),
];

/** What statements do now and did before. */
export const statementCaptions: Rows<OfStatements> = {
  throwsWhen: {
    weight: 8,
    proof: ({ within: name, error, condition }) => [
      ...within(name),
      comes('line', error),
      comes('condition', condition),
    ],
    en: ({ within: name, error, condition }) =>
      `${subject.en(name, 'fails')} with ${code(error)} when ${code(condition)}.`,
    ja: ({ within: name, error, condition }) =>
      `${subject.ja(name, 'は ')}${code(condition)} のとき ${code(error)} で失敗する。`,
  },
  throws: {
    weight: 7,
    proof: ({ within: name, error }) => [...within(name), comes('line', error)],
    en: ({ within: name, error }) => `${subject.en(name, 'can')} now fail with ${code(error)}.`,
    ja: ({ within: name, error }) => `${subject.ja(name, 'は ')}${code(error)} で失敗しうるようになった。`,
  },
  returnsEarly: {
    weight: 9,
    proof: comesAsked,
    en: ({ within: name, condition }) => `${subject.en(name, 'returns')} early when ${code(condition)}.`,
    ja: ({ within: name, condition }) => `${subject.ja(name, 'は ')}${code(condition)} のとき早く戻る。`,
  },
  alsoNeeds: {
    weight: 9,
    proof: comesAsked,
    en: ({ within: name, condition }) => inside.en(name, `the condition now also needs ${code(condition)}.`),
    ja: ({ within: name, condition }) => inside.ja(name, `条件に ${code(condition)} も必要になった。`),
  },
  alsoHolds: {
    weight: 9,
    proof: comesAsked,
    en: ({ within: name, condition }) =>
      inside.en(name, `the condition now also holds when ${code(condition)}.`),
    ja: ({ within: name, condition }) =>
      inside.ja(name, `条件は ${code(condition)} でも成り立つようになった。`),
  },
  noLongerNeeds: {
    weight: 8,
    proof: ({ within: name, condition }) => [...within(name), goes('condition', condition)],
    en: ({ within: name, condition }) =>
      inside.en(name, `the condition no longer asks for ${code(condition)}.`),
    ja: ({ within: name, condition }) => inside.ja(name, `条件から ${code(condition)} がなくなった。`),
  },
  otherCondition: {
    weight: 5,
    proof: turns,
    en: ({ within: name }) =>
      name === null ? 'A condition changes.' : `Condition of ${code(name)} changes.`,
    ja: ({ within: name }) => `${subject.ja(name, 'の')}条件が変わる。`,
  },
  returnsInstead: {
    weight: 8,
    proof: turns,
    en: ({ within: name, from, to }) =>
      `${subject.en(name, 'returns')} ${code(to)} instead of ${code(from)}.`,
    ja: ({ within: name, ...values }) => `${subject.ja(name, 'の')}戻り値：${turn(values)}。`,
  },
  value: {
    weight: 7,
    proof: turns,
    en: ({ of, ...values }) => `${code(of)}: ${turn(values)}.`,
    ja: ({ of, ...values }) => `${code(of)}：${turn(values)}。`,
  },
  uses: {
    weight: 6,
    proof: ({ within: name, name: used }) => [...within(name), comes('line', used)],
    en: ({ within: name, name: used }) => `${subject.en(name, 'uses')} the new ${code(used)}.`,
    ja: ({ within: name, name: used }) => `${subject.ja(name, 'は')}新しい ${code(used)} を使う。`,
  },
  edit: {
    weight: 4,
    proof: turns,
    en: ({ within: name, ...texts }) => `${name === null ? '' : `In ${code(name)}: `}${turn(texts)}.`,
    ja: ({ within: name, ...texts }) => `${subject.ja(name, 'で：')}${turn(texts)}。`,
  },
  newLines: {
    weight: 2,
    proof: ({ within: name, texts }) => [...within(name), ...texts.map((text) => comes('line', text))],
    en: ({ within: name, texts }) => `New${name === null ? '' : ` in ${code(name)}`}: ${listed.en(texts)}.`,
    ja: ({ within: name, texts }) => `${subject.ja(name, 'に')}追加：${listed.ja(texts)}。`,
  },
  goneLines: {
    weight: 2,
    proof: ({ within: name, texts }) => [...within(name), ...texts.map((text) => goes('line', text))],
    en: ({ within: name, texts }) =>
      `Removed${name === null ? '' : ` from ${code(name)}`}: ${listed.en(texts)}.`,
    ja: ({ within: name, texts }) => `${subject.ja(name, 'から')}削除：${listed.ja(texts)}。`,
  },
  newEntries: {
    weight: 2,
    proof: ({ within: name, texts }) => [...within(name), others(texts.map((text) => comes('line', text)))],
    en: ({ within: name, key, texts }) =>
      `New${name === null ? '' : ` in ${code(name)}`}: ${texts.length} lines that begin with ${code(key)}.`,
    ja: ({ within: name, key, texts }) =>
      `${subject.ja(name, 'に')}追加：${code(key)} で始まる ${texts.length} 行。`,
  },
  sameEdit: {
    weight: 5,
    proof: ({ from, to }) => [becomes(from, to)],
    en: turn,
    ja: turn,
  },
  sameAddition: {
    weight: 4,
    proof: ({ text }) => [comes('line', text)],
    en: ({ text }) => `New: ${code(text)}`,
    ja: ({ text }) => `追加：${code(text)}`,
  },
};
