import { VisionReason } from '@karaar/contracts/vision/http';
import fc from 'fast-check';
import {
  imagesOf,
  isComplete,
  missingText,
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

describe('what is missing', () => {
  it('[CAPTURE-007] a signature, when creating or joining', () => {
    const { sign: _sign, ...photos } = three;
    expect(missing('create', photos)).toBe('Signature is required');
    expect(missing('join', photos)).toBe('Signature is required');
  });

  it('[DOC-019] [DOC-020] the profile photo, then the eye photo', () => {
    expect(missing('create', {})).toBe('Capture your profile photo');
    expect(missing('create', { profile_pic: all.profile_pic })).toBe('Capture your eye photo');
  });

  it('[CAPTURE-026] all three for verify and approve', () => {
    fc.assert(
      fc.property(fc.subarray(Object.entries(three), { maxLength: 2 }), (some) => {
        expect(missing('self-verify', Object.fromEntries(some))).toBe(
          'Profile, Signature and Eye scan are required.',
        );
      }),
    );
    expect(missing('self-verify', three)).toBeNull();
  });

  it('[DASH-017] all four for accepting an agreement', () => {
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

describe('how the images came to be', () => {
  it('is kept with each photo and sent as far as it is known', () => {
    const first = withPhoto({}, 'profile_pic', all.profile_pic, 'device');
    const both = withPhoto(first, 'eye', all.eye, 'camera');
    expect(originsOf(both)).toEqual({ profile_pic_source: 'device', eye_source: 'camera' });
    expect(originsOf({ ...both, sign_method: 'typed' })).toMatchObject({ sign_method: 'typed' });
    const again = withPhoto(both, 'profile_pic', all.profile_pic, 'camera');
    expect(originsOf(again).profile_pic_source).toBe('camera');
    expect(originsOf({})).toEqual({});
    expect(imagesOf({ ...both, ...all })).toEqual(three);
  });

  it('[CAPTURE-005] [CAPTURE-012] may be a file of the device only where one creates or joins', () => {
    const purposes: Purpose[] = ['create', 'join', 'self-verify', 'accept'];
    expect(purposes.filter(takesUploads)).toEqual(['create', 'join']);
  });
});

describe('what to do better', () => {
  it('is told for every reason but that nothing was found', () => {
    const silent = VisionReason.anyOf.map(({ const: reason }) => reason).filter((each) => !reasonHint(each));
    expect(silent).toEqual(['no_face', 'no_eye', 'not_an_image']);
    expect(reasonHint('eyes_closed')).toBe('openEyes');
    expect(reasonHint(undefined)).toBeNull();
  });
});

describe('the capture flow', () => {
  it('[CAPTURE-006] asks for a fingerprint only when an agreement is accepted', () => {
    const purposes: Purpose[] = ['create', 'join', 'self-verify'];
    for (const purpose of purposes) expect(partsOf(purpose)).toEqual(['profile_pic', 'eye', 'sign']);
    expect(partsOf('accept')).toContain('thumb');
  });

  it('[CAPTURE-019] [CAPTURE-020] takes the profile photo first, then the eye, then nothing more', () => {
    expect(nextPhoto({})).toBe('profile_pic');
    expect(nextPhoto({ profile_pic: all.profile_pic })).toBe('eye');
    expect(nextPhoto({ profile_pic: all.profile_pic, eye: all.eye })).toBeNull();
  });

  it('[CAPTURE-018] [CAPTURE-031] [CAPTURE-033] names the files and sets the quality', () => {
    expect([photoFileName('profile_pic'), photoFileName('eye')]).toEqual([
      'profile_capture.jpg',
      'eye_capture.jpg',
    ]);
    expect([photoQuality('create'), photoQuality('accept')]).toEqual([0.85, 0.8]);
  });
});
