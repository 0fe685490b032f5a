/** Loads and warms up the ONNX models. A run blocks its thread, so use it in a worker thread. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { ModelName } from '../models/files.ts';

export type Outputs = (name: string) => Float32Array;

/** Returns the landmark model's confidence that it sees a face, a logit. */
export const presenceOf = (output: Outputs): number => output('presence')[0] ?? -Infinity;

/** The models for photos, each with the side of its square input. */
const INPUT_SIDES = { short: 128, full: 192, landmark: 192, attention: 192, eye: 64 } as const;
export type PhotoModel = keyof typeof INPUT_SIDES;

export interface Models {
  /**
   * @param rgb interleaved bytes of the model's square inputs, one after the other
   * @param count number of inputs; more than one only for `eye`
   */
  run: (model: PhotoModel, rgb: Uint8Array, count?: number) => Promise<Outputs>;
  takeWork: () => Work;
}

export type Work = Partial<Record<PhotoModel, { runs: number; seconds: number }>>;

/** Loads the models and runs each once, so that the first photo is as fast as the next. */
export async function loadModels(paths: Record<ModelName, string>): Promise<Models> {
  const names = Object.keys(INPUT_SIDES) as PhotoModel[];
  const sessions = new Map<PhotoModel, InferenceSession>();
  for (const name of names) {
    // More threads do not speed up such small models; several workers run in parallel instead.
    const session = await InferenceSession.create(paths[name], {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      logSeverityLevel: 3,
    });
    sessions.set(name, session);
  }
  let work: Work = {};
  const run = async (model: PhotoModel, rgb: Uint8Array, count = 1): Promise<Outputs> => {
    const side = INPUT_SIDES[model];
    const session = sessions.get(model);
    if (!session) throw new Error(`Model ${model} is not loaded`);
    const started = performance.now();
    const outputs = await session.run({ image: new Tensor('uint8', rgb, [count, side, side, 3]) });
    const { runs, seconds } = work[model] ?? { runs: 0, seconds: 0 };
    work[model] = { runs: runs + 1, seconds: seconds + (performance.now() - started) / 1_000 };
    return (name) => {
      const data = outputs[name]?.data;
      if (!(data instanceof Float32Array)) throw new Error(`Model ${model} has no output ${name}`);
      return data;
    };
  };
  for (const name of names) await run(name, new Uint8Array(INPUT_SIDES[name] ** 2 * 3));
  work = {};
  return {
    run,
    takeWork: () => {
      const taken = work;
      work = {};
      return taken;
    },
  };
}
