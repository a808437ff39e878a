import type { Config } from '../config.ts';
import { StartupProblem } from '../domain/errors.ts';
import { missingForModels } from '../settings/model-access.ts';
import { modelName, Unusable } from '../settings/setting-parsers.ts';
import { UsageProblem } from './command.ts';

/** The settings with the models that --model and --judge name in place of their own. */
export function withModels(config: Config, { model, judge }: { model?: string; judge?: string }): Config {
  const changed: Config = { ...config };
  if (model !== undefined) {
    changed.aiModel = parse('--model', modelName, model);
    changed.aiPartModel = undefined;
  }
  if (judge !== undefined)
    changed.aiJudgeModel = judge === 'off' ? 'off' : parse('--judge', modelName, judge);
  const missing = missingForModels(changed);
  if (missing.length > 0) throw new StartupProblem(missing.join('\n'));
  return changed;
}

function parse<Value>(option: string, read: (text: string) => Value, text: string): Value {
  try {
    return read(text);
  } catch (error) {
    if (error instanceof Unusable) throw new UsageProblem(`${option} ${error.message}.`);
    throw error;
  }
}
