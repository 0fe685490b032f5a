import { VisionReason } from '@karaar/contracts/vision/http';
import fc from 'fast-check';
import {
  imagesOf,
  isComplete,
  missingText,
  nextPart,
  nextPhoto,
  originsOf,
  partsOf,
  photoFileName,
  photoQuality,
  reasonHint,
  takesUploads,
  type Purpose,
  type Verification,
  withPhoto,
} from './verification.ts';
import { verificationTexts } from './texts.ts';

beforeAll(() => verificationTexts.load());

const missing = (purpose: Purpose, files: Verification) => {
  const text = missingText(purpose, files);
  return text && verificationTexts.say(text);
};

const file = (name: string) => new File(['x'], name);
const all = { profile_pic: file('p'), eye: file('e'), sign: file('s'), thumb: file('t') };
const { thumb: _thumb, ...three } = all;

describe('the missing images are', () => {
  it('[CAPTURE-007] a signature, when creating or joining', () => {
    const { sign: _sign, ...photos } = three;
    expect(missing('create', photos)).toBe('Signature is required');
    expect(missing('join', photos)).toBe('Signature is required');
  });

  it('[DOC-019] [DOC-020] the profile photo, then the eye photo', () => {
    expect(missing('create', {})).toBe('Capture your profile photo');
    expect(missing('create', { profile_pic: all.profile_pic })).toBe('Capture your eye photo');
  });

  it('[CAPTURE-026] all three to verify and approve', () => {
    fc.assert(
      fc.property(fc.subarray(Object.entries(three), { maxLength: 2 }), (some) => {
        expect(missing('self-verify', Object.fromEntries(some))).toBe(
          'Profile, Signature and Eye scan are required.',
        );
      }),
    );
    expect(missing('self-verify', three)).toBeNull();
  });

  it('[DASH-017] all four to accept an agreement', () => {
    fc.assert(
      fc.property(fc.subarray(Object.entries(all), { maxLength: 3 }), (some) => {
        expect(missing('accept', Object.fromEntries(some))).toBe(
          'Please upload all required verification documents',
        );
      }),
    );
    expect(isComplete('accept', all)).toBe(true);
  });
});

describe('the origin of the images', () => {
  it('is kept with each photo and sent if known', () => {
    const first = withPhoto({}, 'profile_pic', all.profile_pic, 'device');
    const both = withPhoto(first, 'eye', all.eye, 'camera');
    expect(originsOf(both)).toEqual({ profile_pic_source: 'device', eye_source: 'camera' });
    expect(originsOf({ ...both, sign_method: 'typed' })).toMatchObject({ sign_method: 'typed' });
    const again = withPhoto(both, 'profile_pic', all.profile_pic, 'camera');
    expect(originsOf(again).profile_pic_source).toBe('camera');
    expect(originsOf({})).toEqual({});
    expect(imagesOf({ ...both, ...all })).toEqual(three);
  });

  it('[CAPTURE-005] [CAPTURE-012] may be a file of the device only when creating or joining', () => {
    const purposes: Purpose[] = ['create', 'join', 'self-verify', 'accept'];
    expect(purposes.filter(takesUploads)).toEqual(['create', 'join']);
  });
});

describe('the hint for a better photo', () => {
  it('exists for every reason except a missing face, a missing eye and a file that is not an image', () => {
    const silent = VisionReason.anyOf.map(({ const: reason }) => reason).filter((each) => !reasonHint(each));
    expect(silent).toEqual(['no_face', 'no_eye', 'not_an_image']);
    expect(reasonHint('eyes_closed')).toBe('openEyes');
    expect(reasonHint(undefined)).toBeNull();
  });
});

describe('the capture flow', () => {
  it('[CAPTURE-006] asks for a fingerprint only when accepting an agreement', () => {
    const purposes: Purpose[] = ['create', 'join', 'self-verify'];
    for (const purpose of purposes) expect(partsOf(purpose)).toEqual(['profile_pic', 'eye', 'sign']);
    expect(partsOf('accept')).toContain('thumb');
  });

  it('[CAPTURE-019] [CAPTURE-020] takes the profile photo first, then the eye photo, then stops', () => {
    expect(nextPhoto({})).toBe('profile_pic');
    expect(nextPhoto({ profile_pic: all.profile_pic })).toBe('eye');
    expect(nextPhoto({ profile_pic: all.profile_pic, eye: all.eye })).toBeNull();
  });

  it('goes from the first missing part to done', () => {
    expect(nextPart('create', {})).toBe('profile_pic');
    expect(nextPart('create', { profile_pic: all.profile_pic, eye: all.eye })).toBe('sign');
    expect(nextPart('create', three)).toBe('done');
    expect(nextPart('accept', three)).toBe('thumb');
    expect(nextPart('accept', all)).toBe('done');
  });

  it('[CAPTURE-018] [CAPTURE-031] [CAPTURE-033] names the files and sets the quality', () => {
    expect([photoFileName('profile_pic'), photoFileName('eye')]).toEqual([
      'profile_capture.jpg',
      'eye_capture.jpg',
    ]);
    expect([photoQuality('create'), photoQuality('accept')]).toEqual([0.85, 0.8]);
  });
});
