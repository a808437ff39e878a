import type { Operator } from '../../domain/accounts.ts';
import type { Viewer } from '../deps.ts';

export interface OperatorDeps {
  operators: Operator[];
}

/** Operators are users who signed in with the one-time link, and those named in the settings. */
export function mayOperate({ operators }: OperatorDeps, viewer: Viewer | null): boolean {
  if (!viewer?.user) return false;
  const { host, hostUsername } = viewer.identity;
  const isNamed = operators.some(
    (one) => one.host === host && one.name.toLowerCase() === hostUsername.toLowerCase(),
  );
  return viewer.user.isOperator || isNamed;
}
