// A process that git-spawner.ts starts. Spawning copies the page tables of the parent, which blocks a large process for tens of milliseconds.
// So this one stays small and imports next to nothing.
import { type ChildProcessWithoutNullStreams, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { constants, setPriority } from 'node:os';

export interface GitCommand {
  parameters: string[];
  cwd: string;
  /** All of it: git inherits nothing. */
  environment: Record<string, string>;
  input: string | null;
  isYielding?: boolean;
  /** Whether its standard error, where progress is printed, is output too. */
  showsProgress?: boolean;
}

export type Order =
  /** Git waits while more than `window` bytes of its output are unread. */
  | { kind: 'start'; id: number; command: GitCommand; window: number }
  | { kind: 'read'; id: number; bytes: number }
  | { kind: 'write'; id: number; input: string }
  | { kind: 'kill'; id: number };

export interface GitEnd {
  code: number | null;
  signal: string | null;
  /** The beginning of its standard error, the end if progress is in it, or why it could not be run. */
  complaint: string;
}

export type Report =
  | { kind: 'output'; id: number; chunk: Uint8Array }
  | { kind: 'end'; id: number; end: GitEnd };

interface Running {
  child: ChildProcessWithoutNullStreams;
  window: number;
  unread: number;
}

// This process is killed in the end, and would lose its compile cache.
flushCompileCache();

// Git yields to the service's requests. Linux with autogroups compares priorities only within a session, and this is a session of its own.
const priority = constants.priority.PRIORITY_BELOW_NORMAL;
setPriority(priority);
try {
  writeFileSync('/proc/self/autogroup', String(priority));
} catch {}

const running = new Map<number, Running>();

function report(message: Report): void {
  process.send?.(message, undefined, undefined, (problem) => problem && endWithParent());
}

function reportEnd(id: number, end: GitEnd): void {
  // The parent does not wait for a killed git, and a git ends only once, even after an error.
  if (running.delete(id)) report({ kind: 'end', id, end });
}

function start(id: number, command: GitCommand, window: number): void {
  const { parameters, cwd, environment, input, isYielding, showsProgress } = command;
  const child = spawn('git', parameters, { cwd, env: environment, stdio: 'pipe' });
  if (isYielding && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const run = { child, window, unread: 0 };
  running.set(id, run);
  let complaint = '';
  child.on('error', ({ message }) => reportEnd(id, { code: null, signal: null, complaint: message }));
  child.on('close', (code, signal) => reportEnd(id, { code, signal, complaint }));
  child.stderr.on('data', (chunk: Buffer) => {
    const all = complaint + chunk.toString();
    complaint = showsProgress ? all.slice(-2_000) : all.slice(0, 2_000);
    if (showsProgress) report({ kind: 'output', id, chunk });
  });
  child.stdout.on('data', (chunk: Buffer) => {
    report({ kind: 'output', id, chunk });
    run.unread += chunk.length;
    if (run.unread > window) child.stdout.pause();
  });
  child.stdin.on('error', () => {});
  if (input !== null) child.stdin.end(input);
}

function startOrReport(id: number, command: GitCommand, window: number): void {
  try {
    start(id, command, window);
  } catch (problem) {
    // Too many parameters, or no memory for a process: only this command fails.
    running.get(id)?.child.kill('SIGKILL');
    running.delete(id);
    report({ kind: 'end', id, end: { code: null, signal: null, complaint: String(problem) } });
  }
}

function noteRead(id: number, bytes: number): void {
  const run = running.get(id);
  if (!run) return;
  run.unread -= bytes;
  if (run.unread <= run.window) run.child.stdout.resume();
}

function kill(id: number): void {
  const run = running.get(id);
  running.delete(id);
  run?.child.kill('SIGKILL');
  run?.child.stdout.destroy();
}

function endWithParent(): void {
  for (const { child } of running.values()) child.kill('SIGKILL');
  process.exit();
}

process.on('message', (order: Order) => {
  if (order.kind === 'start') startOrReport(order.id, order.command, order.window);
  else if (order.kind === 'read') noteRead(order.id, order.bytes);
  else if (order.kind === 'write') running.get(order.id)?.child.stdin.write(order.input);
  else kill(order.id);
});
process.on('disconnect', endWithParent);
// Process managers often signal all processes of a service, which still needs git to finish its work.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
