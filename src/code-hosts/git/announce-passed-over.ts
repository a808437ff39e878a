import type { Clone } from '../git-runner/clone.ts';
import { listBorrowers, type PassedOver } from './find-clone.ts';
import { whyNotShown } from './why-not-shown.ts';

/** More than these are counted. */
const mostNamed = 5;

export type AnnouncePassedOver = (clone: Clone, reason: PassedOver) => void;

/** Says once of each clone that is not read why that is so, and what to do. */
export function announcePassedOver(announce: (sentence: string) => void): AnnouncePassedOver {
  const announced = new Set<string>();
  return (clone, reason) => {
    if (announced.has(clone.gitFolder)) return;
    announced.add(clone.gitFolder);
    const [why, remedy] = whyNotShown[reason];
    announce(
      `The clone ${clone.owner}/${clone.name} in ${clone.gitFolder} is passed over: ${why}. ${remedy}`,
    );
  };
}

/** Those that are known to be so by a look at one file of each. */
export async function announceBorrowers(
  root: string,
  tell: AnnouncePassedOver,
  announce: (sentence: string) => void,
): Promise<void> {
  let found = 0;
  for await (const clone of listBorrowers(root)) {
    found += 1;
    if (found <= mostNamed) tell(clone, 'borrows');
  }
  if (found > mostNamed) announce(`So are ${found - mostNamed} more.`);
}
