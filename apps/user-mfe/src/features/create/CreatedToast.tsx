import { useTexts } from '@karaar/i18n';
import { CodeText } from '@karaar/ui';
import { createTexts } from './texts.ts';

/** Milliseconds for which the code of a new document is shown (spec §9). */
export const CODE_TOAST_MS = 6_000;

/** Shows the code of the new document for copying. */
export function CreatedToast({ code }: { code: string }) {
  const t = useTexts(createTexts);
  return (
    <>
      <span>{`${t('created')}: `}</span>
      <CodeText code={code} label={t('codeLabel')} />
    </>
  );
}
