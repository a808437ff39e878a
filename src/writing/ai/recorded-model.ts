import type { Model } from './model.ts';
import { ModelFailure, type ModelQuestion, noTokens } from './model-question.ts';
import { type JudgeReply, type ReplyForm, replyForms } from './reply-forms.ts';

type Verdict = Pick<JudgeReply['verdicts'][number], 'verdict' | 'reason'>;

/**
 * The replies of a model about one pull request in one language, or to one question: those of each step in order, and
 * verdicts by the sentence, because the order of sentences is not always the same.
 */
export interface Recording {
  replies: Partial<Record<ReplyForm, unknown[]>>;
  verdicts: Record<string, Verdict>;
}

/** Makes a reply that is not recorded; throws if it cannot. */
export type ReplyAnew = (question: ModelQuestion, form: ReplyForm) => Promise<unknown>;

const notRecorded: ReplyAnew = async () => {
  throw new ModelFailure('badOutput');
};

/** Enough for every sample at once, except the one that is read in parts. */
const promptBytes = 100_000;

/** A model that replies what another one has replied before. It uses no network and no tokens. */
export function createRecordedModel(
  { replies, verdicts }: Recording,
  replyAnew: ReplyAnew = notRecorded,
): Model {
  const used = new Map<ReplyForm, number>();
  const find = (question: ModelQuestion, form: ReplyForm): unknown => {
    if (question.earlier.length > 0) return undefined;
    if (form === 'judgement') return verdictsOn(question.prompt, verdicts);
    const place = used.get(form) ?? 0;
    used.set(form, place + 1);
    return replies[form]?.[place];
  };
  return {
    provider: 'compatible',
    name: 'example',
    baseUrl: '',
    async ask(question) {
      const form = formOf(question);
      const value = find(question, form) ?? (await replyAnew(question, form));
      return { text: JSON.stringify(value), value, isCutOff: false, usage: noTokens };
    },
    limits: async () => ({ outputTokens: 8_000, promptBytes, surePromptBytes: promptBytes }),
    estimateTokens: () => 0,
    priceOf: async () => undefined,
  };
}

function formOf({ schema }: ModelQuestion): ReplyForm {
  for (const form of Object.keys(replyForms) as ReplyForm[]) if (replyForms[form] === schema) return form;
  throw new ModelFailure('badOutput');
}

/** The sentences that a second model is to judge, by their numbers. */
export const sentencesToJudge = (prompt: string): Map<number, string> =>
  new Map(
    Array.from(
      prompt.matchAll(/^s(\d+) \([^)]*\) (.*)$/gm),
      ([, n, text = '']) => [Number(n), text] as const,
    ),
  );

/** The recorded verdicts on the sentences, if there is one on each. */
function verdictsOn(prompt: string, verdicts: Recording['verdicts']): JudgeReply | undefined {
  const sentences = [...sentencesToJudge(prompt)];
  const found = sentences.flatMap(([n, text]) => {
    const verdict = verdicts[text];
    return verdict ? [{ n, ...verdict }] : [];
  });
  return found.length === sentences.length ? { verdicts: found } : undefined;
}
