import type { LeftOut } from '@karaar/contracts/documents/http';
import { partKey } from '@karaar/contracts/left-out-words';
import { useTexts } from '@karaar/i18n';
import { verificationTexts } from '../verification/texts.ts';

/** Names the parts of a file that its sealed pages do not hold. */
export function LeftOutParts({ parts }: { parts: readonly LeftOut[] }) {
  const t = useTexts(verificationTexts);
  return <span>{t('leftOut', { list: parts.map((part) => t(partKey(part))).join('; ') })}</span>;
}
