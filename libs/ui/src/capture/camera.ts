/** Requests the camera, and explains its failures (spec §8, §9). */
import type { KeyOf } from '@karaar/i18n';
import type en from './texts/en.json';

type Text = KeyOf<typeof en>;

/** The text of a camera failure, and a help text if the failure alone does not suggest one. */
export type CameraFault = { text: Text; help?: Text };

export type Facing = 'user' | 'environment';

/** Milliseconds to wait for the first frames of a stream. */
export const FRAME_WAIT_MS = 1_500;
/** JPEG quality of a photo, except on the camera test page and in the dashboard (0.8). */
export const PHOTO_QUALITY = 0.85;

/** A side of the device, or one of its cameras by its id. */
export type CameraChoice = { facing: Facing; deviceId?: undefined } | { facing: Facing; deviceId: string };

/** Returns ideal 1280×720, at least 640×480, for the given side or device. */
export function cameraConstraints({ facing, deviceId }: CameraChoice): MediaStreamConstraints {
  return {
    audio: false,
    video: {
      ...(deviceId === undefined ? { facingMode: facing } : { deviceId: { exact: deviceId } }),
      width: { ideal: 1280, min: 640 },
      height: { ideal: 720, min: 480 },
    },
  };
}

/** Used if the device cannot meet the constraints. */
export const basicConstraints: MediaStreamConstraints = { audio: false, video: true };

type MediaSource = Pick<MediaDevices, 'getUserMedia'>;

/** The browser does not support cameras, or the page is not secure. */
export class CameraUnsupportedError extends Error {
  override readonly name = 'CameraUnsupportedError';
}

/** Error names for a busy camera, which this page may have held a moment ago. */
const BUSY = ['NotReadableError', 'TrackStartError'];
const CANNOT_KEEP = ['OverconstrainedError', 'ConstraintNotSatisfiedError'];
/** Milliseconds after which slow devices have released a camera (retake, other side). */
const FREED_AFTER_MS = 600;

/**
 * Opens the camera; retries once with basic settings if the device cannot meet the constraints, and once
 * after a delay if the camera is busy.
 * @param signal ends the wait before a retry; the caller stops a stream that is open by then
 * @throws CameraUnsupportedError, or the browser's own error (see {@link cameraFault})
 */
export async function openCamera(
  choice: CameraChoice,
  devices: MediaSource | undefined,
  signal?: AbortSignal,
): Promise<MediaStream> {
  if (typeof devices?.getUserMedia !== 'function') throw new CameraUnsupportedError();
  const open = async () => {
    try {
      return await devices.getUserMedia(cameraConstraints(choice));
    } catch (error) {
      if (!CANNOT_KEEP.includes(errorName(error))) throw error;
      return devices.getUserMedia(basicConstraints);
    }
  };
  try {
    return await open();
  } catch (error) {
    if (!BUSY.includes(errorName(error))) throw error;
    await new Promise((resolve) => setTimeout(resolve, FREED_AFTER_MS));
    if (signal?.aborted) throw error;
    return open();
  }
}

/** A camera of the device; its name needs the permission. */
export type CameraDevice = { id: string; name: string };

/** Returns the device's cameras; empty if the browser does not list them. */
export async function listCameras(
  devices: Pick<MediaDevices, 'enumerateDevices'> | undefined,
): Promise<CameraDevice[]> {
  if (typeof devices?.enumerateDevices !== 'function') return [];
  // A browser that refuses the list can still open the camera, without a choice.
  const all = await devices.enumerateDevices().catch(() => []);
  return all
    .filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== '')
    .map(({ deviceId, label }) => ({ id: deviceId, name: label }));
}

/** The active camera as the browser reports it; desktop cameras have no side. */
export type OpenedCamera = { id: string | undefined; facing: Facing | undefined };

/** @param track of the displayed stream */
export function openedCamera(track: Pick<MediaStreamTrack, 'getSettings'>): OpenedCamera {
  const { deviceId, facingMode } = track.getSettings();
  return {
    id: deviceId,
    facing: facingMode === 'user' || facingMode === 'environment' ? facingMode : undefined,
  };
}

/**
 * Returns the request of Switch: the other side of the device; the next camera of the list if cameras have no
 * sides or the requested side is missing.
 */
export function switched(
  asked: CameraChoice,
  opened: OpenedCamera | null,
  cameras: readonly CameraDevice[],
): CameraChoice {
  const facing = opened?.facing;
  const sided = facing !== undefined && (asked.deviceId !== undefined || facing === asked.facing);
  const next = cameras[(cameras.findIndex(({ id }) => id === opened?.id) + 1) % cameras.length];
  if (opened && !sided && next && next.id !== opened.id) return { facing: asked.facing, deviceId: next.id };
  return { facing: (facing ?? asked.facing) === 'user' ? 'environment' : 'user' };
}

/** The active camera was unplugged, or another program took it. */
export class CameraLostError extends Error {
  override readonly name = 'CameraLostError';
}

/** The browser does not play the live picture automatically; the camera works. */
export class PlaybackError extends Error {
  override readonly name = 'PlaybackError';
}

/** The browser's information about itself, this page and the cameras; undefined if it does not report it. */
export type Surroundings = {
  isSecure: boolean;
  permission: PermissionState | undefined;
  /** False if a policy or the embedding page forbids cameras. */
  mayAsk: boolean | undefined;
  /** The number of cameras; unlike their names and ids, it needs no permission. */
  cameras: number | undefined;
  browser: 'ios' | 'safari' | 'address' | 'other';
};

/** Collects the reasons why a camera may have failed. Never rejects. */
export async function lookAround({
  isSecureContext,
  navigator,
  document,
}: Pick<Window, 'isSecureContext' | 'navigator' | 'document'>): Promise<Surroundings> {
  const { mediaDevices, permissions } = navigator as Partial<Navigator>;
  const [permission, cameras] = await Promise.allSettled([
    (async () => permissions?.query({ name: 'camera' }))(),
    (async () => mediaDevices?.enumerateDevices())(),
  ]);
  const { featurePolicy } = document as { featurePolicy?: { allowsFeature: (name: string) => boolean } };
  return {
    isSecure: isSecureContext,
    // Some browsers do not know this permission.
    permission: permission.status === 'fulfilled' ? permission.value?.state : undefined,
    mayAsk: featurePolicy?.allowsFeature('camera'),
    cameras:
      cameras.status === 'fulfilled'
        ? cameras.value?.filter(({ kind }) => kind === 'videoinput').length
        : undefined,
    browser: browserOf(navigator),
  };
}

/** `address`: browsers that show a page's permissions in the address bar. */
function browserOf({ userAgent, maxTouchPoints }: Navigator): Surroundings['browser'] {
  // iPads identify as a Mac.
  if (/iPhone|iPad|iPod/.test(userAgent) || (/Macintosh/.test(userAgent) && maxTouchPoints > 1)) return 'ios';
  if (/Firefox\/|Chrome\//.test(userAgent)) return 'address';
  return /Safari\//.test(userAgent) ? 'safari' : 'other';
}

const errorName = (error: unknown): string => (error instanceof Error ? error.name : '');

const HOW_TO_ALLOW = {
  ios: 'allowIphone',
  safari: 'allowSafari',
  address: 'allowAddress',
  other: 'allowOther',
} as const;

/** Returns the text for a refusal by the user, by the device's settings, or by the embedding page. */
function refusalOf(error: unknown, { mayAsk, permission, browser }: Surroundings): CameraFault {
  if (mayAsk === false) return { text: 'blocked' };
  const bySystem = permission === 'granted' || (error instanceof Error && /by system/i.test(error.message));
  if (bySystem) return { text: 'denied', help: 'allowSystem' };
  return { text: 'denied', help: permission === 'prompt' ? 'allowAsk' : HOW_TO_ALLOW[browser] };
}

const GENERAL: CameraFault = { text: 'general', help: 'restart' };

/** Returns the texts for a camera failure (spec §8), and for causes that the specification does not name. */
export function cameraFault(error: unknown, around: Surroundings): CameraFault {
  switch (errorName(error)) {
    case 'NotAllowedError':
    case 'PermissionDeniedError':
      return refusalOf(error, around);
    case 'SecurityError':
      return { text: around.isSecure ? 'blocked' : 'insecure' };
    case 'CameraUnsupportedError':
      return around.isSecure ? { text: 'unsupported', help: 'otherBrowser' } : { text: 'insecure' };
    case 'NotFoundError':
    case 'DevicesNotFoundError':
      // Some browsers report cameras blocked by the device's settings as missing.
      return around.cameras ? { text: 'general', help: 'allowSystem' } : { text: 'none' };
    case 'NotReadableError':
    case 'TrackStartError':
      return { text: 'inUse', help: 'restart' };
    case 'CameraLostError':
      if (around.cameras === 0) return { text: 'none' };
      return around.permission === 'denied' ? refusalOf(error, around) : { text: 'stopped' };
    case 'PlaybackError':
      return { text: 'notPlaying' };
    default:
      return GENERAL;
  }
}
