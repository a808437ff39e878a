import { performance } from 'node:perf_hooks';
import { setFlagsFromString } from 'node:v8';
import { runInNewContext } from 'node:vm';
import { boundWords } from '../../src/domain/pull-requests.ts';
import { classifyFile } from '../../src/reading/classify-file.ts';
import { cleanDescription } from '../../src/reading/description/clean-description.ts';
import { linkedIssues } from '../../src/reading/description/linked-issues.ts';
import { parseDiff } from '../../src/reading/parse-diff.ts';
import { labelMaterial } from '../../src/writing/ai/material.ts';
import { prepareWriting } from '../../src/writing/ai/prepare-writing.ts';
import { articleMarkdown } from '../../src/writing/article-markdown.ts';
import { countChange, offlineLanguages } from '../../src/writing/articles.ts';
import type { Draft, Sentence } from '../../src/writing/draft.ts';
import { plainText } from '../../src/writing/plain-text.ts';
import { draftByRules } from '../../src/writing/rules/write.ts';
import { asWritten } from '../../src/writing/verify/verify-drafts.ts';
import { readFacts } from '../../test/read-facts.ts';
import type { HostilePullRequest } from './injection-points.ts';

/** The time of a step, and its time at the best speed of the machine. */
export interface Taken {
  ms: number;
  paced: number;
}
export type TakenByStep = Record<string, Taken>;

const coverage = { filesRead: 1, filesTotal: 1, linesRead: 1, linesTotal: 1, skipped: [], skippedTotal: 0 };
const verification = { claims: 1, verified: 1, repaired: 0, dropped: 0, judged: 0, unjudged: 0 };
const writer = { kind: 'offline' };
const aside = {
  quote: null,
  coverage,
  verification,
  writer,
  headSha: '1'.repeat(40),
  baseSha: '2'.repeat(40),
};

export type RunSteps = (pullRequest: HostilePullRequest) => Promise<TakenByStep>;

/**
 * Takes a pull request from its diff to checked articles, and returns the time of each step. Young objects are
 * collected before each step, so that no step pays for another. A full collection would also drop compiled patterns,
 * which would then be compiled again in the step.
 */
export function createSteps(): RunSteps {
  setFlagsFromString('--expose-gc');
  const pace = new Pace();
  const collect: (options: { type: 'minor' }) => void = runInNewContext('gc');
  return async (pullRequest) => {
    const { answer } = pullRequest;
    const taken: TakenByStep = {};
    const step = <Result>(name: string, work: () => Result): Result => {
      collect({ type: 'minor' });
      const before = performance.now();
      const result = work();
      const ms = performance.now() - before;
      taken[name] = { ms, paced: ms / pace.since(ms) };
      return result;
    };
    const {
      title,
      body,
      commits,
      comments,
      linkedIssues: issues,
    } = boundWords({
      title: pullRequest.title,
      body: pullRequest.body,
      commits: pullRequest.commitMessages.map((message) => ({ author: 'rin', message })),
      comments: [{ author: 'ada', body: pullRequest.comment }],
      linkedIssues: [{ number: 6, title: 'A gap', body: 'There is a gap.' }],
    });
    const commitMessages = commits.map(({ message }) => message);
    const bytes = Buffer.from(pullRequest.diff);
    const diff = step('parsing the diff', () => parseDiff(bytes));
    step('classifying', () => diff.map((file) => ({ path: file.path, ...classifyFile(file) })));
    const text = { repository: 'some/where', title, body, commitMessages, labels: [] };
    step('describing', () => [cleanDescription(body), linkedIssues(text)]);
    step('plain text', () =>
      [title, body, ...comments.map((comment) => comment.body), ...commitMessages].map((text) =>
        plainText(text ?? ''),
      ),
    );
    const facts = step('facts', () => readFacts(text, diff));
    const source = {
      ...text,
      author: 'rin',
      isClone: true,
      commits,
      comments,
      linkedIssues: issues,
      facts,
      diff,
    };
    const drafts = step('writing by rules', () => draftByRules(source));
    step('Markdown', () =>
      offlineLanguages.map((language) => {
        const { title: aiGeneratedTitle, ...article } = asWritten(drafts[language]);
        const counts = countChange(facts.files, commits.length);
        const linked = { ...article, counts, aiGeneratedTitle, ...aside } as never;
        return articleMarkdown(
          {
            owner: 'some',
            repo: 'where',
            prNumber: 7,
            hostPrUrl: null,
            title: 'a title',
            authorLogin: 'rin',
            state: 'open',
            content: linked,
          },
          language,
        );
      }),
    );
    const prepared = step('material for models', () => {
      const writing = prepareWriting(source, 'en');
      labelMaterial(writing.material, 10_000_000);
      return writing;
    });
    if (answer !== undefined) {
      const draft = answered(answer, diff[0]?.path ?? '');
      step("checking a model's answer", () => [prepared.check(draft), prepared.publish(draft)]);
    }
    return taken;
  };
}

/** The reply that a model could have given. */
function answered(text: string, fileName: string): Draft {
  const evidence = [{ fileName, startLine: 1, endLine: 1, side: 'new' as const }];
  const say = (basis: Sentence['basis']): Sentence => ({
    text,
    basis,
    quote: basis === 'words' ? text : null,
    evidence: basis === 'diff' ? evidence : [],
    words: basis === 'words' ? [{ speaker: 'rin', where: 'description', text }] : [],
    facts: [],
  });
  return {
    title: say('judgement'),
    ownTitle: 'Handle it',
    scope: null,
    authorWords: null,
    tests: null,
    changeTypes: ['FIX'],
    background: [say('words')],
    mainChanges: [
      {
        fileName,
        changeTypes: ['FIX'],
        sentences: [say('diff'), say('judgement')],
        heading: null,
        hunk: null,
      },
    ],
    notablePoints: [{ categories: ['RISK'], label: null, severity: null, sentences: [say('diff')] }],
    standfirst: null,
    also: [],
  };
}

/** Shorter steps end before the machine changes its speed. */
const leastMs = 2;

/**
 * Measures the speed of the machine. Other programs take half of it for seconds at a time, so that a later step could
 * seem to grow: the same work is repeated beside each step, and shows how much slower everything is.
 */
class Pace {
  #last: number;
  #best: number;

  constructor() {
    // The first runs say nothing, because the code is not compiled yet.
    for (let times = 0; times < 50; times += 1) sameWork();
    this.#last = sameWork();
    this.#best = this.#last;
  }

  /** The factor by which the machine was slower than at its best, in the last milliseconds. */
  since(ms: number): number {
    const before = this.#last;
    if (ms >= leastMs) this.#last = Math.min(sameWork(), sameWork());
    this.#best = Math.min(this.#best, this.#last);
    return (before + this.#last) / 2 / this.#best;
  }
}

const keys = Array.from({ length: 2_000 }, (_, index) => `key ${index}`);

/** Work like that of reading: texts are made, looked up and dropped. Returns its time. */
function sameWork(): number {
  const start = performance.now();
  const known = new Map<string, number>();
  for (let round = 0; round < 4; round += 1) {
    for (const key of keys) known.set(`${key} ${round}`, key.length);
  }
  return performance.now() - start;
}
