import {
  type ChosenPoint,
  type DiscussionComment,
  idOfComment,
  type Passage,
} from '../../../domain/reviews.ts';
import { sentencesOfComment } from '../../../reading/description/markdown-blocks.ts';
import { linesAsReviewed } from '../../../reading/reviewed-lines.ts';
import { type Candidate, candidatesOf, type ReviewSource, statementOfPoint } from '../../reviews.ts';
import { oneLine } from '../material.ts';
import { fillPrompt, type WritingDeps } from '../prompts.ts';
import { PointsReply } from '../reply-forms.ts';

const most = { threads: 12, sentences: 12, points: 3, lines: 12 };
const longestSentence = 400;

interface Said extends Omit<Passage, 'last'> {
  author: string;
}

/**
 * Lets a model choose which results of the review to tell, and which sentences to quote. It returns labels only. With
 * less than two possibilities, and without a reply, the rules choose.
 */
export async function choosePoints(
  { ask, prompts, project, language }: Pick<WritingDeps, 'ask' | 'prompts' | 'project' | 'language'>,
  source: ReviewSource,
): Promise<ChosenPoint[]> {
  const candidates = candidatesOf(source).slice(0, most.threads);
  const threads = candidates.map((candidate, at) => printThread(candidate, `r${at + 1}`, source));
  if (threads.reduce((sum, { said }) => sum + said.size, 0) < 2) return [];
  const lines = threads.flatMap((thread) => thread.lines);
  const filled = fillPrompt(prompts['choose-points'], { language, project, lines });
  const reply = await ask({ ...filled, schema: PointsReply }).catch(() => null);
  const points = (reply?.points ?? []).flatMap((point): ChosenPoint[] => {
    const at = threads.findIndex(({ label }) => label === point.thread.trim());
    const [thread, candidate] = [threads[at], candidates[at]];
    if (!thread || !candidate) return [];
    const { author } = candidate.request.comment;
    const chosen = (labels: string[], isBy: (speaker: string) => boolean): Passage | null =>
      passageOf(
        labels.flatMap((label) => thread.said.get(label.trim()) ?? []),
        isBy,
      );
    return [
      {
        first: idOfComment(candidate.first),
        request: chosen(point.request, (speaker) => speaker === author),
        reply: chosen(point.reply, (speaker) => speaker !== author),
      },
    ];
  });
  return [...new Map(points.map((point) => [point.first, point])).values()].slice(0, most.points);
}

/** Whole sentences of one comment, by one person, without a gap. */
function passageOf(said: Said[], isBy: (speaker: string) => boolean): Passage | null {
  const [one] = said;
  if (!one || said.some(({ comment, author }) => comment !== one.comment || !isBy(author))) return null;
  const places = said.map(({ first }) => first);
  return { comment: one.comment, first: Math.min(...places), last: Math.max(...places) };
}

function printThread(
  candidate: Candidate,
  label: string,
  source: ReviewSource,
): { label: string; lines: string[]; said: Map<string, Said> } {
  const { thread, evidence, comments } = candidate;
  const said = new Map<string, Said>();
  const sentences = comments
    .flatMap((comment) => [...sentencesOf(comment)].map(([first, text]) => ({ comment, first, text })))
    .slice(0, most.sentences)
    .map(({ comment, first, text }) => {
      const own = `${label}.${said.size + 1}`;
      const { author } = comment;
      said.set(own, { comment: idOfComment(comment), author, first });
      const role = author === source.authorLogin ? ' (author)' : '';
      return `${own} ${oneLine(author)}${role}: ${oneLine(text)}`;
    });
  const signs = { added: '+', removed: '-', context: ' ' };
  const before = evidence?.before ?? (thread && linesAsReviewed(thread));
  const lines = (before?.lines ?? [])
    .slice(-most.lines)
    .map(({ side, text }) => `on ${signs[side]}${oneLine(text).slice(0, longestSentence)}`);
  const outcome = evidence ? statementOfPoint({ ...candidate, evidence }, source, 'en').text : 'discussed';
  const path = evidence?.reviewed.file.path ?? thread?.path ?? 'in general';
  return {
    label,
    said,
    lines: [`${label} ${oneLine(`${path}: ${outcome}`)}`, ...sentences, ...lines],
  };
}

const sentencesOf = (comment: DiscussionComment): [number, string][] =>
  [...sentencesOfComment(comment.body).entries()].filter(([, { length }]) => length <= longestSentence);
