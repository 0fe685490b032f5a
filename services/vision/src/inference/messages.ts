/** What the pool and its worker threads say to each other. */
import type { DetectType, Verdict } from '../rules/verdict.ts';
import type { ModelName } from '../models/files.ts';
import type { Work } from './sessions.ts';

/** Given to a worker when it starts. */
export interface WorkerData {
  modelPaths: Record<ModelName, string>;
}

/** One photo to judge; the bytes move to the worker. */
export interface Job {
  file: Uint8Array<ArrayBuffer>;
  detectType: DetectType;
  /** Whether to say what the eyes look like. */
  likeness: boolean;
}

/** A worker is ready once, then answers every job once. */
export type WorkerMessage =
  { kind: 'ready' } | { kind: 'verdict'; verdict: Verdict; work: Work } | { kind: 'fault'; message: string };
