import type { LeftOut } from '@karaar/contracts/documents/http';
import { useTexts } from '@karaar/i18n';
import { verificationTexts } from '../verification/texts.ts';

const PARTS = {
  signatures: 'partSignatures',
  scripts: 'partScripts',
  xfa: 'partXfa',
  hidden: 'partHidden',
  comments: 'partComments',
  media: 'partMedia',
  objects: 'partObjects',
  linked: 'partLinked',
  frames: 'partFrames',
} as const satisfies Record<LeftOut, string>;

/** Says which parts of a file its sealed pages do not hold. */
export function LeftOutParts({ parts }: { parts: readonly LeftOut[] }) {
  const t = useTexts(verificationTexts);
  return <span>{t('leftOut', { list: parts.map((part) => t(PARTS[part])).join('; ') })}</span>;
}
