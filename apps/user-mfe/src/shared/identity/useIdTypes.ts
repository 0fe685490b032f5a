import { GOVT_ID_TYPES } from '@karaar/contracts/limits';
import { useTexts } from '@karaar/i18n';
import { idTypeText } from './id-image.ts';
import { sharedTexts } from '../texts.ts';

/** Returns the kinds of government ID as options, named in the reader's language. */
export function useIdTypes(): readonly { value: string; label: string }[] {
  const t = useTexts(sharedTexts);
  return GOVT_ID_TYPES.map((value) => ({ value, label: t(idTypeText(value)) }));
}
