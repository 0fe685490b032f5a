/**
 * Keeps the converted models in a folder, next to a manifest that tells what they were made from. They
 * are converted again when a source file or the converter changed, or when a file is not what was written.
 */
import { createHash, randomUUID } from 'node:crypto';
import { mkdir, readFile, readdir, rename, writeFile } from 'node:fs/promises';
import { extname, join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { Type, type Static } from 'typebox';
import { Value } from 'typebox/value';
import { CATALOGUE, MODEL_NAMES, type ModelName } from './catalogue.ts';
import { hasCode } from './has-code.ts';
import { readSources, type ModelSources } from './sources.ts';

const Manifest = Type.Object({
  /** SHA-256 over the source files and the converter. */
  key: Type.String(),
  /** Model name → SHA-256 of its file. */
  files: Type.Record(Type.String(), Type.String()),
});
type Manifest = Static<typeof Manifest>;

/** Where the models are kept unless MODELS_DIR says otherwise: the project's own cache. */
export const DEFAULT_MODELS_DIR = fileURLToPath(new URL('../../../../.karaar/cache/models', import.meta.url));

export interface BuiltModels {
  /** Model name → path of its ONNX file. */
  paths: Record<ModelName, string>;
  /** Whether this call converted them, or found them ready. */
  converted: boolean;
}

/**
 * The models in `folder`, converted first when needed. Several processes may do so at once: every file
 * is put in place whole, the manifest last.
 * @throws Error when models are missing and their source packages are not installed
 */
export async function ensureModels(folder = DEFAULT_MODELS_DIR): Promise<BuiltModels> {
  const sources = await readSources();
  const key = sources && (await keyOf(sources));
  const paths = Object.fromEntries(
    MODEL_NAMES.map((name) => [name, pathOf(folder, name)]),
  ) as BuiltModels['paths'];
  if (await isComplete(folder, key)) return { paths, converted: false };
  if (!sources || key === undefined) {
    throw new Error(
      `${folder} holds no complete set of models, and the packages to make them from are missing`,
    );
  }
  await convertAll(folder, sources, key);
  return { paths, converted: true };
}

async function convertAll(folder: string, sources: ModelSources, key: string): Promise<void> {
  await mkdir(folder, { recursive: true });
  const files: Manifest['files'] = {};
  for (const name of MODEL_NAMES) {
    const { source, convert } = CATALOGUE[name];
    const onnx = convert(sources[source]);
    files[name] = sha256(onnx);
    await putInPlace(pathOf(folder, name), onnx);
  }
  await putInPlace(join(folder, 'manifest.json'), `${JSON.stringify({ key, files }, undefined, 2)}\n`);
}

async function putInPlace(path: string, content: Uint8Array | string): Promise<void> {
  const draft = `${path}.${randomUUID()}.part`;
  await writeFile(draft, content);
  await rename(draft, path);
}

/** Whether the folder holds what the key stands for (any key when none is given), byte for byte. */
async function isComplete(folder: string, key: string | undefined): Promise<boolean> {
  const manifest = await readManifest(folder);
  if (!manifest || (key !== undefined && manifest.key !== key)) return false;
  for (const name of MODEL_NAMES) {
    const file = await readIfThere(pathOf(folder, name));
    if (!file || sha256(file) !== manifest.files[name]) return false;
  }
  return true;
}

/** A manifest that cannot be read counts as none: the models are then made again. */
async function readManifest(folder: string): Promise<Manifest | undefined> {
  const text = await readIfThere(join(folder, 'manifest.json'));
  if (!text) return undefined;
  try {
    return Value.Parse(Manifest, JSON.parse(text.toString('utf8')));
  } catch {
    return undefined;
  }
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
  return extname(file) === '.ts' && !file.endsWith('.test.ts');
}

async function readIfThere(path: string): Promise<Buffer | undefined> {
  try {
    return await readFile(path);
  } catch (error) {
    if (hasCode(error, 'ENOENT')) return undefined;
    throw error;
  }
}

function pathOf(folder: string, name: ModelName): string {
  return join(folder, `${name}.onnx`);
}

function sha256(bytes: Uint8Array): string {
  return createHash('sha256').update(bytes).digest('hex');
}
