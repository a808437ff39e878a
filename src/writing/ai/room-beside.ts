import type { Model } from './model.ts';

/** What a prompt's places are filled with, and what a provider puts around it. */
export const slackBytes = 2_000;

/** How many bytes a model has room for beside what it is told. */
export async function roomBeside(prompt: string, model: Model): Promise<number> {
  const { promptBytes } = await model.limits();
  return promptBytes - Buffer.byteLength(prompt) - slackBytes;
}
