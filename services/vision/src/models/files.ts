/**
 * The model files: ONNX, made by `services/vision/models`, in a folder with a manifest of checksums. This service only
 * finds and checks them.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { hasCode } from './has-code.ts';

/** The file names without `.onnx`. docs/vision.md describes the models. */
export const MODEL_NAMES = ['short', 'full', 'landmark', 'attention', 'eye'] as const;
export type ModelName = (typeof MODEL_NAMES)[number];
export type ModelPaths = Record<ModelName, string>;

export const MANIFEST = 'manifest.json';
export const Manifest = Type.Object({
  /** SHA-256 of the model sources and the converter. */
  key: Type.String(),
  files: Type.Record(Type.String(), Type.String()),
});
export type Manifest = Static<typeof Manifest>;

export const DEFAULT_MODELS_DIR = fileURLToPath(new URL('../../../../.karaar/cache/models', import.meta.url));

/** Returns the path of each model in `folder`, even if it does not exist. */
export const pathsIn = (folder: string): ModelPaths =>
  Object.fromEntries(MODEL_NAMES.map((name) => [name, join(folder, `${name}.onnx`)])) as ModelPaths;

/**
 * Returns the paths of the models in `folder`.
 * @throws Error when a model is missing or differs from the manifest
 */
export async function findModels(folder = DEFAULT_MODELS_DIR): Promise<ModelPaths> {
  if (!(await readComplete(folder)))
    throw new Error(`${folder} holds no complete set of models; \`npm run models\` makes one`);
  return pathsIn(folder);
}

/** Returns the manifest if the folder holds all models with the right checksums; otherwise undefined. */
export async function readComplete(folder: string): Promise<Manifest | undefined> {
  const manifest = await readManifest(folder);
  if (!manifest) return undefined;
  for (const [name, path] of Object.entries(pathsIn(folder))) {
    const file = await readIfThere(path);
    if (!file || sha256(file) !== manifest.files[name]) return undefined;
  }
  return manifest;
}

async function readManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readIfThere(join(folder, MANIFEST));
  if (!text) return undefined;
  try {
    return Value.Parse(Manifest, JSON.parse(text.toString('utf8')));
  } catch {
    return undefined;
  }
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

export function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
