/** Another process has a lock. */
export class LockHeld extends Error {
  readonly pid: string;
  /** What that process says about itself. */
  readonly note: string;

  constructor(pid: string, note: string, cause: unknown) {
    super(`held by process ${pid}`, { cause });
    this.pid = pid;
    this.note = note;
  }
}
