// The helper process of git-spawner.ts. Spawning copies the page tables of the parent, which blocks a large process for
// tens of milliseconds. So this process stays small and imports next to nothing.
import { type ChildProcessByStdio, spawn } from 'node:child_process';
import { writeFileSync } from 'node:fs';
import { flushCompileCache } from 'node:module';
import { constants, setPriority } from 'node:os';
import type { Readable, Writable } from 'node:stream';

export interface GitCommand {
  parameters: string[];
  cwd: string;
  /** The whole environment: git inherits no variables. */
  environment: Record<string, string>;
  input: string | null;
  isYielding?: boolean;
  /** Runs git with all its child processes in a group that ends with it. Each process may use this much memory. */
  groupMemoryBytes?: number;
  /** Whether standard error, which has the progress, is part of the output. */
  showsProgress?: boolean;
}

export type Order =
  /** Git pauses while more than `window` bytes of its output are unread. */
  | { kind: 'start'; id: number; command: GitCommand; window: number }
  | { kind: 'read'; id: number; bytes: number }
  | { kind: 'write'; id: number; input: string }
  | { kind: 'kill'; id: number };

export interface GitEnd {
  code: number | null;
  signal: string | null;
  /** The beginning of standard error, its end if it contains progress, or the reason why git could not be started. */
  complaint: string;
}

export type Report =
  | { kind: 'output'; id: number; chunk: Uint8Array }
  | { kind: 'end'; id: number; end: GitEnd };

type Child = ChildProcessByStdio<Writable, Readable, Readable>;

interface Running {
  child: Child;
  /** When this pipe closes, the group of git ends, however this process ended. */
  lifeline: Readable | null;
  window: number;
  unread: number;
}

// This process is killed in the end, which would lose its compile cache.
flushCompileCache();

// Git yields to requests of the service. Linux with autogroups compares priorities only within a session, and this is a
// session of its own, so its group gets a lower priority too.
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
  // The parent does not wait for a killed git. An end is reported once, even after an error.
  if (running.delete(id)) report({ kind: 'end', id, end });
}

/** A fetch consists of several processes; killing only git would leave the others running. */
const groupScript = (memoryBytes: number): string => `
{ echo ${priority} > /proc/self/autogroup; } 2> /dev/null
ulimit -d ${Math.floor(memoryBytes / 1024)} 2> /dev/null
{ read -r _ <&3; kill -KILL 0; } < /dev/null > /dev/null 2>&1 &
exec git "$@" 3<&-`;

function spawnGroup({ parameters, cwd, environment }: GitCommand, memoryBytes: number) {
  const child = spawn('/bin/sh', ['-c', groupScript(memoryBytes), 'git', ...parameters], {
    cwd,
    env: environment,
    detached: true,
    stdio: ['pipe', 'pipe', 'pipe', 'pipe'],
  });
  const lifeline = child.stdio[3] as Readable;
  lifeline.on('error', () => {});
  child.on('exit', () => lifeline.destroy());
  return { child: child as Child, lifeline };
}

function spawnGit(command: GitCommand): Pick<Running, 'child' | 'lifeline'> {
  const { parameters, cwd, environment, groupMemoryBytes } = command;
  if (groupMemoryBytes !== undefined) return spawnGroup(command, groupMemoryBytes);
  return { child: spawn('git', parameters, { cwd, env: environment, stdio: 'pipe' }), lifeline: null };
}

function endRun({ child, lifeline }: Running): void {
  if (lifeline) lifeline.destroy();
  else child.kill('SIGKILL');
}

function start(id: number, command: GitCommand, window: number): void {
  const { input, isYielding, showsProgress } = command;
  const { child, lifeline } = spawnGit(command);
  if (isYielding && child.pid !== undefined) setPriority(child.pid, constants.priority.PRIORITY_LOW);
  const run = { child, lifeline, window, unread: 0 };
  running.set(id, run);
  let complaint = '';
  child.on('error', ({ message }) => reportEnd(id, { code: null, signal: null, complaint: message }));
  child.on('close', (code, signal) => {
    // The shell of the group exits with 127 if git is not installed.
    if (lifeline && code === 127)
      reportEnd(id, { code: null, signal, complaint: `spawn git ENOENT: ${complaint}` });
    else reportEnd(id, { code, signal, complaint });
  });
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
    // Too many parameters or too little memory for a process fail this command only.
    killProcess(id);
    report({ kind: 'end', id, end: { code: null, signal: null, complaint: String(problem) } });
  }
}

function noteRead(id: number, bytes: number): void {
  const run = running.get(id);
  if (!run) return;
  run.unread -= bytes;
  if (run.unread <= run.window) run.child.stdout.resume();
}

function killProcess(id: number): void {
  const run = running.get(id);
  running.delete(id);
  if (!run) return;
  endRun(run);
  run.child.stdout.destroy();
}

function endWithParent(): void {
  for (const run of running.values()) endRun(run);
  process.exit();
}

process.on('message', (order: Order) => {
  if (order.kind === 'start') startOrReport(order.id, order.command, order.window);
  else if (order.kind === 'read') noteRead(order.id, order.bytes);
  else if (order.kind === 'write') running.get(order.id)?.child.stdin.write(order.input);
  else killProcess(order.id);
});
process.on('disconnect', endWithParent);
// Process managers often signal all processes of a service, which still needs git to finish its work.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => {});
