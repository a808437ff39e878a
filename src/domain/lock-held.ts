/** Another process has a lock. */
export class LockHeld extends Error {
  readonly pid: string;

  constructor(pid: string, cause: unknown) {
    super(`held by process ${pid}`, { cause });
    this.pid = pid;
  }
}
