import type { Question } from './leak-questions.ts';
import { rowsToRun } from './tables.ts';

/** Of what can be asked, all about the pull request and one of each other part of the service: for hosts, which see no routes. */
export const fewOf = (questions: Question[]): Question[] =>
  rowsToRun(questions, ({ method, path, accept = '' }) => {
    const [, part = ''] = path.split(/[/?]/);
    return `${method} ${part === 'repos' ? path : part} ${accept}`;
  });
