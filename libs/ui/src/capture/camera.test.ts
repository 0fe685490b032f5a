import { jest } from '@jest/globals';
import {
  cameraConstraints,
  cameraFault,
  CameraLostError,
  FRAME_WAIT_MS,
  listCameras,
  NoFramesError,
  openCamera,
  openedCamera,
  PHOTO_QUALITY,
  switched,
  type Facing,
} from './camera.ts';
import { captureTexts } from './texts.ts';

beforeAll(() => captureTexts.load());

/** What a visitor reads. */
const cameraErrorText = (error: unknown) => captureTexts.say(cameraFault(error));

const front = { facing: 'user' } as const;
const named = (name: string) => Object.assign(new Error('x'), { name });
const stream = {} as MediaStream;
const devices = (getUserMedia: (constraints?: MediaStreamConstraints) => Promise<MediaStream>) => ({
  getUserMedia: jest.fn(getUserMedia),
});

describe('the camera', () => {
  it('[CAPTURE-027] [CAPTURE-028] [CAPTURE-029] is asked for 1280x720, at least 640x480, front-facing', async () => {
    const source = devices(async () => stream);
    await expect(openCamera(front, source)).resolves.toBe(stream);
    expect(source.getUserMedia).toHaveBeenCalledWith({
      audio: false,
      video: { facingMode: 'user', width: { ideal: 1280, min: 640 }, height: { ideal: 720, min: 480 } },
    });
    expect(cameraConstraints({ facing: 'environment' }).video).toMatchObject({ facingMode: 'environment' });
  });

  it('[CAPTURE-030] [CAPTURE-031] waits 1.5 s for frames and takes photos at quality 0.85', () => {
    expect([FRAME_WAIT_MS, PHOTO_QUALITY]).toEqual([1_500, 0.85]);
  });

  it('[ERROR-054] retries with basic settings when the constraints cannot be kept', async () => {
    const source = devices(async (constraints) => {
      if (typeof constraints?.video === 'object') throw named('OverconstrainedError');
      return stream;
    });
    await expect(openCamera(front, source)).resolves.toBe(stream);
    expect(source.getUserMedia.mock.calls[1]).toEqual([{ audio: false, video: true }]);
  });

  it('is asked for by its id when one of several was chosen', () => {
    expect(cameraConstraints({ facing: 'user', deviceId: 'usb-2' }).video).toEqual({
      deviceId: { exact: 'usb-2' },
      width: { ideal: 1280, min: 640 },
      height: { ideal: 720, min: 480 },
    });
  });

  it('is one of those that the device lists, microphones and nameless ones left out', async () => {
    const device = (kind: MediaDeviceKind, deviceId: string, label: string) =>
      ({ kind, deviceId, label }) as MediaDeviceInfo;
    const enumerateDevices = async () => [
      device('videoinput', 'a', 'Front'),
      device('audioinput', 'm', 'Mic'),
      device('videoinput', '', ''),
    ];
    expect(await listCameras({ enumerateDevices })).toEqual([{ id: 'a', name: 'Front' }]);
    expect(await listCameras(undefined)).toEqual([]);
  });

  it('is switched to the other side, from wherever the one that runs is', () => {
    const cameras = ['a', 'b', 'c'].map((id) => ({ id, name: '' }));
    const on = (facing: Facing) => ({ id: 'a', facing });
    expect(switched(front, on('user'), cameras)).toEqual({ facing: 'environment' });
    expect(switched({ facing: 'environment' }, on('environment'), cameras)).toEqual(front);
    // Chosen from the list: its own side counts, not the one that was asked for before.
    expect(switched({ ...front, deviceId: 'a' }, on('environment'), cameras)).toEqual(front);
    expect(switched(front, null, [])).toEqual({ facing: 'environment' });
  });

  it('is switched to the next one where cameras have no side, or not the one that was asked for', () => {
    const cameras = ['a', 'b'].map((id) => ({ id, name: '' }));
    const plain = (id: string) => openedCamera({ getSettings: () => ({ deviceId: id }) });
    expect(switched(front, plain('a'), cameras)).toEqual({ facing: 'user', deviceId: 'b' });
    expect(switched({ ...front, deviceId: 'b' }, plain('b'), cameras)).toEqual({
      facing: 'user',
      deviceId: 'a',
    });
    const still = openedCamera({ getSettings: () => ({ deviceId: 'a', facingMode: 'user' }) });
    expect(switched({ facing: 'environment' }, still, cameras)).toEqual({
      facing: 'environment',
      deviceId: 'b',
    });
    expect(switched(front, plain('a'), cameras.slice(0, 1))).toEqual({ facing: 'environment' });
  });

  it('that ends while open counts as none when no other is left, else as a failure', () => {
    expect(cameraFault(new CameraLostError(0))).toBe('none');
    expect(cameraFault(new CameraLostError(1))).toBe('general');
  });

  it('is asked for once more when it is held, since it may be ours that is just being let go', async () => {
    const held = [named('NotReadableError')];
    const source = devices(async () => {
      const error = held.pop();
      if (error) throw error;
      return stream;
    });
    await expect(openCamera(front, source)).resolves.toBe(stream);
    const taken = devices(async () => {
      throw named('NotReadableError');
    });
    await expect(openCamera(front, taken)).rejects.toMatchObject({ name: 'NotReadableError' });
    expect(taken.getUserMedia).toHaveBeenCalledTimes(2);
    const leaving = devices(async () => {
      throw named('TrackStartError');
    });
    await expect(openCamera(front, leaving, AbortSignal.abort())).rejects.toMatchObject({
      name: 'TrackStartError',
    });
    expect(leaving.getUserMedia).toHaveBeenCalledTimes(1);
  });

  it('does not ask twice when the user said no', async () => {
    const source = devices(async () => {
      throw named('NotAllowedError');
    });
    await expect(openCamera(front, source)).rejects.toMatchObject({ name: 'NotAllowedError' });
    expect(source.getUserMedia).toHaveBeenCalledTimes(1);
  });
});

describe('cameraErrorText', () => {
  it('[ERROR-051] denied', () => {
    expect(cameraErrorText(named('NotAllowedError'))).toBe(
      'Camera access denied. Please allow camera permissions and try again.',
    );
  });

  it('[ERROR-052] no camera', () => {
    expect(cameraErrorText(named('NotFoundError'))).toBe(
      'No camera found on your device. Please connect a camera and try again.',
    );
  });

  it('[ERROR-053] in use', () => {
    expect(cameraErrorText(named('NotReadableError'))).toBe(
      'Camera is already in use by another application. Please close other camera apps and try again.',
    );
  });

  it('[ERROR-055] no frames', () => {
    expect(cameraErrorText(new NoFramesError())).toBe(
      'Camera stream is active but no frames received. Try switching camera or upload from device.',
    );
  });

  it('[ERROR-056] no camera access in this browser', async () => {
    const error: unknown = await openCamera(front, undefined).catch((reason: unknown) => reason);
    expect(cameraErrorText(error)).toBe('Camera access not supported in this browser');
  });

  it('[ERROR-057] anything else', () => {
    const general =
      'Failed to access camera. Please ensure camera permissions are granted and camera is not being used by another application.';
    for (const error of [named('AbortError'), new Error('x'), 'x', null])
      expect(cameraErrorText(error)).toBe(general);
  });
});
