/** Google's TFLite runtime in WebAssembly, as the reference. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';

interface TensorInfo {
  name: string;
  data: () => Float32Array;
}
interface TensorList {
  size: () => number;
  get: (index: number) => TensorInfo;
}
interface Runner {
  GetInputs: () => TensorList;
  GetOutputs: () => TensorList;
  Infer: () => boolean;
}
interface RuntimeModule {
  _malloc: (bytes: number) => number;
  HEAPU8: Uint8Array;
  TFLiteWebModelRunner: {
    CreateFromBufferAndOptions: (
      pointer: number,
      size: number,
      options: { numThreads: number; enableProfiling: boolean; maxProfilingBufferEntries: number },
    ) => { ok: () => boolean; errorMessage: () => string; value: () => Runner };
  };
}
type RuntimeFactory = (settings: { wasmBinary: Uint8Array }) => Promise<RuntimeModule>;

const RUNTIME = '@tensorflow/tfjs-tflite/wasm/tflite_web_api_cc_simd';

/** Loads a model. The returned function runs it on one input and returns copies of its outputs. */
export async function loadTflite(model: Uint8Array): Promise<(input: Float32Array) => Float32Array[]> {
  // The package's entry needs a browser; the runtime itself does not if it gets its WebAssembly.
  const require = createRequire(import.meta.url);
  const factory = require(`${RUNTIME}.js`) as RuntimeFactory;
  const runtime = await factory({ wasmBinary: await readFile(require.resolve(`${RUNTIME}.wasm`)) });
  const pointer = runtime._malloc(model.length);
  runtime.HEAPU8.set(model, pointer);
  const created = runtime.TFLiteWebModelRunner.CreateFromBufferAndOptions(pointer, model.length, {
    numThreads: 1,
    enableProfiling: false,
    maxProfilingBufferEntries: 0,
  });
  if (!created.ok()) throw new Error(created.errorMessage());
  const runner = created.value();
  return (input) => {
    runner.GetInputs().get(0).data().set(input);
    if (!runner.Infer()) throw new Error('TFLite did not run the model');
    const outputs = runner.GetOutputs();
    return Array.from({ length: outputs.size() }, (_, i) => Float32Array.from(outputs.get(i).data()));
  };
}
