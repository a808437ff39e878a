import { createHash } from 'node:crypto';
import { fenceOf } from './fill-prompt.ts';
import type { ModelQuestion } from './model-question.ts';

/** What makes two questions the same. Each has a fence of its own, which changes nothing about the answer. */
export function questionKey(
  { instructions, prompt, earlier, schema }: ModelQuestion,
  { provider, name }: { provider: string; name: string },
): string {
  const fence = fenceOf(prompt);
  const asked = JSON.stringify([provider, name, instructions, prompt, earlier, schema]);
  return createHash('sha256')
    .update(fence === null ? asked : asked.replaceAll(fence, ''))
    .digest('base64url');
}
