/** How the camera is asked for, and what its failures mean (spec §8, §9). */
import type { KeyOf } from '@karaar/i18n';
import type en from './texts/en.json';

/** The text of a camera failure. */
export type CameraFault = KeyOf<typeof en>;

export type Facing = 'user' | 'environment';

/** Milliseconds to wait for the first frames of a stream. */
export const FRAME_WAIT_MS = 1_500;
/** JPEG quality of a photo, except on the camera test page and in the dashboard (0.8). */
export const PHOTO_QUALITY = 0.85;

/** Ideal 1280×720, at least 640×480, the given side. */
export function cameraConstraints(facing: Facing): MediaStreamConstraints {
  return {
    audio: false,
    video: {
      facingMode: facing,
      width: { ideal: 1280, min: 640 },
      height: { ideal: 720, min: 480 },
    },
  };
}

/** What is asked for when the device cannot keep the constraints. */
export const basicConstraints: MediaStreamConstraints = { audio: false, video: true };

type MediaSource = Pick<MediaDevices, 'getUserMedia'>;

/** A camera that gives a stream but no pictures. */
export class NoFramesError extends Error {
  override readonly name = 'NoFramesError';
}

/** A browser, or an insecure page, without camera access. */
export class CameraUnsupportedError extends Error {
  override readonly name = 'CameraUnsupportedError';
}

/**
 * Opens the camera; retries once with basic settings when the device cannot keep the constraints.
 * @throws CameraUnsupportedError, or the browser's own error (see {@link cameraFault})
 */
export async function openCamera(facing: Facing, devices: MediaSource | undefined): Promise<MediaStream> {
  if (typeof devices?.getUserMedia !== 'function') throw new CameraUnsupportedError();
  try {
    return await devices.getUserMedia(cameraConstraints(facing));
  } catch (error) {
    if (errorName(error) !== 'OverconstrainedError' && errorName(error) !== 'ConstraintNotSatisfiedError')
      throw error;
    return devices.getUserMedia(basicConstraints);
  }
}

const errorName = (error: unknown): string => (error instanceof Error ? error.name : '');

const faults: Record<string, CameraFault> = {
  NotAllowedError: 'denied',
  PermissionDeniedError: 'denied',
  SecurityError: 'denied',
  NotFoundError: 'none',
  DevicesNotFoundError: 'none',
  NotReadableError: 'inUse',
  TrackStartError: 'inUse',
  NoFramesError: 'noFrames',
  CameraUnsupportedError: 'unsupported',
};

/** The text for a camera failure (spec §8). */
export function cameraFault(error: unknown): CameraFault {
  return faults[errorName(error)] ?? 'general';
}
