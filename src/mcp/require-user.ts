import type { SignedUpViewer } from '../actions/accounts/identify-bearer.ts';
import { notSignedUp } from '../domain/errors.ts';
import type { AgentCall } from './tool.ts';

/** The user who asks. Requests without a credential have been refused before. */
export function requireUser({ viewer }: AgentCall): SignedUpViewer {
  if (viewer?.user) return { ...viewer, user: viewer.user };
  throw notSignedUp();
}
