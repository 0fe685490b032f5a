/**
 * Keeps the converted models and a manifest in a folder. Converts them again if a source, the converter or a
 * model file changed.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import {
  DEFAULT_MODELS_DIR,
  MANIFEST,
  MODEL_NAMES,
  pathsIn,
  readComplete,
  sha256,
  type Manifest,
  type ModelPaths,
} from '../src/models/files.ts';
import { CATALOGUE } from './catalogue.ts';
import { readSources, type ModelSources } from './sources.ts';

/**
 * Returns the models in `folder`, converted first if needed. Several processes may do this at once: every
 * file is replaced atomically, the manifest last.
 * @throws Error if MediaPipe's packages are missing or have unexpected files
 */
export async function ensureModels(
  folder = DEFAULT_MODELS_DIR,
): Promise<{ paths: ModelPaths; converted: boolean }> {
  const sources = await readSources();
  const key = await keyOf(sources);
  const paths = pathsIn(folder);
  if ((await readComplete(folder))?.key === key) return { paths, converted: false };
  await mkdir(folder, { recursive: true });
  const files: Manifest['files'] = {};
  for (const name of MODEL_NAMES) {
    const { source, convert } = CATALOGUE[name];
    const onnx = convert(sources[source]);
    files[name] = sha256(onnx);
    await putInPlace(paths[name], onnx);
  }
  await putInPlace(join(folder, MANIFEST), `${JSON.stringify({ key, files }, undefined, 2)}\n`);
  return { paths, converted: true };
}

async function putInPlace(path: string, content: Uint8Array | string): Promise<void> {
  const draft = `${path}.${randomUUID()}.part`;
  await writeFile(draft, content);
  await rename(draft, path);
}

/** Returns a hash of the model sources and of the converter's files. */
async function keyOf(sources: ModelSources): Promise<string> {
  const hash = createHash('sha256');
  for (const [name, bytes] of Object.entries(sources)) hash.update(name).update(bytes);
  const here = import.meta.dirname;
  const converter = (await readdir(here, { recursive: true })).filter(
    (file) => file.endsWith('.ts') && !file.endsWith('.test.ts') && !file.startsWith('testing'),
  );
  for (const file of converter.sort()) hash.update(file).update(await readFile(join(here, file)));
  return hash.digest('hex');
}
