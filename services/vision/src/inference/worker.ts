import { parentPort, workerData } from 'node:worker_threads';
import { judgeFile } from './judge.ts';
import type { Job, WorkerData, WorkerMessage } from './messages.ts';
import { loadModels } from './sessions.ts';

const port = parentPort;
if (!port) throw new Error('worker.ts runs only as a worker thread');
const say = (message: WorkerMessage): void => port.postMessage(message);

const models = await loadModels((workerData as WorkerData).modelPaths);

port.on('message', ({ file, ...options }: Job) => {
  judgeFile(file, options, models).then(
    (verdict) => say({ kind: 'verdict', verdict, work: models.takeWork() }),
    (error: unknown) =>
      say({ kind: 'fault', message: error instanceof Error ? error.message : String(error) }),
  );
});
say({ kind: 'ready' });
