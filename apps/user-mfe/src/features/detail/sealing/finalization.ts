/** The texts of a finalization: its steps, and the reasons of a failure. */
import type { FinalizationProgress, FinalizationStep } from '@karaar/contracts/documents/http';
import type { KeyOf, Message } from '@karaar/i18n';
import type en from '../../../shared/catalogs/detail/texts/en.json';

type Key = KeyOf<typeof en>;

/** Every step in order, with the key of its name. */
export const STEPS = [
  { step: 'files', name: 'stepFiles' },
  { step: 'pages', name: 'stepPages' },
  { step: 'assembling', name: 'stepAssembling' },
  { step: 'sealing', name: 'stepSealing' },
  { step: 'storing', name: 'stepStoring' },
] as const satisfies readonly { step: FinalizationStep; name: Key }[];

/** Returns the label of the present step; for raw files with their number. */
export function stepLabel({ step, done, total }: FinalizationProgress): Message<Key> {
  if (step === 'files' && total > 0)
    return { key: 'stepFileOf', values: { number: Math.min(done + 1, total), total } };
  return { key: STEPS.find((each) => each.step === step)?.name ?? 'finalizeRunning' };
}

/** Returns the one with the larger number: responses and socket events may arrive out of order. */
export function newer(
  a: FinalizationProgress | null,
  b: FinalizationProgress | null,
): FinalizationProgress | null {
  return !a || (b && b.no > a.no) ? b : a;
}

const FAULTS = {
  pdf_encrypted: 'faultLocked',
  office_encrypted: 'faultLocked',
  pdf_cipher: 'faultLocked',
  pdf_broken: 'faultBroken',
  pdf_letters: 'faultBroken',
  pdf_fonts: 'faultBroken',
  pdf_collection: 'faultBroken',
  pdf_attachments: 'faultBroken',
  pdf_xfa: 'faultBroken',
  image_broken: 'faultBroken',
  office_broken: 'faultBroken',
  office_macros: 'faultMacros',
  office_timeout: 'faultSlow',
  too_large: 'faultLarge',
  hash_mismatch: 'faultDiffers',
  files_changed: 'faultDiffers',
  gave_up: 'faultOther',
} as const satisfies Record<string, Key>;

/** Returns the text key of a failed job's code; undefined for an unknown code. */
export const faultKey = (code: string | null | undefined) =>
  code && Object.hasOwn(FAULTS, code) ? FAULTS[code as keyof typeof FAULTS] : undefined;
