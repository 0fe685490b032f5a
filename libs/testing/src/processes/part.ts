import { readFileSync, statSync } from 'node:fs';
import type { Child, Ending } from './child.ts';
import { freePort } from './ports.ts';

/** A running program that listens on a port: a backing service or a service. */
export interface Part {
  readonly name: string;
  readonly url: string;
  /** Id of the current process; changes with a restart. */
  readonly pid: number;
  kill(signal: NodeJS.Signals): void;
  exited(): Promise<Ending>;
  running(): boolean;
  /** Waits until it answers: after a kill, until the new process answers. */
  waitReady(timeoutMs?: number): Promise<void>;
  /** Restarts it on the same port; waits until it answers. */
  restart(): Promise<void>;
  stop(): Promise<void>;
}

export interface PartSpec {
  name: string;
  /** A port that others already know; else any free one. */
  port?: number;
  launch: (port: number) => Promise<Child>;
  /** Throws until the program answers on its port. */
  probe: (port: number) => Promise<void>;
  url: (port: number) => string;
  /** Its output; the error of a failed start contains the end of it. */
  logFile: string;
  /**
   * Matches the output of a start that fails only because the previous process is not fully gone: it is
   * retried.
   */
  tooEarly?: RegExp;
  /** Aborts a running start. */
  abort?: AbortSignal;
}

const startAttempts = 3;
const readyTimeoutMs = 120_000;
const probePauseMs = 20;
const tooEarlyPauseMs = 100;
const tooEarlyForMs = 30_000;
const shownLogLines = 25;

/**
 * Starts a program and waits until it answers. Another program may take the port between its choice and its
 * use, so an early end is retried, on another port if none was given.
 *
 * @throws Error that names the program and how it ended
 */
export async function runPart(spec: PartSpec): Promise<Part> {
  const attempts = spec.port === undefined ? startAttempts : 1;
  let fault: unknown;
  for (let attempt = 0; attempt < attempts; attempt += 1) {
    const port = spec.port ?? (await freePort());
    try {
      return part(spec, port, await launchReady(spec, port));
    } catch (error) {
      fault = error;
    }
    if (spec.abort?.aborted === true) break;
  }
  throw fault;
}

function part(spec: PartSpec, port: number, first: Child): Part {
  let child = first;
  let killed: Child | undefined;
  return {
    name: spec.name,
    url: spec.url(port),
    get pid() {
      return child.pid;
    },
    kill: (signal) => {
      if (signal === 'SIGKILL') killed = child;
      child.kill(signal);
    },
    exited: () => child.exited,
    running: () => child.running(),
    waitReady: async (timeoutMs = readyTimeoutMs) => {
      const fault = await answers(spec, port, () => child !== killed, timeoutMs);
      if (fault !== undefined) throw notReady(spec, `did not answer in ${timeoutMs / 1000} s`, fault);
    },
    restart: async () => {
      await child.stop();
      child = await launchReady(spec, port, (started) => (child = started));
    },
    stop: () => child.stop(),
  };
}

async function launchReady(
  spec: PartSpec,
  port: number,
  onStart?: (child: Child) => void,
  tryUntil = Date.now() + tooEarlyForMs,
): Promise<Child> {
  const logged = statSync(spec.logFile, { throwIfNoEntry: false })?.size ?? 0;
  const child = await spec.launch(port);
  onStart?.(child);
  let ended: string | undefined;
  void child.exited.then(({ text }) => (ended = text));
  const givenUp = (): boolean => ended !== undefined || spec.abort?.aborted === true;
  const fault = await answers(spec, port, () => true, readyTimeoutMs, givenUp);
  if (fault === undefined) return child;
  if (
    ended !== undefined &&
    Date.now() < tryUntil &&
    spec.tooEarly?.test(writtenSince(spec, logged)) === true
  ) {
    await new Promise((resolve) => setTimeout(resolve, tooEarlyPauseMs));
    return launchReady(spec, port, onStart, tryUntil);
  }
  const how =
    spec.abort?.aborted === true ? 'was given up' : (ended ?? `did not answer in ${readyTimeoutMs / 1000} s`);
  await child.stop();
  throw notReady(spec, `${how} during start`, fault);
}

/**
 * Probes until the program answers. Returns the last error after the timeout or when `givenUp` returns true.
 */
async function answers(
  spec: PartSpec,
  port: number,
  worthAsking: () => boolean,
  timeoutMs: number,
  givenUp: () => boolean = () => false,
): Promise<Error | undefined> {
  const deadline = Date.now() + timeoutMs;
  let fault = new Error('it was never probed');
  while (!givenUp() && Date.now() < deadline) {
    if (worthAsking()) {
      try {
        await spec.probe(port);
        return undefined;
      } catch (error) {
        fault = error instanceof Error ? error : new Error(String(error));
      }
    }
    await new Promise((resolve) => setTimeout(resolve, probePauseMs));
  }
  return fault;
}

/** Returns the log after this many bytes; the whole log if it was rotated meanwhile. */
function writtenSince({ logFile }: PartSpec, bytes: number): string {
  const log = readFileSync(logFile);
  return log.subarray(log.length < bytes ? 0 : bytes).toString();
}

function notReady(spec: PartSpec, problem: string, cause: Error): Error {
  const lines = readFileSync(spec.logFile, 'utf8').trimEnd().split('\n').slice(-shownLogLines);
  return new Error(
    `${spec.name} ${problem} (${cause.message}). The end of ${spec.logFile}:\n    ${lines.join('\n    ')}`,
    { cause },
  );
}
