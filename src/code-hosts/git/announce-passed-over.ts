import { type Clone, listBorrowers, type PassedOver } from './find-clone.ts';

const reasons: Record<PassedOver, (clone: Clone) => string> = {
  borrows: ({ gitFolder }) =>
    'it borrows objects from another repository, as git clone --shared and --reference have it. Make it whole: ' +
    `git -C ${gitFolder} repack -a -d && rm ${gitFolder}/objects/info/alternates`,
  leadsOutside: ({ gitFolder }) =>
    `something in ${gitFolder} is a link that leads out of it, or is no file. Replace it by a clone of its own.`,
  unreadable: ({ gitFolder }) =>
    `${gitFolder} has folders that this user may not read. Have this user own them, or grant it the right.`,
};

/** More than these are counted. */
const mostNamed = 5;

export type AnnouncePassedOver = (clone: Clone, reason: PassedOver) => void;

/** Says once of each clone that is not read why that is so, and what to do. */
export function announcePassedOver(announce: (sentence: string) => void): AnnouncePassedOver {
  const announced = new Set<string>();
  return (clone, reason) => {
    if (announced.has(clone.gitFolder)) return;
    announced.add(clone.gitFolder);
    announce(`The clone ${clone.owner}/${clone.name} is passed over: ${reasons[reason](clone)}`);
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
