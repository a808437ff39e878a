import type { DiscussionComment } from '../domain/reviews.ts';
import { innermostRange } from './name-ranges.ts';
import { codeBlocksIn, holds, isEnough, keyOf, tokensOf } from './quoted-code.ts';
import { linesOfFile, type ReviewedChange, type ReviewedFile, type Shown } from './reviewed-lines.ts';
import { mostRare, mostTokens, type ReviewEvidence } from './reviews.ts';

/** The outcome of a comment that is on no line. */
export interface GeneralOutcome {
  outcome: 'takenOver' | 'changedAsNamed';
  evidence: ReviewEvidence;
}

interface Addition {
  reviewed: ReviewedFile;
  /** The lines of the file that had what is quoted when it was quoted, and those that were added since. */
  had: string[];
  come: Shown[];
}

/** The results of comments in the conversation and of those about a whole review: code in them that was added since. */
export function generalOutcomesOf(change: ReviewedChange): GeneralOutcome[] {
  const { discussion, authorLogin, headSha } = change;
  return [...discussion.reviews, ...discussion.comments].flatMap((comment) => {
    const { quoted, author, isBot } = comment;
    if (!quoted || quoted.sha === headSha || isBot || author === authorLogin) return [];
    const additions = change.files.flatMap((reviewed): Addition[] => {
      const had = quoted.files.find(({ path }) => path === reviewed.file.path)?.lines;
      if (!had) return [];
      const keys = new Set(had.map(keyOf));
      const come = linesOfFile(reviewed.file).all.filter(
        ({ side, key }) => side === 'added' && !keys.has(key),
      );
      return [{ reviewed, had, come }];
    });
    const found = [...takenOver(comment, additions), ...named(comment, additions)];
    const [best] = found.toSorted((one, other) => rankOf(one) - rankOf(other));
    return best ? [best] : [];
  });
}

const ranks = new Map([
  ['source', 0],
  ['test', 2],
]);

const rankOf = ({ evidence: { reviewed } }: GeneralOutcome): number => ranks.get(reviewed.kind) ?? 1;

const takenOver = (comment: DiscussionComment, additions: Addition[]): GeneralOutcome[] =>
  codeBlocksIn(comment.body).flatMap(({ keys }) =>
    additions.flatMap(({ reviewed, come }) => {
      const taken = come.filter(({ key }) => keys.includes(key));
      const together = [...Map.groupBy(taken, ({ hunk }) => hunk).values()];
      const lines = together.find((some) => isEnough(new Set(some.map(({ key }) => key)))) ?? [];
      return outcomeOf('takenOver', { comment, reviewed, lines, token: null });
    }),
  );

const named = (comment: DiscussionComment, additions: Addition[]): GeneralOutcome[] =>
  tokensOf(comment.body)
    .slice(0, mostTokens)
    .flatMap((token) => {
      const isKnown = additions.some(
        ({ had, reviewed }) =>
          had.some((line) => holds(line, token)) ||
          linesOfFile(reviewed.file).all.some(({ side, text }) => side !== 'added' && holds(text, token)),
      );
      return additions.flatMap(({ reviewed, had, come }) => {
        const { end } = linesOfFile(reviewed.file);
        const lines = come.filter(({ text }) => holds(text, token));
        const stayed = new Set(end.map(({ key }) => key));
        const gone = had.filter((line) => holds(line, token) && !stayed.has(keyOf(line)));
        // A known name that is in one more line is merely used, while a number there says something new.
        const isNew = isKnown ? /^\d+$/.test(token) && lines.length > gone.length : lines.length > 0;
        return isNew && lines.length <= mostRare
          ? outcomeOf('changedAsNamed', { comment, reviewed, lines, token: { text: token, isGone: false } })
          : [];
      });
    });

type Shows = Pick<ReviewEvidence, 'comment' | 'reviewed' | 'token'> & { lines: Shown[] };

function outcomeOf(outcome: GeneralOutcome['outcome'], { lines, ...shows }: Shows): GeneralOutcome[] {
  const [anchor] = lines;
  if (!anchor) return [];
  const at = { side: 'new' as const, startLine: anchor.newLine ?? 0, endLine: anchor.newLine ?? 0 };
  const functions = shows.reviewed.ranges.filter(({ isFunction }) => isFunction);
  const { hunk } = anchor;
  return [
    {
      outcome,
      evidence: {
        ...shows,
        hunk,
        lines: lines.filter((line) => line.hunk === hunk),
        before: { lines: [] },
        renamed: null,
        anchor,
        heading: innermostRange(functions, at)?.name ?? null,
      },
    },
  ];
}
