import { mostStatements } from '../../contract/questions.ts';
import { rankPassages } from '../../domain/search/rank-passages.ts';
import type { Hunk } from '../../reading/file-diff.ts';
import { emptyDraft } from '../draft.ts';
import type { AnswerSource } from '../questions/passages.ts';
import type { ModelArticle } from './check-and-judge.ts';
import { sentenceFromReply } from './draft-from-reply.ts';
import { findFindings } from './find-findings.ts';
import { labelMaterial, type Material, oneLine, type ShownDefinitions } from './material.ts';
import { fillPrompt, type WritingDeps } from './prompts.ts';
import { QuestionReply } from './reply-forms.ts';
import { aboutReview } from './review/review-rules.ts';
import { checkFreeWriting } from './sentence-rules.ts';
import { checkAndMend } from './write-with-model.ts';

/** An answer needs less material than an article, and must not cost more. */
const mostBytesOfMaterial = 120_000;

/** A question may be about unchanged code that changed lines call. */
const definitionsToShow: ShownDefinitions = { share: 1, choose: (all) => all };

const shareOfLines = 0.6;

/** The material for a question: everything if it fits, or else the hunks and sentences that match the question best. */
export function materialFor(source: AnswerSource, question: string, mostBytes: number): Material | null {
  const room = Math.min(mostBytes, mostBytesOfMaterial);
  const { facts, diff, ground, passages } = source;
  const findings = findFindings(emptyDraft, facts, ground);
  const ranked = rankPassages(question, passages).map(({ passage }) => passage);
  const said = ranked.flatMap((one) => (one.kind === 'words' ? one.words : []));
  const sentences = [...new Set([...said, ...source.sentences])];
  const whole = labelMaterial({ findings, facts, diff, sentences }, room, definitionsToShow);
  if (whole) return whole;
  const matching = ranked.flatMap((one) => (one.kind === 'line' && one.hunk ? one.hunk : []));
  const wanted = withinBytes([...matching, ...diff.flatMap(({ hunks }) => hunks)], room * shareOfLines);
  const part = diff.map((file) => ({ ...file, hunks: file.hunks.filter((hunk) => wanted.has(hunk)) }));
  return labelMaterial({ findings, facts, diff: part, sentences }, room, definitionsToShow);
}

function withinBytes(hunks: Hunk[], most: number): Set<Hunk> {
  const wanted = new Set<Hunk>();
  let size = 0;
  for (const hunk of new Set(hunks)) {
    // In the prompt, each line follows its number, which takes about eight bytes.
    const bytes = Buffer.byteLength(hunk.text()) + 8 * (hunk.oldLines + hunk.newLines);
    if (size + bytes > most) continue;
    size += bytes;
    wanted.add(hunk);
  }
  return wanted;
}

export const questionLine = (question: string): string => `question ${oneLine(question)}`;

/** The question is text of another person too, which an answer must not repeat as its own. */
export const checkAnswers = (
  { ground, diff, words, facts }: AnswerSource,
  { findings, looked }: Material,
  question: string,
) =>
  checkFreeWriting({
    ground,
    diff,
    words: [...words, { speaker: '', where: 'comment', text: question }],
    findings: [...findings.values()],
    definitions: new Map(facts.files.map(({ path, definitions }) => [path, definitions])),
    looked,
  });

/**
 * Lets a model answer a question, and keeps the sentences that pass the checks. The answer is empty if the material
 * does not contain it. Null if a required second model is missing.
 */
export async function answerWithModel(
  deps: WritingDeps,
  material: Material,
  question: string,
): Promise<ModelArticle | null> {
  const { ask, prompts, project, language, onProgress, judge } = deps;
  onProgress('writing', 0, 1);
  const lines = [questionLine(question), ...material.lines];
  const review = aboutReview(prompts, material);
  const filled = fillPrompt(prompts['answer-question'], { language, project, lines, review });
  const answer = await ask({ ...filled, schema: QuestionReply });
  const answered = answer.found ? answer.sentences.slice(0, mostStatements) : [];
  const background = answered
    .map((one) => sentenceFromReply(one, material))
    .filter(({ basis, text }) => text !== '' && (judge !== null || basis !== 'judgement'));
  const draft = { ...emptyDraft, background };
  if (background.length === 0)
    return {
      draft,
      verification: { claims: 0, verified: 0, repaired: 0, dropped: 0, judged: 0, unjudged: 0 },
    };
  return checkAndMend(deps, { draft, rests: [[]] }, material);
}
