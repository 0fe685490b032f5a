import type { captureFields, SignMethod } from '@karaar/contracts/documents/http';
import { invalid } from '@karaar/base/errors';
import type { SpooledFile } from '@karaar/http';
import type { Static, TObject } from 'typebox';

type Images = Readonly<Partial<Record<'profile_pic' | 'eye' | 'sign' | 'thumb', readonly SpooledFile[]>>>;
type Fields = Static<TObject<typeof captureFields>>;

/** A form's statements about its images; the server's own capture records take precedence. */
export type Stated = {
  profile_pic?: 'camera' | 'device' | undefined;
  eye?: 'camera' | 'device' | undefined;
  sign: SignMethod;
};

export const statedBy = ({ profile_pic_source, eye_source, sign_method }: Fields): Stated => ({
  profile_pic: profile_pic_source,
  eye: eye_source,
  sign: sign_method ?? 'unstated',
});

type RequiredImages = { profile_pic: SpooledFile; eye: SpooledFile; sign: SpooledFile; stated: Stated };

/** Returns the three images of every verification. Throws 422 with each missing one. */
export function requiredImages({ files, fields }: { files: Images; fields: Fields }): RequiredImages {
  const [profile_pic] = files.profile_pic ?? [];
  const [eye] = files.eye ?? [];
  const [sign] = files.sign ?? [];
  if (profile_pic && eye && sign) return { profile_pic, eye, sign, stated: statedBy(fields) };
  const missing = Object.entries({ profile_pic, sign, eye }).filter(([, file]) => !file);
  throw invalid(missing.map(([loc]) => ({ loc, msg: 'is required' })));
}
