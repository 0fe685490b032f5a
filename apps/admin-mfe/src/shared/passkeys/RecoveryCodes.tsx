import { useTexts } from '@karaar/i18n';
import { Button, copyText, Stack, toast } from '@karaar/ui';
import css from './passkeys.module.css';
import { passkeyTexts } from './texts.ts';

/** The codes for a lost phone or passkey, shown only once. */
export function RecoveryCodes({ codes, onDone }: { codes: readonly string[]; onDone: () => void }) {
  const t = useTexts(passkeyTexts);
  const copy = async () => {
    if (await copyText(codes.join('\n'))) toast.success(t('copied'));
  };
  return (
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
  );
}
