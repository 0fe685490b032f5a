/** The ONNX models, loaded and warm. A run blocks the thread it is on: use it from a worker thread. */
import { InferenceSession, Tensor } from 'onnxruntime-node';
import type { ModelName } from '../models/catalogue.ts';

/** Named outputs of one run. */
export type Outputs = (name: string) => Float32Array;

/** Models that a photo is shown to, each with the side of its square input. */
const INPUT_SIDES = { short: 128, full: 192, landmark: 192, attention: 192 } as const;
export type PhotoModel = keyof typeof INPUT_SIDES;

export interface Models {
  /** @param rgb interleaved bytes of the model's square input */
  run: (model: PhotoModel, rgb: Uint8Array) => Promise<Outputs>;
}

/** Loads the models and runs each once, so that the first photo is not slower than the next. */
export async function loadModels(paths: Record<ModelName, string>): Promise<Models> {
  const names = Object.keys(INPUT_SIDES) as PhotoModel[];
  const sessions = new Map<PhotoModel, InferenceSession>();
  for (const name of names) {
    // More threads gain nothing on models this small; parallelism comes from several workers.
    const session = await InferenceSession.create(paths[name], {
      intraOpNumThreads: 1,
      interOpNumThreads: 1,
      logSeverityLevel: 3,
    });
    sessions.set(name, session);
  }
  const run = async (model: PhotoModel, rgb: Uint8Array): Promise<Outputs> => {
    const side = INPUT_SIDES[model];
    const session = sessions.get(model);
    if (!session) throw new Error(`Model ${model} is not loaded`);
    const outputs = await session.run({ image: new Tensor('uint8', rgb, [1, side, side, 3]) });
    return (name) => {
      const data = outputs[name]?.data;
      if (!(data instanceof Float32Array)) throw new Error(`Model ${model} has no output ${name}`);
      return data;
    };
  };
  for (const name of names) await run(name, new Uint8Array(INPUT_SIDES[name] ** 2 * 3));
  return { run };
}
