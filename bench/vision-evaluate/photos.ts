/** The photos of an evaluation: folders by what they show, any depth below. */
import { open, readdir } from 'node:fs/promises';
import { join } from 'node:path';

export type DetectType = 'faces' | 'eyes';

/** One folder and what has to come out of it. */
export interface PhotoClass {
  name: string;
  /** Folder below the evaluation's. */
  folder: string;
  type: DetectType;
  /** What part of it, in per cent, may or must be accepted. */
  accepted: { atLeast: number } | { atMost: number } | undefined;
}

/** The goals of the product; a close-up's opposite is told without one. */
export const CLASSES: readonly PhotoClass[] = [
  { name: 'faces', folder: 'faces', type: 'faces', accepted: { atLeast: 96 } },
  { name: 'no-faces', folder: 'no-faces', type: 'faces', accepted: { atMost: 1 } },
  { name: 'eyes-open', folder: 'eyes-open', type: 'eyes', accepted: { atLeast: 97 } },
  { name: 'eyes-closed', folder: 'eyes-closed', type: 'eyes', accepted: { atMost: 1 } },
  { name: 'no-eyes', folder: 'no-eyes', type: 'eyes', accepted: { atMost: 1 } },
  { name: 'no-faces, asked for eyes', folder: 'no-faces', type: 'eyes', accepted: undefined },
];

/** The folder in `faces` that holds ordinary portraits, and what part of it must be accepted, in per cent. */
export const ORDINARY = 'ordinary';
export const ORDINARY_ACCEPTED = { atLeast: 99 };

/** First bytes of the formats that people take for pictures; what is something else is left out. */
const SIGNATURES = [
  /^ffd8ff/,
  /^89504e47/,
  /^52494646.{8}57454250/,
  /^47494638/,
  /^424d/,
  /^(49492a00|4d4d002a)/,
  /^.{8}66747970/,
];

/** Paths of the pictures below a folder, sorted; nothing when the folder is not there. */
export async function picturesIn(folder: string): Promise<string[]> {
  const entries = await readdir(folder, { recursive: true, withFileTypes: true }).catch(() => []);
  const files = entries.filter((entry) => entry.isFile()).map((entry) => join(entry.parentPath, entry.name));
  const pictures: string[] = [];
  for (const file of files.sort()) if (await isPicture(file)) pictures.push(file);
  return pictures;
}

async function isPicture(path: string): Promise<boolean> {
  const file = await open(path);
  try {
    const { buffer, bytesRead } = await file.read(Buffer.alloc(16), 0, 16, 0);
    const start = buffer.toString('hex', 0, bytesRead);
    return SIGNATURES.some((signature) => signature.test(start));
  } finally {
    await file.close();
  }
}
