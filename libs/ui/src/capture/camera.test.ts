import { jest } from '@jest/globals';
import {
  cameraConstraints,
  cameraFault,
  CameraLostError,
  FRAME_WAIT_MS,
  listCameras,
  lookAround,
  openCamera,
  openedCamera,
  PHOTO_QUALITY,
  PlaybackError,
  switched,
  type Facing,
  type Surroundings,
} from './camera.ts';
import { captureTexts } from './texts.ts';

beforeAll(() => captureTexts.load());

/** A current desktop browser that has not asked for permission yet. */
const usual: Surroundings = {
  isSecure: true,
  permission: 'prompt',
  mayAsk: true,
  cameras: 1,
  browser: 'address',
};
/** Returns the texts for the visitor: the failure, and the help if there is one. */
function wordsFor(error: unknown, around: Partial<Surroundings> = {}): (string | undefined)[] {
  const { text, help } = cameraFault(error, { ...usual, ...around });
  return [captureTexts.say(text), help && captureTexts.say(help)];
}
const cameraErrorText = (error: unknown, around: Partial<Surroundings> = {}) => wordsFor(error, around)[0];

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

  it('[ERROR-054] retries with basic settings if the constraints cannot be met', async () => {
    const source = devices(async (constraints) => {
      if (typeof constraints?.video === 'object') throw named('OverconstrainedError');
      return stream;
    });
    await expect(openCamera(front, source)).resolves.toBe(stream);
    expect(source.getUserMedia.mock.calls[1]).toEqual([{ audio: false, video: true }]);
  });

  it('is requested by its id if the user chose one', () => {
    expect(cameraConstraints({ facing: 'user', deviceId: 'usb-2' }).video).toEqual({
      deviceId: { exact: 'usb-2' },
      width: { ideal: 1280, min: 640 },
      height: { ideal: 720, min: 480 },
    });
  });

  it('is one of the listed devices, without microphones and unnamed ones', async () => {
    const device = (kind: MediaDeviceKind, deviceId: string, label: string) =>
      ({ kind, deviceId, label }) as MediaDeviceInfo;
    const enumerateDevices = async () => [
      device('videoinput', 'a', 'Front'),
      device('audioinput', 'm', 'Mic'),
      device('videoinput', '', ''),
    ];
    expect(await listCameras({ enumerateDevices })).toEqual([{ id: 'a', name: 'Front' }]);
    expect(await listCameras(undefined)).toEqual([]);
    const refuses = { enumerateDevices: () => Promise.reject(named('NotAllowedError')) };
    expect(await listCameras(refuses)).toEqual([]);
  });

  it('switches to the other side from the active camera', () => {
    const cameras = ['a', 'b', 'c'].map((id) => ({ id, name: '' }));
    const on = (facing: Facing) => ({ id: 'a', facing });
    expect(switched(front, on('user'), cameras)).toEqual({ facing: 'environment' });
    expect(switched({ facing: 'environment' }, on('environment'), cameras)).toEqual(front);
    // Chosen from the list: its real side counts, not the requested one.
    expect(switched({ ...front, deviceId: 'a' }, on('environment'), cameras)).toEqual(front);
    expect(switched(front, null, [])).toEqual({ facing: 'environment' });
  });

  it('switches to the next camera if cameras have no side, or another side than requested', () => {
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

  it('is requested once more if it is busy, because this page may be releasing it', async () => {
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

  it('is requested once if the user refused', async () => {
    const source = devices(async () => {
      throw named('NotAllowedError');
    });
    await expect(openCamera(front, source)).rejects.toMatchObject({ name: 'NotAllowedError' });
    expect(source.getUserMedia).toHaveBeenCalledTimes(1);
  });
});

describe('a camera failure has a text', () => {
  const DENIED = 'Camera access denied. Please allow camera permissions and try again.';
  const GENERAL =
    'Failed to access camera. Please ensure camera permissions are granted and camera is not being used by another application.';

  it('[ERROR-051] denied, with how to allow it in this browser', () => {
    const denied = (around: Partial<Surroundings>) => wordsFor(named('NotAllowedError'), around);
    expect(denied({})).toEqual([DENIED, 'Start the camera again, and choose Allow when the browser asks.']);
    const ways = (['address', 'safari', 'ios', 'other'] as const).map((browser) => {
      const [text, help] = denied({ permission: 'denied', browser });
      expect(text).toBe(DENIED);
      return help;
    });
    expect(ways).toEqual([
      expect.stringContaining('to the left of the address'),
      expect.stringContaining('settings for this website'),
      expect.stringContaining('Website Settings'),
      expect.stringContaining('settings of the browser'),
    ]);
    // If the browser does not report the permission, it may not ask again.
    expect(denied({ permission: undefined })[1]).toBe(ways[0]);
  });

  it('[ERROR-051] denied by the device, not by the user', () => {
    const system = expect.stringContaining('The settings of this device');
    expect(wordsFor(named('NotAllowedError'), { permission: 'granted' })).toEqual([DENIED, system]);
    const chrome = Object.assign(new Error('Permission denied by system'), { name: 'NotAllowedError' });
    expect(wordsFor(chrome, { permission: 'denied' })).toEqual([DENIED, system]);
  });

  it('forbidden to this page, so that no setting can allow it', () => {
    const blocked = expect.stringContaining('Open Karaar in another browser.');
    expect(wordsFor(named('NotAllowedError'), { mayAsk: false })).toEqual([blocked, undefined]);
    expect(wordsFor(named('SecurityError'))).toEqual([blocked, undefined]);
  });

  it('[ERROR-052] no camera, unless the device has one that the browser cannot use', () => {
    const none = 'No camera found on your device. Please connect a camera and try again.';
    expect(wordsFor(named('NotFoundError'), { cameras: 0 })).toEqual([none, undefined]);
    expect(cameraErrorText(named('NotFoundError'), { cameras: undefined })).toBe(none);
    expect(wordsFor(named('NotFoundError'), { cameras: 1 })).toEqual([
      GENERAL,
      expect.stringContaining('The settings of this device'),
    ]);
  });

  it('[ERROR-053] in use', () => {
    expect(wordsFor(named('NotReadableError'))).toEqual([
      'Camera is already in use by another application. Please close other camera apps and try again.',
      'If that does not help, restart the browser or the device.',
    ]);
  });

  it('[ERROR-056] no camera access in this browser', async () => {
    const error: unknown = await openCamera(front, undefined).catch((reason: unknown) => reason);
    expect(wordsFor(error)).toEqual([
      'Camera access not supported in this browser',
      'Open Karaar in an up-to-date Chrome, Edge, Firefox or Safari.',
    ]);
    // The browser supports cameras, but the page is not secure.
    for (const each of [error, named('SecurityError')])
      expect(wordsFor(each, { isSecure: false })).toEqual([
        expect.stringContaining('begins with https://'),
        undefined,
      ]);
  });

  it('stopped while active: unplugged, no longer allowed, or taken', () => {
    const lost = new CameraLostError();
    expect(cameraErrorText(lost, { cameras: 0 })).toBe(
      'No camera found on your device. Please connect a camera and try again.',
    );
    expect(cameraErrorText(lost, { permission: 'denied' })).toBe(DENIED);
    expect(cameraErrorText(lost, { permission: 'granted' })).toMatch(/^The camera stopped:/);
  });

  it('not played, which differs from a refusal', () => {
    const cause = named('NotAllowedError');
    expect(cameraErrorText(new PlaybackError('x', { cause }))).toMatch(/^The browser did not start/);
  });

  it('[ERROR-057] anything else', () => {
    const restart = 'If that does not help, restart the browser or the device.';
    for (const error of [named('AbortError'), named('OverconstrainedError'), new Error('x'), 'x', null])
      expect(wordsFor(error)).toEqual([GENERAL, restart]);
  });
});

describe('lookAround', () => {
  type Page = Parameters<typeof lookAround>[0];
  const CHROME = 'Mozilla/5.0 (Linux; Android 14) AppleWebKit/537.36 Chrome/140.0.0.0 Mobile Safari/537.36';
  const page = (navigator: object, document: object = {}): Page =>
    ({ isSecureContext: true, navigator: { userAgent: CHROME, ...navigator }, document }) as Page;

  it('returns the browser’s information, and counts cameras whose ids need a permission', async () => {
    const chrome = page(
      {
        permissions: { query: async () => ({ state: 'denied' }) },
        mediaDevices: {
          enumerateDevices: async () => [
            { kind: 'videoinput', deviceId: '' },
            { kind: 'audioinput', deviceId: '' },
          ],
        },
      },
      { featurePolicy: { allowsFeature: (name: string) => name !== 'camera' } },
    );
    expect(await lookAround(chrome)).toEqual({
      isSecure: true,
      permission: 'denied',
      mayAsk: false,
      cameras: 1,
      browser: 'address',
    });
  });

  it('never fails, even if the browser does', async () => {
    const none = { isSecure: true, permission: undefined, mayAsk: undefined, cameras: undefined };
    expect(await lookAround(page({}))).toEqual({ ...none, browser: 'address' });
    const throws = () => {
      throw new TypeError('camera');
    };
    const strict = page({ permissions: { query: throws }, mediaDevices: { enumerateDevices: throws } });
    expect(await lookAround(strict)).toEqual({ ...none, browser: 'address' });
  });

  it.each([
    [
      'Mozilla/5.0 (iPhone; CPU iPhone OS 18_5 like Mac OS X) Version/18.5 Mobile/15E148 Safari/604.1',
      5,
      'ios',
    ],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.5 Safari/605.1.15', 5, 'ios'],
    ['Mozilla/5.0 (Macintosh; Intel Mac OS X 10_15_7) Version/18.5 Safari/605.1.15', 0, 'safari'],
    ['Mozilla/5.0 (X11; Linux x86_64; rv:140.0) Gecko/20100101 Firefox/140.0', 0, 'address'],
    ['Mozilla/5.0 (Windows NT 10.0) Chrome/140.0.0.0 Safari/537.36 Edg/140.0.0.0', 0, 'address'],
    ['Links (2.29)', 0, 'other'],
  ])('knows the place of permissions in %s', async (userAgent, maxTouchPoints, browser) => {
    expect(await lookAround(page({ userAgent, maxTouchPoints }))).toMatchObject({ browser });
  });
});
