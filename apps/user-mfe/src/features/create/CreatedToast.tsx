import { CodeText } from '@karaar/ui';
import { createTexts as texts } from './texts.ts';

/** Milliseconds for which the code of a new document is shown (spec §9). */
export const CODE_TOAST_MS = 6_000;

/** The new document's code, to be copied. */
export const CreatedToast = ({ code }: { code: string }) => (
  <>
    {texts.created}: <CodeText code={code} label={texts.codeLabel} />
  </>
);
