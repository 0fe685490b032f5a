/** A file that Chromium plays as its camera (`--use-fake-device-for-media-stream --use-file-for-fake-video-capture=PATH`). */
import { writeFile } from 'node:fs/promises';
import { faceImage, type FaceImageOptions } from './face-image.ts';

export interface FakeCameraOptions extends Omit<FaceImageOptions, 'format' | 'count'> {
  /** Number of frames in the loop (default 12); Chromium plays 30 per second. */
  frames?: number;
  /** 0 films the empty room (default 1). */
  count?: number;
}

/**
 * Writes a Motion-JPEG file (concatenated frames, no container) of a person who sways a little, 1280×720 by
 * default. Width and height must be even.
 */
export async function fakeCameraMjpeg(path: string, options: FakeCameraOptions = {}): Promise<void> {
  const { frames = 12, width = 1280, height = 720, x = 0.5, y = 0.5, ...look } = options;
  const images: Buffer[] = [];
  for (let i = 0; i < frames; i++) {
    const phase = (2 * Math.PI * i) / frames;
    const sway = { x: x + 0.004 * Math.sin(phase), y: y + 0.003 * Math.cos(phase) };
    images.push(await faceImage({ ...look, width, height, ...sway, format: 'jpeg' }));
  }
  await writeFile(path, Buffer.concat(images));
}
