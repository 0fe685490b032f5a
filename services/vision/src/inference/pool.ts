/**
 * Worker threads that judge photos. Inference with onnxruntime-node and resampling both block their thread,
 * so they run in workers. A worker that crashes or takes too long is replaced, so that a bad file costs only
 * its own answer.
 */
import { extname } from 'node:path';
import { Worker } from 'node:worker_threads';
import type { Verdict } from '../rules/verdict.ts';
import type { ModelName } from '../models/files.ts';
import type { Job, WorkerData, WorkerMessage } from './messages.ts';
import type { Work } from './sessions.ts';

/** Has the extension of this file: .ts from source, .js in a bundle (where the worker is a second entry). */
const WORKER = new URL(`./worker${extname(import.meta.url)}`, import.meta.url);

export interface PoolOptions {
  modelPaths: Record<ModelName, string>;
  workers: number;
  queue: number;
  /** Milliseconds that a worker may take for one photo. */
  deadlineMs: number;
  onWorkerLost: (reason: Error) => void;
}

export interface Judged {
  verdict: Verdict;
  work: Work;
  /** Milliseconds in the queue; `tookMs` is the time in the worker. */
  waitedMs: number;
  tookMs: number;
}

export class PoolFull extends Error {}
/** The photo got no verdict: its worker crashed, took too long or reported an error. */
export class JudgeFailed extends Error {}
export class PoolClosed extends Error {}

interface Waiting {
  job: Job;
  since: number;
  settle: (result: Judged | Error) => void;
}

interface Member {
  worker: Worker;
  ready: boolean;
  current?: { waiting: Waiting; since: number; timer: NodeJS.Timeout };
}

/**
 * MiB of a worker's JavaScript heap. Pictures and models are outside the heap; without a limit V8 would let
 * it grow with garbage.
 */
const WORKER_HEAP = { maxYoungGenerationSizeMb: 6, maxOldGenerationSizeMb: 64 };
/** Wait before a replacement for a worker that failed during its start. */
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

  get isReady(): boolean {
    return [...this.#members].some(({ ready }) => ready);
  }

  get isFull(): boolean {
    return this.#queue.length >= this.#options.queue && !this.#idle();
  }

  get waiting(): number {
    return this.#queue.length;
  }

  get busy(): number {
    return [...this.#members].filter(({ current }) => current).length;
  }

  get workers(): number {
    return [...this.#members].filter(({ ready }) => ready).length;
  }

  /** Resolves once all workers have loaded their models. */
  async ready(): Promise<void> {
    while (!this.#isWhole() && !this.#closed) {
      await new Promise<void>((resolve) => this.#wakeReady.push(resolve));
    }
  }

  /**
   * Judges one photo. A file that owns its memory is transferred to the worker, otherwise copied.
   * @param signal removes the photo from the queue when the caller disconnects
   * @throws PoolFull, JudgeFailed, PoolClosed, or the signal's reason
   */
  async judge(
    file: Uint8Array<ArrayBuffer>,
    options: Omit<Job, 'file'>,
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
        job: { file, ...options },
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

  /** Ends all workers; waiting photos get an error. */
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
    const { file, ...options } = waiting.job;
    // A small Buffer is a view of shared memory, which must not be transferred.
    const own = file.byteLength === file.buffer.byteLength ? file : new Uint8Array(file);
    const job: Job = { file: own, ...options };
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

  #replace(member: Member, reason: Error): void {
    if (!this.#members.delete(member)) return;
    this.#finish(member, reason);
    void member.worker.terminate();
    this.#options.onWorkerLost(reason);
    // A worker that failed during its start would probably fail again at once.
    setTimeout(() => this.#closed || this.#startWorker(), member.ready ? 0 : RESTART_DELAY_MS).unref();
  }

  #wake(): void {
    for (const wake of this.#wakeReady.splice(0)) wake();
  }
}
