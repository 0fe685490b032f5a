/**
 * Keeps the converted models in a folder, next to a manifest that tells what they were made from. They
 * are converted again when a source file or the converter changed, or when a file is not what was written.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import {
  DEFAULT_MODELS_DIR,
  MANIFEST,
  MODEL_NAMES,
  pathsIn,
  readComplete,
  sha256,
  type Manifest,
  type ModelPaths,
} from '@karaar/service-vision/models/files';
import { CATALOGUE } from './catalogue.ts';
import { readSources, type ModelSources } from './sources.ts';

export interface BuiltModels {
  /** Model name → path of its ONNX file. */
  paths: ModelPaths;
  /** Whether this call converted them, or found them ready. */
  converted: boolean;
}

/**
 * The models in `folder`, converted first when needed. Several processes may do so at once: every file
 * is put in place whole, the manifest last.
 * @throws Error when the packages that they are made from are not installed, or not as expected
 */
export async function ensureModels(folder = DEFAULT_MODELS_DIR): Promise<BuiltModels> {
  const sources = await readSources();
  const key = await keyOf(sources);
  const paths = pathsIn(folder);
  if ((await readComplete(folder))?.key === key) return { paths, converted: false };
  await convertAll(folder, sources, key);
  return { paths, converted: true };
}

async function convertAll(folder: string, sources: ModelSources, key: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const files: Manifest['files'] = {};
  const paths = pathsIn(folder);
  for (const name of MODEL_NAMES) {
    const { source, convert } = CATALOGUE[name];
    const onnx = convert(sources[source]);
    files[name] = sha256(onnx);
    await putInPlace(paths[name], onnx);
  }
  await putInPlace(join(folder, MANIFEST), `${JSON.stringify({ key, files }, undefined, 2)}\n`);
}

async function putInPlace(path: string, content: Uint8Array | string): Promise<void> {
  const draft = `${path}.${randomUUID()}.part`;
  await writeFile(draft, content);
  await rename(draft, path);
}

/** Hash of what the models are made from: the source files and every file of the converter. */
async function keyOf(sources: ModelSources): Promise<string> {
  const hash = createHash('sha256');
  for (const [name, bytes] of Object.entries(sources)) hash.update(name).update(bytes);
  const here = fileURLToPath(new URL('.', import.meta.url));
  const converter = (await readdir(here, { recursive: true })).filter(isConverterFile).sort();
  for (const file of converter) hash.update(file).update(await readFile(join(here, file)));
  return hash.digest('hex');
}

function isConverterFile(file: string): boolean {
  return extname(file) === '.ts' && !file.endsWith('.test.ts') && !file.startsWith('testing');
}
