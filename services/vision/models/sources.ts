/** Reads the TFLite models from MediaPipe's npm packages. */
import { readFile } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join } from 'node:path';
import { Type } from 'typebox';
import { Value } from 'typebox/value';

/** The face mesh package has its models in one file; its loader script lists their positions. */
const PACKED_DATA = 'face_mesh_solution_packed_assets.data';
const PACKED_LOADER = 'face_mesh_solution_packed_assets_loader.js';
const PackedIndex = Type.Object({
  files: Type.Array(Type.Object({ filename: Type.String(), start: Type.Integer(), end: Type.Integer() })),
});

/** The TFLite models; all are Apache-2.0. */
export type ModelSources = Record<'shortRange' | 'fullRange' | 'landmark' | 'attention', Uint8Array>;

/** Reads all models. @throws Error if a package is missing or its files are not as expected */
export async function readSources(): Promise<ModelSources> {
  const detection = packageFolder('@mediapipe/face_detection');
  const unpack = await openPackedAssets(packageFolder('@mediapipe/face_mesh'));
  return {
    shortRange: await readFile(join(detection, 'face_detection_short_range.tflite')),
    fullRange: await readFile(join(detection, 'face_detection_full_range.tflite')),
    landmark: unpack('face_landmark.tflite'),
    attention: unpack('face_landmark_with_attention.tflite'),
  };
}

const packageFolder = (name: string): string =>
  dirname(createRequire(import.meta.url).resolve(`${name}/package.json`));

async function openPackedAssets(folder: string): Promise<(file: string) => Uint8Array> {
  const data = await readFile(join(folder, PACKED_DATA));
  const index = parsePackedIndex(await readFile(join(folder, PACKED_LOADER), 'utf8'));
  return (file) => {
    const entry = index.find(({ filename }) => filename.endsWith(`/${file}`));
    if (!entry) throw new Error(`${PACKED_DATA} does not hold ${file}`);
    return data.subarray(entry.start, entry.end);
  };
}

/** Returns the files in the argument of the loader script's `loadPackage({...})`. */
export function parsePackedIndex(loader: string): { filename: string; start: number; end: number }[] {
  const json = /loadPackage\((\{.*?\})\);/s.exec(loader)?.[1];
  if (json === undefined) throw new Error(`${PACKED_LOADER} has no list of files`);
  return Value.Parse(PackedIndex, JSON.parse(json)).files;
}
