/** The texts about the source of a verification's images; pure. */
import type { Evidence } from '@karaar/contracts/documents/http';
import type { KeyOf } from '@karaar/i18n';
import type en from '../../../shared/catalogs/detail/texts/en.json';

const FACES = { live: 'faceLive', device: 'faceDevice' } as const;
const EYES = { live: 'eyeLive', device: 'eyeDevice' } as const;
const SIGNATURES = { drawn: 'signDrawn', typed: 'signTyped', uploaded: 'signUploaded' } as const;

/** Returns one text key per image whose source is known. */
export function evidenceKeys(evidence: Omit<Evidence, 'verified_at'> | undefined): KeyOf<typeof en>[] {
  if (!evidence) return [];
  const { profile_pic_source: face, eye_source: eye, sign_method: sign } = evidence;
  return [
    ...(face === 'unstated' ? [] : [FACES[face]]),
    ...(eye === 'unstated' ? [] : [EYES[eye]]),
    ...(sign === 'unstated' ? [] : [SIGNATURES[sign]]),
  ];
}
