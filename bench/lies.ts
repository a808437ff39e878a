import { parseArgs } from 'node:util';
import { linesOf } from '../src/reading/file-diff.ts';
import { offlineLanguages } from '../src/writing/articles.ts';
import { numberSentences, type Sentence } from '../src/writing/draft.ts';
import { checkSentence } from '../src/writing/verify/check-sentence.ts';
import { checkDraft } from '../src/writing/verify/verify-drafts.ts';
import { numbersFrom } from '../test/chance.ts';
import { lieKinds, liesFrom, pointsThere, showsIt } from './make-lies.ts';
import { type DraftedPullRequest, draftsFrom } from './true-sentences.ts';

// Makes lies from true sentences about real pull requests, and counts those that pass the checks, as well as the true
// sentences that do not.
const usage = 'Usage: node bench/lies.ts [--count 60] [--seed 1] [--show 5] MIRROR …';

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    count: { type: 'string', default: '60' },
    seed: { type: 'string', default: '1' },
    show: { type: 'string', default: '5' },
  },
});
if (positionals.length === 0) {
  console.log(usage);
  process.exit(2);
}

const random = numbersFrom(Number(values.seed));
/** A separate sequence, so that the same pull requests are chosen whatever lies are made. */
const lying = numbersFrom(Number(values.seed) + 1);
const tally = new Map(
  lieKinds.map((kind) => [kind, { text: 0, facts: 0, accepted: 0, repaired: 0, en: 0, ja: 0 }]),
);
const accepted: string[] = [];
const sentences = { pullRequests: 0, all: 0, dropped: 0, contradicted: 0 };
const lost: string[] = [];

/** Whether the diff contradicts a fact: something added was also removed, or the reverse. Found by plain text. */
function isContradicted({ facts }: Sentence, { diff }: DraftedPullRequest): boolean {
  const bare = (text: string) => text.replace(/[\s`*_…]+/g, '');
  return facts.some((fact) => {
    if (fact.relation !== 'comes' && fact.relation !== 'goes') return false;
    const side = fact.relation === 'comes' ? 'removed' : 'added';
    return diff.some(
      ({ bytes, hunks }) =>
        bytes.includes(fact.name.split(/\W+/)[0] ?? '') &&
        bare(
          hunks
            .flatMap(linesOf)
            .filter((line) => line.side === side)
            .map(({ text }) => text)
            .join(''),
        ).includes(bare(fact.name)),
    );
  });
}

function lie(
  pullRequest: DraftedPullRequest,
  language: 'en' | 'ja',
  sentence: Sentence,
  fileName: string | null,
): void {
  const { diff, definitions, ground, name } = pullRequest;
  const truth = { diff, definitions, words: '' };
  for (const { kind, mode, sentence: told } of liesFrom(sentence, truth, lying)) {
    const one = tally.get(kind);
    if (!one) continue;
    one[mode] += 1;
    one[language] += 1;
    const verdict = checkSentence(told, ground, { fileName, isSummary: false, before: [] });
    if (!verdict.kept) continue;
    if (
      kind === 'wrong hunk' &&
      (pointsThere(verdict.kept, sentence.evidence) || showsIt(verdict.kept, truth))
    ) {
      one.repaired += 1;
      continue;
    }
    one.accepted += 1;
    accepted.push(
      `${kind} (${mode}) ${name}: ${told.text}\n      was: ${sentence.text}\n      ${JSON.stringify(told.facts).slice(0, 300)}`,
    );
  }
}

function examine(pullRequest: DraftedPullRequest): void {
  sentences.pullRequests += 1;
  for (const language of offlineLanguages) {
    const draft = pullRequest.drafts[language];
    const verdicts = checkDraft(draft, pullRequest.ground);
    const files = [
      null,
      ...draft.background.map(() => null),
      ...draft.mainChanges.flatMap(({ fileName, sentences: some }) => some.map(() => fileName)),
    ];
    for (const [index, sentence] of numberSentences(draft).entries()) {
      const verdict = verdicts[index];
      if (!verdict || index === 0 || sentence.text === '' || sentence.basis === 'judgement') continue;
      sentences.all += 1;
      if (verdict.kept) lie(pullRequest, language, sentence, files[index] ?? null);
      else {
        sentences.dropped += 1;
        if (isContradicted(sentence, pullRequest)) sentences.contradicted += 1;
        else lost.push(`${pullRequest.name}: ${sentence.text} (${verdict.reason.slice(0, 200)})`);
      }
    }
  }
}

for (const mirror of positionals) {
  for await (const pullRequest of draftsFrom(mirror, Number(values.count), random)) examine(pullRequest);
}

const total = [...tally.values()].reduce((sum, { text, facts }) => sum + text + facts, 0);
console.log(
  `${total} lies from ${sentences.pullRequests} pull requests of ${positionals.length} repositories; seed ${values.seed}`,
);
console.table(Object.fromEntries(tally));
for (const one of accepted.slice(0, Number(values.show))) console.log(`  ACCEPTED ${one}`);
const rest = sentences.dropped - sentences.contradicted;
console.log(
  `${sentences.all} sentences as written, ${sentences.dropped} dropped; the diff contradicts ${sentences.contradicted} of these by plain text, which leaves ${rest} (${((100 * rest) / sentences.all).toFixed(2)} %)`,
);
for (const one of lost.slice(0, Number(values.show))) console.log(`  LEFT ${one.slice(0, 500)}`);
