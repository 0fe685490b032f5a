/**
 * The models as files: ONNX, made by `tools/models`, in a folder with a manifest that says what each must be. This
 * service finds and checks them; it makes none.
 */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { hasCode } from './has-code.ts';

/** Each is a file of this name with `.onnx`. What they are: docs/vision.md. */
export const MODEL_NAMES = ['short', 'full', 'landmark', 'attention', 'eye'] as const;
export type ModelName = (typeof MODEL_NAMES)[number];
export type ModelPaths = Record<ModelName, string>;

export const MANIFEST = 'manifest.json';
export const Manifest = Type.Object({
  /** SHA-256 over what the models were made from: the source files and the converter. */
  key: Type.String(),
  /** Model name → SHA-256 of its file. */
  files: Type.Record(Type.String(), Type.String()),
});
export type Manifest = Static<typeof Manifest>;

/** Where the models are kept unless MODELS_DIR says otherwise: the project's own cache. */
export const DEFAULT_MODELS_DIR = fileURLToPath(new URL('../../../../.karaar/cache/models', import.meta.url));

/** Where each model is in `folder`, whether it is there or not. */
export const pathsIn = (folder: string): ModelPaths =>
  Object.fromEntries(MODEL_NAMES.map((name) => [name, join(folder, `${name}.onnx`)])) as ModelPaths;

/**
 * The models in `folder`.
 * @throws Error when one is missing or is not, byte for byte, what the manifest says
 */
export async function findModels(folder = DEFAULT_MODELS_DIR): Promise<ModelPaths> {
  if (!(await readComplete(folder)))
    throw new Error(`${folder} holds no complete set of models; \`npm run models\` makes one`);
  return pathsIn(folder);
}

/** The manifest of a folder that holds all models, byte for byte; else nothing. */
export async function readComplete(folder: string): Promise<Manifest | undefined> {
  const manifest = await readManifest(folder);
  if (!manifest) return undefined;
  for (const [name, path] of Object.entries(pathsIn(folder))) {
    const file = await readIfThere(path);
    if (!file || sha256(file) !== manifest.files[name]) return undefined;
  }
  return manifest;
}

/** A manifest that cannot be read counts as none. */
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
