import type { Evidence } from '../../src/reading/facts.ts';
import { type Material, referencesTo } from '../../src/writing/ai/material.ts';
import type { ArticleReply, ReplySentence, ReplySummary } from '../../src/writing/ai/reply-forms.ts';
import type { OfflineLanguage } from '../../src/writing/articles.ts';
import { type Draft, numberSentences, type Sentence } from '../../src/writing/draft.ts';
import { checkDraft } from '../../src/writing/verify/verify-drafts.ts';
import { liesFrom } from '../make-lies.ts';
import type { DraftedPullRequest } from '../true-sentences.ts';
import type { Claim, Kind } from './claims.ts';
import { falseJudgement, falseMeanings, falseSummaries } from './make-false-meaning.ts';

/** The model's sentence in one place, and its reply to a repair request there. */
export interface Told {
  replied: ReplySentence;
  claim: Claim;
  again: { replied: ReplySentence; claim: Claim };
  truth: Sentence;
}

interface Writer {
  pullRequest: DraftedPullRequest;
  material: Material;
  language: OfflineLanguage;
  /** The share of lies. */
  lies: number;
  random: () => number;
}

/** A reply about a pull request in which every sentence is known to be true or false. */
export interface ComposedAnswer {
  reply: ArticleReply;
  told: Told[];
}

/** A true sentence with all its evidence: the same may be true in several places. */
type TrueTexts = Map<string, Evidence[]>;

const longest = { title: 80, standfirst: 300, heading: 80 };

/** Addresses are always rejected, and code with backticks is in more of them. */
const unsayable = /https?:|\bwww\.|\w\.\w+\/\w|``/;

/** The model's sentences about a pull request: at most as many as are read of a reply. Null if there are none. */
export function composeAnswer(writer: Writer): ComposedAnswer | null {
  const { pullRequest, material, language } = writer;
  const draft = pullRequest.drafts[language];
  const truths = trueSentences(draft, pullRequest);
  const texts: TrueTexts = new Map();
  for (const { text, evidence } of truths) texts.set(text, [...(texts.get(text) ?? []), ...evidence]);
  const say = (sentences: Sentence[]) =>
    sentences
      .filter((one) => truths.has(one) && isShown(one, material))
      .slice(0, 5)
      .map((one) => tell(one, texts, writer));
  const background = say(draft.background);
  const mainChanges = draft.mainChanges
    .flatMap(({ fileName, changeTypes, sentences }) => {
      const told = material.labels.has(fileName) ? withJudgement(say(sentences), writer) : [];
      const [first] = told;
      // A truth about the first sentence would only repeat it.
      const lie = first && sumUp('heading', first, texts, writer);
      return first ? [{ changeTypes, told, heading: lie?.claim.lie ? lie : null }] : [];
    })
    .slice(0, 8);
  const carrier = carrierOf(mainChanges.map(({ told }) => told));
  if (!carrier) return null;
  const standfirst = sumUp('standfirst', carrier.told, texts, writer);
  const title = sumUp('title', carrier.told, texts, writer);
  const summary = (told: Told): ReplySummary => ({ of: [carrier.label], text: told.replied.text });
  const replied = (told: Told[]) => told.map(({ replied: one }) => one);
  return {
    reply: {
      background: replied(background),
      sections: mainChanges.map(({ changeTypes, told, heading }) => ({
        changeTypes,
        sentences: replied(told).map((one) => ({ ...one, label: 'none' as const })),
        show: '',
        heading: heading?.replied.text ?? '',
      })),
      beforeAfter: [],
      rest: [],
      lead: summary(standfirst),
      title: summary(title),
    },
    told: [
      title,
      standfirst,
      ...mainChanges.flatMap(({ heading }) => heading ?? []),
      ...background,
      ...mainChanges.flatMap(({ told }) => told),
    ],
  };
}

/** Everything that the model knows about a pull request. */
export function tellAll(writer: Writer): Told[] {
  const draft = writer.pullRequest.drafts[writer.language];
  const truths = [...trueSentences(draft, writer.pullRequest)];
  const texts: TrueTexts = new Map(truths.map(({ text, evidence }) => [text, evidence]));
  return truths.map((one) => tell(one, texts, writer));
}

/** Not all definitions fit. */
const isShown = ({ evidence }: Sentence, { definitions }: Material): boolean =>
  evidence.every(
    ({ unchanged, fileName, startLine }) =>
      !unchanged || definitions.get(fileName)?.some((one) => one.startLine === startLine),
  );

function trueSentences(draft: Draft, { ground }: DraftedPullRequest): Set<Sentence> {
  const verdicts = checkDraft(draft, ground);
  return new Set(
    numberSentences(draft).filter(
      ({ basis, text, evidence, words }, number) =>
        basis !== 'judgement' &&
        text !== '' &&
        !unsayable.test(text) &&
        verdicts[number]?.kept &&
        evidence.length + words.length > 0,
    ),
  );
}

const pick = <Item>(items: Item[], random: () => number): Item | undefined =>
  items[Math.floor(random() * items.length)];

function tell(truth: Sentence, truths: TrueTexts, writer: Writer): Told {
  const { pullRequest, material, language, lies, random } = writer;
  const saying = (sentence: Sentence, lie: Kind | null, place: Claim['place']) => ({
    replied: replyWith(sentence, pullRequest, material),
    claim: { text: sentence.text, place, lie, shownBy: truths.get(truth.text) ?? truth.evidence },
  });
  const possible: { kind: Kind; sentence: Sentence }[] = [
    ...liesFrom(truth, { ...pullRequest, words: '' }, random).filter(({ mode }) => mode === 'text'),
    ...falseMeanings(truth, language),
  ].filter(({ kind, sentence }) => kind === 'wrong hunk' || !truths.has(sentence.text));
  const lie = random() < lies ? pick(possible, random) : undefined;
  const honest = { ...saying(truth, null, 'sentence'), truth };
  if (!lie) return { ...honest, again: honest };
  const other = pick(possible, random) ?? lie;
  return {
    ...saying(lie.sentence, lie.kind, 'sentence'),
    again: saying(other.sentence, other.kind, 'mended'),
    truth,
  };
}

/** A false judgment after a true sentence, so that only its own content can be wrong. */
function withJudgement(told: Told[], { language, lies, random }: Writer): Told[] {
  const [first] = told;
  if (!first || first.claim.lie !== null || first.replied.basis !== 'diff' || random() > lies / 2)
    return told;
  const replied = falseJudgement(first.replied, language);
  const claim = { text: replied.text, lie: 'a false judgement' as const, shownBy: [] };
  const judged = { replied, claim: { ...claim, place: 'sentence' as const }, truth: first.truth };
  return [...told, { ...judged, again: { replied, claim: { ...claim, place: 'mended' } } }];
}

/** The evidence of a title and lead: a true sentence if there is one, so that they are not dropped with another lie. */
function carrierOf(changes: Told[][]): { label: string; told: Told } | undefined {
  const places = changes.flatMap((sentences, change) =>
    sentences.map((told, at) => ({ label: `s${change + 1}.${at + 1}`, told })),
  );
  const onLines = places.filter(({ told: { replied } }) => replied.basis === 'diff');
  return onLines.find(({ told: { claim } }) => claim.lie === null) ?? onLines[0];
}

const withoutStop = (text: string): string => text.replace(/[.。]$/u, '');

function sumUp(
  place: 'title' | 'standfirst' | 'heading',
  { truth, claim: { lie: carried } }: Told,
  truths: TrueTexts,
  { pullRequest, language, lies, random }: Writer,
): Told {
  const shape = (text: string) => (place === 'standfirst' ? text : withoutStop(text));
  const saying = (text: string, lie: Kind | null, at: Claim['place']) => ({
    replied: { refs: [], quote: '', basis: 'diff' as const, text },
    claim: { text, place: at, lie, shownBy: truth.evidence },
  });
  const made = liesFrom(truth, { ...pullRequest, words: '' }, random)
    .filter(({ mode, sentence }) => mode === 'text' && !truths.has(sentence.text))
    .map(({ kind, sentence }) => ({ kind, text: shape(sentence.text) }));
  const fits = ({ text }: { text: string }) => [...text].length <= longest[place];
  const possible = [
    ...falseSummaries(truth, place === 'heading' ? 'title' : place, language),
    ...made,
  ].filter(fits);
  const honest = shape(truth.text);
  // A true sentence that rests on a lie would be dropped without a fault of its own.
  const mayBeHonest = carried === null && fits({ text: honest });
  const lie = random() < lies || !mayBeHonest ? pick(possible, random) : undefined;
  if (!lie) {
    const told = { ...saying(honest, null, place), truth };
    return { ...told, again: told };
  }
  const other = pick(possible, random) ?? lie;
  return { ...saying(lie.text, lie.kind, place), again: saying(other.text, other.kind, 'mended'), truth };
}

/** Cut between words. */
const fewWords = (text: string): string => /^.{0,60}(?=\s|$)/u.exec(text.trim())?.[0] || text.trim();

/** A few words of the first cited line that has any. */
function quoteFrom(
  { evidence, words }: Sentence,
  { diff, definitions }: Pick<DraftedPullRequest, 'diff' | 'definitions'>,
): string {
  for (const { fileName, side, startLine, unchanged } of evidence) {
    const stays = definitions.get(fileName)?.find((one) => unchanged && one.startLine === startLine);
    if (stays) return fewWords(stays.lines[0] ?? '');
    const hunks = diff.find(({ path }) => path === fileName)?.hunks ?? [];
    for (const hunk of hunks) {
      let line = side === 'new' ? hunk.newStart : hunk.oldStart;
      for (const text of hunk.text().split('\n')) {
        if (text.startsWith(side === 'new' ? '-' : '+') || text.startsWith('\\')) continue;
        if (line === startLine && text.slice(1).trim() !== '') return fewWords(text.slice(1));
        line += 1;
      }
    }
  }
  return fewWords(words[0]?.text ?? '');
}

/** A sentence as a model would send it, with the labels of its evidence. */
function replyWith(sentence: Sentence, pullRequest: DraftedPullRequest, material: Material): ReplySentence {
  const lines = referencesTo(sentence.evidence, material.labels);
  const said = [...material.words]
    .filter(([, { text }]) =>
      sentence.words.some((words) => words.where !== 'code' && words.text.includes(text)),
    )
    .map(([label]) => label);
  const facts = JSON.stringify(sentence.facts);
  const found = [...material.findings].find(
    ([, finding]) => finding.facts.length > 0 && JSON.stringify(finding.facts) === facts,
  );
  const refs = [...lines, ...said, ...(found ? [found[0]] : [])];
  // The lines of a document contain its statements, so a model cites them.
  const basis = said.length === 0 ? 'diff' : sentence.basis;
  return { refs, quote: quoteFrom(sentence, pullRequest), basis, text: sentence.text };
}
