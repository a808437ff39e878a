import type { Definition } from '../src/reading/facts.ts';
import type { FileDiff } from '../src/reading/file-diff.ts';
import { findFindings } from '../src/writing/ai/find-findings.ts';
import type { Finding } from '../src/writing/ai/material.ts';
import type { ModelSource } from '../src/writing/ai/prepare-writing.ts';
import { spokenSentences, spokenWords } from '../src/writing/ai/spoken.ts';
import type { OfflineLanguage } from '../src/writing/articles.ts';
import type { Draft, DraftChange, Sentence, SpokenWords, StatedFact } from '../src/writing/draft.ts';
import { draftByRules } from '../src/writing/rules/write.ts';
import { Ground } from '../src/writing/verify/ground.ts';
import { nameOf, readMerged } from './mirrors.ts';
import { sentencesAboutUnchanged } from './unchanged-lies.ts';

export interface DraftedPullRequest {
  name: string;
  diff: FileDiff[];
  /** True sentences in the order in which a model would write them. */
  drafts: Record<OfflineLanguage, Draft>;
  ground: Ground;
  definitions: ReadonlyMap<string, Definition[]>;
  source: ModelSource;
}

/** True drafts about random merged pull requests of a mirror: texts of people, and findings of a program. */
export async function* draftsFrom(
  mirror: string,
  count: number,
  random: () => number,
): AsyncGenerator<DraftedPullRequest> {
  for await (const { pullRequest, source } of readMerged(mirror, count, random)) {
    const { diff, facts, author } = source;
    const cleaned = { speaker: author, where: 'description' as const, text: facts.description.text };
    const definitions = new Map(facts.files.map(({ path, definitions: own }) => [path, own]));
    const ground = new Ground({
      diff,
      definitions,
      words: [...spokenWords(source), cleaned],
      repository: source.repository,
      ranges: new Map(facts.files.map(({ path, ranges }) => [path, ranges])),
    });
    const rules = draftByRules(source).en;
    const findings = findFindings(rules, facts, ground).filter(
      ({ facts: [fact] }) => fact !== undefined && fact.relation !== 'found',
    );
    const spoken = spokenSentences(source, facts.description)
      .filter(({ where }) => where === 'description' || where === 'commit')
      .slice(0, mostSpoken);
    const draftIn = (language: OfflineLanguage): Draft => ({
      ...rules,
      standfirst: null,
      scope: null,
      tests: null,
      also: [],
      notablePoints: [],
      background: [
        ...spoken.map((one) => attributed(one, language)),
        ...sentencesAboutUnchanged(definitions, language, mostUnchanged),
      ],
      mainChanges: changesOf(findings, language),
    });
    yield {
      name: `${nameOf(mirror)} ${pullRequest.title}`,
      diff,
      drafts: { en: draftIn('en'), ja: draftIn('ja') },
      ground,
      definitions,
      source,
    };
  }
}

const mostSpoken = 2;
const mostUnchanged = 3;

const sentenceOf = (text: string, more: Partial<Sentence>): Sentence => ({
  text,
  basis: 'diff',
  quote: null,
  evidence: [],
  words: [],
  facts: [],
  ...more,
});

/** A person's words with their author. */
const attributed = ({ speaker, where, text }: SpokenWords, language: OfflineLanguage): Sentence =>
  sentenceOf(
    language === 'ja'
      ? `作者の ${speaker} は「${text}」と書いています。`
      : `The author, ${speaker}, writes: “${text}”`,
    { basis: 'words', words: [{ speaker, where, text }] },
  );

/** The findings of each file, in its order. */
function changesOf(findings: Finding[], language: OfflineLanguage): DraftChange[] {
  const byFile = Map.groupBy(findings, ({ evidence }) => evidence[0]?.fileName);
  return [...byFile].flatMap(([fileName, some]) =>
    fileName === undefined
      ? []
      : [
          {
            fileName,
            changeTypes: [],
            heading: null,
            hunk: null,
            excerpts: [],
            sentences: some.map(({ text, evidence, facts }) =>
              sentenceOf(language === 'ja' ? facts.map(sayInJapanese).join('') : text, { evidence, facts }),
            ),
          },
        ],
  );
}

function sayInJapanese(fact: StatedFact): string {
  switch (fact.relation) {
    case 'comes':
      return `\`${fact.name}\` を追加しています。`;
    case 'goes':
      return `\`${fact.name}\` を削除しています。`;
    case 'becomes':
      return `\`${fact.from}\` が \`${fact.to}\` に変わります。`;
    case 'moved':
      return `\`${fact.name}\` を \`${fact.fromFile}\` から \`${fact.toFile}\` に移動しています。`;
    case 'parameter':
      return `\`${fact.of}\` は引数 \`${fact.name}\` を取${fact.change === 'added' ? 'るようになります' : 'らなくなります'}。`;
    case 'file':
      return fact.status === 'renamed'
        ? `\`${fact.from}\` を \`${fact.path}\` に改名しています。`
        : `ファイル \`${fact.path}\` を${fact.status === 'added' ? '追加' : '削除'}しています。`;
    default:
      return '';
  }
}
