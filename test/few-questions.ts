import type { Question } from './leak-questions.ts';
import { rowsToRun } from './tables.ts';

/**
 * Every question about the pull request and one about each other part of the service: enough for hosts, which do not see
 * routes.
 */
export const fewOf = (questions: Question[]): Question[] =>
  rowsToRun(questions, ({ method, path, accept = '' }) => {
    const [, part = ''] = path.split(/[/?]/);
    return `${method} ${part === 'repos' ? path : part} ${accept}`;
  });
