import { unprocessable } from '@karaar/base/errors';

export const photoBroken = (loc: 'profile_pic' | 'eye') =>
  unprocessable('photo_broken', [{ loc, msg: 'This photo cannot be read. Please take it again.' }]);
export const signatureBroken = () =>
  unprocessable('signature_broken', [
    { loc: 'sign', msg: 'The picture of your signature cannot be read. Please sign again.' },
  ]);
export const signatureBlank = () =>
  unprocessable('signature_blank', [{ loc: 'sign', msg: 'Your signature is empty. Please sign again.' }]);
export const fingerprintBroken = () =>
  unprocessable('fingerprint_broken', [
    { loc: 'thumb', msg: 'The fingerprint image cannot be read. Please choose another one.' },
  ]);
export const fingerprintBlank = () =>
  unprocessable('fingerprint_blank', [
    { loc: 'thumb', msg: 'The fingerprint image shows nothing. Please choose another one.' },
  ]);
