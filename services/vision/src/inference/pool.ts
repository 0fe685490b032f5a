/**
 * Worker threads that judge photos. Running a model blocks the thread it runs on (onnxruntime-node has no
 * other way), and so does resampling; on worker threads neither holds up a request. A worker that
 * crashes or takes too long is replaced, so that one bad file costs one answer and no more.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Verdict } from '../rules/verdict.ts';
import type { ModelName } from '../models/files.ts';
import type { Job, WorkerData, WorkerMessage } from './messages.ts';
import type { Work } from './sessions.ts';

/** Beside this file, with its extension: .ts from source, .js in a bundle (there it is a second entry). */
const WORKER = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);

export interface PoolOptions {
  modelPaths: Record<ModelName, string>;
  /** How many photos are judged at the same time. */
  workers: number;
  /** How many more may wait. */
  queue: number;
  /** Milliseconds one photo may take once a worker has it. */
  deadlineMs: number;
  /** Told when a worker had to be replaced, and why. */
  onWorkerLost: (reason: Error) => void;
}

/** A verdict, and what it took. */
export interface Judged {
  verdict: Verdict;
  work: Work;
  /** Milliseconds until a worker had the photo, and from then to its verdict. */
  waitedMs: number;
  tookMs: number;
}

/** All workers are busy and the queue is full. */
export class PoolFull extends Error {}
/** The photo got no verdict: its worker crashed, took too long or met a fault. */
export class JudgeFailed extends Error {}
/** The pool was closed while the photo waited. */
export class PoolClosed extends Error {}

interface Waiting {
  job: Job;
  /** By performance.now(). */
  since: number;
  settle: (result: Judged | Error) => void;
}

interface Member {
  worker: Worker;
  ready: boolean;
  current?: { waiting: Waiting; since: number; timer: NodeJS.Timeout };
}

/**
 * MiB of a worker's JavaScript heap: what it keeps is small (pictures and models lie outside), so a heap left to V8's
 * defaults grows with what it has not collected yet.
 */
const WORKER_HEAP = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 64 };
/** After a worker was lost while starting, the next one waits this long. */
const RESTART_DELAY_MS = 1_000;

export class JudgePool {
  readonly #options: PoolOptions;
  readonly #members = new Set<Member>();
  #queue: Waiting[] = [];
  #closed = false;
  #wakeReady: (() => void)[] = [];

  constructor(options: PoolOptions) {
    this.#options = options;
    for (let i = 0; i < options.workers; i++) this.#startWorker();
  }

  /** Whether at least one worker has its models loaded. */
  get isReady(): boolean {
    return [...this.#members].some(({ ready }) => ready);
  }

  /** Whether another photo would be refused now. */
  get isFull(): boolean {
    return this.#queue.length >= this.#options.queue && !this.#idle();
  }

  /** Photos that wait for a worker. */
  get waiting(): number {
    return this.#queue.length;
  }

  /** Workers that have a photo. */
  get busy(): number {
    return [...this.#members].filter(({ current }) => current).length;
  }

  /** Workers that have their models loaded, busy or not. */
  get workers(): number {
    return [...this.#members].filter(({ ready }) => ready).length;
  }

  /** Resolves once all workers have their models loaded. */
  async ready(): Promise<void> {
    while (!this.#isWhole() && !this.#closed) {
      await new Promise<void>((resolve) => this.#wakeReady.push(resolve));
    }
  }

  /**
   * Judges one photo. The bytes are handed over when they own their memory, else copied.
   * @param asked what the photo is for, and whether to say what its eyes look like
   * @param signal takes the photo out of the queue when nobody waits for the verdict any more
   * @throws PoolFull, JudgeFailed, PoolClosed, or the signal's reason
   */
  async judge(
    file: Uint8Array<ArrayBuffer>,
    asked: Omit<Job, 'file'>,
    signal?: AbortSignal,
  ): Promise<Judged> {
    if (this.#closed) throw new PoolClosed('The pool is closed');
    if (this.isFull) throw new PoolFull('All workers are busy and the queue is full');
    signal?.throwIfAborted();
    return new Promise((resolve, reject) => {
      const onAbort = (): void => {
        const before = this.#queue.length;
        this.#queue = this.#queue.filter((other) => other !== waiting);
        if (this.#queue.length < before) waiting.settle(signal?.reason as Error);
      };
      const waiting: Waiting = {
        job: { file, ...asked },
        since: performance.now(),
        settle: (result) => {
          signal?.removeEventListener('abort', onAbort);
          if (result instanceof Error) reject(result);
          else resolve(result);
        },
      };
      signal?.addEventListener('abort', onAbort);
      this.#queue.push(waiting);
      this.#dispatch();
    });
  }

  /** Ends all workers; photos that still wait get an error. */
  async close(): Promise<void> {
    this.#closed = true;
    const members = [...this.#members];
    this.#members.clear();
    for (const waiting of this.#queue.splice(0)) waiting.settle(new PoolClosed('The pool is closed'));
    for (const member of members) this.#finish(member, new PoolClosed('The pool is closed'));
    this.#wake();
    await Promise.all(members.map(({ worker }) => worker.terminate()));
  }

  #isWhole(): boolean {
    return this.#members.size === this.#options.workers && [...this.#members].every(({ ready }) => ready);
  }

  #idle(): Member | undefined {
    return [...this.#members].find((member) => member.ready && !member.current);
  }

  #dispatch(): void {
    for (let member = this.#idle(); member && this.#queue.length > 0; member = this.#idle()) {
      const waiting = this.#queue.shift();
      if (!waiting) return;
      this.#give(member, waiting);
    }
  }

  #give(member: Member, waiting: Waiting): void {
    const { deadlineMs } = this.#options;
    const timer = setTimeout(() => {
      this.#replace(member, new JudgeFailed(`A photo took longer than ${deadlineMs} ms`));
    }, deadlineMs);
    member.current = { waiting, since: performance.now(), timer };
    const { file, ...asked } = waiting.job;
    // A small Buffer is a window on memory it shares with others, which must not move to the worker.
    const own = file.byteLength === file.buffer.byteLength ? file : new Uint8Array(file);
    const job: Job = { file: own, ...asked };
    member.worker.postMessage(job, [own.buffer]);
  }

  #startWorker(): void {
    const workerData: WorkerData = { modelPaths: this.#options.modelPaths };
    const worker = new Worker(WORKER, { workerData, resourceLimits: WORKER_HEAP });
    const member: Member = { worker, ready: false };
    this.#members.add(member);
    worker.on('message', (message: WorkerMessage) => this.#hear(member, message));
    worker.on('error', (error) => this.#replace(member, new JudgeFailed(error.message)));
    worker.on('exit', (code) => this.#replace(member, new JudgeFailed(`A worker ended with code ${code}`)));
  }

  #hear(member: Member, message: WorkerMessage): void {
    if (message.kind === 'ready') {
      member.ready = true;
      this.#wake();
    } else {
      this.#finish(member, message.kind === 'verdict' ? message : new JudgeFailed(message.message));
    }
    this.#dispatch();
  }

  #finish(member: Member, result: Pick<Judged, 'verdict' | 'work'> | Error): void {
    const { current } = member;
    if (!current) return;
    delete member.current;
    const { waiting, since, timer } = current;
    clearTimeout(timer);
    if (result instanceof Error) return waiting.settle(result);
    const { verdict, work } = result;
    waiting.settle({
      verdict,
      work,
      waitedMs: since - waiting.since,
      tookMs: performance.now() - since,
    });
  }

  /** Gives up a worker, once, and starts another in its place. */
  #replace(member: Member, reason: Error): void {
    if (!this.#members.delete(member)) return;
    this.#finish(member, reason);
    void member.worker.terminate();
    this.#options.onWorkerLost(reason);
    // A worker that never got ready would fail again at once.
    setTimeout(() => this.#closed || this.#startWorker(), member.ready ? 0 : RESTART_DELAY_MS).unref();
  }

  #wake(): void {
    for (const wake of this.#wakeReady.splice(0)) wake();
  }
}
