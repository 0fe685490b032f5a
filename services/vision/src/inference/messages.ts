import type { DetectType, Verdict } from '../rules/verdict.ts';
import type { ModelName } from '../models/files.ts';
import type { Work } from './sessions.ts';

export interface WorkerData {
  modelPaths: Record<ModelName, string>;
}

/** One photo to judge; the bytes are transferred to the worker. */
export interface Job {
  file: Uint8Array<ArrayBuffer>;
  detectType: DetectType;
  likeness: boolean;
}

/** A worker sends `ready` once, then one message per job. */
export type WorkerMessage =
  { kind: 'ready' } | { kind: 'verdict'; verdict: Verdict; work: Work } | { kind: 'fault'; message: string };
