import { useTexts } from '@karaar/i18n';
import { Button, copyText, Sheet, Stack, toast } from '@karaar/ui';
import css from './security.module.css';
import { securityTexts } from './texts.ts';

/** The codes for a lost phone, seen this once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = useTexts(securityTexts);
  const copy = async () => {
    if (await copyText(codes.join('\n'))) toast.success(t('copied'));
  };
  return (
    <Sheet title={t('codes')} note={t('codesNote')}>
      <Stack>
        <ul className={css.codes} translate="no">
          {codes.map((code) => (
            <li key={code}>{code}</li>
          ))}
        </ul>
        <div className={css.answers}>
          <Button icon="copy" onClick={() => void copy()}>
            {t('copy')}
          </Button>
          <Button variant="primary" onClick={onDone}>
            {t('written')}
          </Button>
        </div>
      </Stack>
    </Sheet>
  );
}
