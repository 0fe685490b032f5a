/** How the camera is asked for, and what its failures mean (spec §8, §9). */
import type { KeyOf } from '@karaar/i18n';
import type en from './texts/en.json';

type Text = KeyOf<typeof en>;

/** What a camera failure is called, and the way out where the name does not say it. */
export type CameraFault = { text: Text; help?: Text };

export type Facing = 'user' | 'environment';

/** Milliseconds to wait for the first frames of a stream. */
export const FRAME_WAIT_MS = 1_500;
/** JPEG quality of a photo, except on the camera test page and in the dashboard (0.8). */
export const PHOTO_QUALITY = 0.85;

/** Which camera: a side of the device, or one of its cameras by its id. */
export type CameraChoice = { facing: Facing; deviceId?: undefined } | { facing: Facing; deviceId: string };

/** Ideal 1280×720, at least 640×480, the given side or device. */
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

/** What is asked for when the device cannot keep the constraints. */
export const basicConstraints: MediaStreamConstraints = { audio: false, video: true };

type MediaSource = Pick<MediaDevices, 'getUserMedia'>;

/** A browser, or an insecure page, without camera access. */
export class CameraUnsupportedError extends Error {
  override readonly name = 'CameraUnsupportedError';
}

/** What browsers say of a camera that some program holds, be it this page a moment ago. */
const BUSY = ['NotReadableError', 'TrackStartError'];
const CANNOT_KEEP = ['OverconstrainedError', 'ConstraintNotSatisfiedError'];
/** A camera that was just let go (retake, other side) is free again within this time on slow devices. */
const FREED_AFTER_MS = 600;

/**
 * Opens the camera; retries once with basic settings when the device cannot keep the constraints, and once a
 * moment later when the camera is held.
 * @param signal ends the wait before a retry; what was opened by then is the caller's to stop
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

/** A camera of the device; its name is known once the camera may be used. */
export type CameraDevice = { id: string; name: string };

/** The device's cameras; none where the browser cannot tell them. */
export async function listCameras(
  devices: Pick<MediaDevices, 'enumerateDevices'> | undefined,
): Promise<CameraDevice[]> {
  if (typeof devices?.enumerateDevices !== 'function') return [];
  // A browser that refuses the list still gives the camera: there is no choice then.
  const all = await devices.enumerateDevices().catch(() => []);
  return all
    .filter(({ kind, deviceId }) => kind === 'videoinput' && deviceId !== '')
    .map(({ deviceId, label }) => ({ id: deviceId, name: label }));
}

/** The camera that runs, as the browser tells it; desktops' cameras are on no side. */
export type OpenedCamera = { id: string | undefined; facing: Facing | undefined };

/** @param track of the stream that is shown */
export function openedCamera(track: Pick<MediaStreamTrack, 'getSettings'>): OpenedCamera {
  const { deviceId, facingMode } = track.getSettings();
  return {
    id: deviceId,
    facing: facingMode === 'user' || facingMode === 'environment' ? facingMode : undefined,
  };
}

/**
 * What Switch asks for: the other side of the device; the next camera of the list where cameras have no sides or the
 * side that was asked for is not there.
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

/** A camera that was pulled out, or taken by another program, while it ran. */
export class CameraLostError extends Error {
  override readonly name = 'CameraLostError';
}

/** A live picture that the browser does not play by itself; the camera is there. */
export class PlaybackError extends Error {
  override readonly name = 'PlaybackError';
}

/** What the browser tells of itself, this page and the device's cameras; undefined where it does not tell. */
export type Surroundings = {
  isSecure: boolean;
  permission: PermissionState | undefined;
  /** False where the page around this one, or a policy, keeps cameras from this page. */
  mayAsk: boolean | undefined;
  /** How many cameras the device has; their names and ids need a permission, their number does not. */
  cameras: number | undefined;
  browser: 'ios' | 'safari' | 'address' | 'other';
};

/** Asks the browser why a camera may have failed. Never rejects. */
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
    // Some browsers know no permission of this name.
    permission: permission.status === 'fulfilled' ? permission.value?.state : undefined,
    mayAsk: featurePolicy?.allowsFeature('camera'),
    cameras:
      cameras.status === 'fulfilled'
        ? cameras.value?.filter(({ kind }) => kind === 'videoinput').length
        : undefined,
    browser: browserOf(navigator),
  };
}

/** `address`: the browsers that have the permissions of a page beside its address. */
function browserOf({ userAgent, maxTouchPoints }: Navigator): Surroundings['browser'] {
  // iPads call themselves a Mac.
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

/** By whom a camera was refused: the person, the device's settings, or the page's surroundings. */
function refusalOf(error: unknown, { mayAsk, permission, browser }: Surroundings): CameraFault {
  if (mayAsk === false) return { text: 'blocked' };
  const bySystem = permission === 'granted' || (error instanceof Error && /by system/i.test(error.message));
  if (bySystem) return { text: 'denied', help: 'allowSystem' };
  return { text: 'denied', help: permission === 'prompt' ? 'allowAsk' : HOW_TO_ALLOW[browser] };
}

const GENERAL: CameraFault = { text: 'general', help: 'restart' };

/** The words for a camera failure (spec §8), and for causes that the specification does not name. */
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
      // Some browsers say so of cameras that the device's settings keep from them.
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
