import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { StartupProblem } from './domain/errors.ts';
import type { Prompts } from './writing/ai/fill-prompt.ts';

const shipped = fileURLToPath(new URL('../prompts/', import.meta.url));

/** What models are told, from the release or from an operator's folder, and a name that changes when any of it does. */
export function loadPrompts(folder: string = shipped): { prompts: Prompts; version: string } {
  const read = (name: keyof Prompts): string => {
    const file = join(folder, `${name}.md`);
    try {
      return readFileSync(file, 'utf8');
    } catch (error) {
      throw new StartupProblem(
        `The prompt ${file} cannot be read. Copy the files of the folder prompts/ there, or unset AI_PROMPTS.`,
        { cause: error },
      );
    }
  };
  const prompts: Prompts = {
    'write-article': read('write-article'),
    'read-part': read('read-part'),
    'judge-sentences': read('judge-sentences'),
    'mend-sentences': read('mend-sentences'),
    'say-again': read('say-again'),
    'ask-again': read('ask-again'),
  };
  const hash = createHash('sha256');
  for (const [name, text] of Object.entries(prompts)) hash.update(`${name}\0${text}\0`);
  return { prompts, version: hash.digest('hex').slice(0, 12) };
}
