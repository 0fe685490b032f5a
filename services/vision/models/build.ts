/**
 * Keeps the converted models in a folder, next to a manifest that tells what they were made from. They
 * are converted again when a source file or the converter changed, or when a file is not what was written.
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
 * The models in `folder`, converted first when needed. Several processes may do so at once: every file
 * is put in place whole, the manifest last.
 * @throws Error when the packages that they are made from are not installed, or not as expected
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

/** Hash of what the models are made from: the source files and every file of the converter. */
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
