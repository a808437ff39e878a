/**
 * What the folder of clones is called among code hosts. What is stored names its host, also one that is no longer read, so that
 * none that is open can be asked.
 */
export const clonesHost = 'git';

/** Whether something comes from a clone, where commits are all that people wrote. */
export const isFromClone = ({ host }: { host: string }): boolean => host === clonesHost;
