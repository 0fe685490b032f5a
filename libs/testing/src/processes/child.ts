import { spawn, type ChildProcess } from 'node:child_process';
import {
  closeSync,
  mkdirSync,
  openSync,
  readFileSync,
  rmSync,
  statSync,
  renameSync,
  writeFileSync,
} from 'node:fs';
import { dirname } from 'node:path';
import { isAlive, processIdentity, signal, waitGone } from '../machine/liveness.mjs';
import { guard, unguard } from './watchdog.ts';

const maxLogBytes = 10 * 1024 * 1024;
const stopGraceMs = 15_000;

export interface ChildSpec {
  name: string;
  command: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
  /** The child's output is appended here; a log above 10 MB is first renamed to `.1`. */
  logFile: string;
  /** Records the running child, so that it can be found after the launcher was killed. */
  recordFile: string;
  /** The signal that makes this program end in an orderly way. */
  stopSignal: NodeJS.Signals;
  uid?: number;
  gid?: number;
}

/** The exit code of a child (null after a signal), and a description of its end. */
export interface Ending {
  code: number | null;
  text: string;
}

export interface Child {
  readonly name: string;
  readonly pid: number;
  /** Resolves when it has ended. Never rejects. */
  readonly exited: Promise<Ending>;
  running(): boolean;
  kill(name: NodeJS.Signals): void;
  /** Asks it to stop, and kills its group if it still runs after `graceMs`. */
  stop(graceMs?: number): Promise<void>;
}

interface ChildRecord {
  pid: number;
  identity: string;
  stopSignal: NodeJS.Signals;
}

/** Running children of this process, in the order of their start. */
const children = new Set<Child>();
let closing = false;

/**
 * Starts a child in its own process group (Ctrl-C reaches only the launcher, which then stops its children in
 * order), under the watchdog, with its output in a file.
 *
 * @throws Error if the program cannot be executed, or everything is being stopped
 */
export async function startChild(spec: ChildSpec): Promise<Child> {
  refuseWhenClosing(spec.name);
  const output = openLog(spec.logFile);
  const spawned = spawn(spec.command, spec.args, {
    cwd: spec.cwd,
    env: spec.env,
    stdio: ['ignore', output, output],
    detached: true,
    ...(spec.uid === undefined ? {} : { uid: spec.uid, gid: spec.gid }),
  });
  closeSync(output);
  const child = await track(spawned, spec);
  remember(spec, child.pid);
  void child.exited.then(() => rmSync(spec.recordFile, { force: true }));
  // A test run or script that forgets to stop its services must still be able to end.
  spawned.unref();
  return child;
}

/** A program that does one thing, writes to our own output and ends. */
export interface ToolSpec {
  name: string;
  command: string;
  args: string[];
  cwd: string;
  env: NodeJS.ProcessEnv;
}

/**
 * Starts a tool, like a child in its own group and under the watchdog.
 *
 * @throws Error if the program cannot be executed, or everything is being stopped
 */
export async function startTool(spec: ToolSpec): Promise<Child> {
  refuseWhenClosing(spec.name);
  const stdio = ['ignore', 'inherit', 'inherit'] as const;
  const spawned = spawn(spec.command, spec.args, {
    cwd: spec.cwd,
    env: spec.env,
    stdio: [...stdio],
    detached: true,
  });
  return track(spawned, { ...spec, stopSignal: 'SIGTERM' });
}

/** Returns true once every child is being stopped, so that their ends are expected. */
export function isClosing(): boolean {
  return closing;
}

/** Stops all children of this process in parallel, and prevents new ones. */
export async function stopAllChildren(): Promise<void> {
  closing = true;
  await Promise.all([...children].map((child) => child.stop()));
}

/** A child started now might outlive this process. */
function refuseWhenClosing(name: string): void {
  if (closing) throw new Error(`${name} is not started: everything is being stopped`);
}

async function track(
  spawned: ChildProcess,
  spec: { name: string; command: string; stopSignal: NodeJS.Signals },
): Promise<Child> {
  const { name, stopSignal } = spec;
  let ending: Ending | undefined;
  const exited = new Promise<Ending>((resolve) => {
    spawned.once('exit', (code, by) => {
      ending = { code, text: by === null ? `ended with code ${code}` : `was ended by ${by}` };
      if (spawned.pid !== undefined) unguard(spawned.pid);
      resolve(ending);
    });
  });
  await new Promise<void>((resolve, reject) => {
    spawned.once('spawn', resolve);
    spawned.once('error', (cause) => reject(new Error(`${name}: cannot run ${spec.command}`, { cause })));
  });
  const { pid } = spawned;
  if (pid === undefined) throw new Error(`${name}: started without a process id`);
  guard(pid, stopSignal);
  const child: Child = {
    name,
    pid,
    exited,
    running: () => ending === undefined,
    kill: (by) => {
      if (ending === undefined) signal(pid, by);
    },
    stop: async (graceMs = stopGraceMs) => {
      if (ending !== undefined) return;
      signal(pid, stopSignal);
      const timer = setTimeout(() => signal(-pid, 'SIGKILL'), graceMs);
      await exited;
      clearTimeout(timer);
    },
  };
  children.add(child);
  void exited.then(() => children.delete(child));
  if (closing) {
    await child.stop();
    refuseWhenClosing(name);
  }
  return child;
}

/**
 * Stops a process that an earlier launcher left running under this record: its watchdog was killed too, or is
 * still at work.
 */
export async function stopOrphan(recordFile: string): Promise<void> {
  const record = readRecord(recordFile);
  if (record !== undefined && isAlive(record.pid, record.identity)) {
    signal(record.pid, record.stopSignal);
    if (!(await waitGone(record.pid, record.identity, 10_000))) {
      signal(-record.pid, 'SIGKILL');
      await waitGone(record.pid, record.identity, 5_000);
    }
  }
  rmSync(recordFile, { force: true });
}

function remember(spec: ChildSpec, pid: number): void {
  const identity = processIdentity(pid);
  if (identity === undefined) return; // ended already: no record is needed
  mkdirSync(dirname(spec.recordFile), { recursive: true });
  const record: ChildRecord = { pid, identity, stopSignal: spec.stopSignal };
  writeFileSync(spec.recordFile, `${JSON.stringify(record)}\n`);
}

function readRecord(file: string): ChildRecord | undefined {
  try {
    return JSON.parse(readFileSync(file, 'utf8')) as ChildRecord;
  } catch {
    return undefined; // missing, or truncated by a crash: the process is unknown
  }
}

function openLog(file: string): number {
  mkdirSync(dirname(file), { recursive: true });
  const size = statSync(file, { throwIfNoEntry: false })?.size ?? 0;
  if (size > maxLogBytes) renameSync(file, `${file}.1`);
  return openSync(file, 'a');
}
