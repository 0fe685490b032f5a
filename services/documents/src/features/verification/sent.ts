import { invalid } from '@karaar/platform/errors';
import type { SpooledFile } from '@karaar/platform/http-kit';

type Sent = Readonly<Partial<Record<'profile_pic' | 'eye' | 'sign' | 'thumb', readonly SpooledFile[]>>>;
type RequiredImages = { profile_pic: SpooledFile; eye: SpooledFile; sign: SpooledFile };

/** The three images of every verification. Throws 422 that names each one that is missing. */
export function requiredImages(files: Sent): RequiredImages {
  const [profile_pic] = files.profile_pic ?? [];
  const [eye] = files.eye ?? [];
  const [sign] = files.sign ?? [];
  if (profile_pic && eye && sign) return { profile_pic, eye, sign };
  const missing = Object.entries({ profile_pic, sign, eye }).filter(([, file]) => !file);
  throw invalid(missing.map(([loc]) => ({ loc, msg: 'is required' })));
}
