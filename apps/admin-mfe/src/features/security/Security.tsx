import { useTexts } from '@karaar/i18n';
import { Banner, Sheet } from '@karaar/ui';
import { useState } from 'react';
import { AdminPage } from '../../shared/AdminPage.tsx';
import { RecoveryCodes } from '../../shared/passkeys/RecoveryCodes.tsx';
import { passkeyTexts } from '../../shared/passkeys/texts.ts';
import { useAdmin } from '../../shared/useAdmin.ts';
import { AppFactor } from './AppFactor.tsx';
import { NewCodes } from './NewCodes.tsx';
import { Passkeys } from './Passkeys.tsx';
import { securityTexts } from './texts.ts';

/** With fewer codes the page suggests new ones. */
const FEW_CODES = 3;

/** The sign-in methods of the signed-in admin: passkeys, an authenticator app, recovery codes. */
export default function Security() {
  const t = useTexts(securityTexts);
  const sayPasskey = useTexts(passkeyTexts);
  const { me } = useAdmin();
  const [codes, setCodes] = useState<readonly string[] | null>(null);
  const isOn = me.totp_enabled || me.passkey_required;
  return (
    <AdminPage title={t('title')} lead={t('lead')} narrow>
      {codes ? (
        <Sheet title={sayPasskey('codes')} note={sayPasskey('codesNote')}>
          <RecoveryCodes codes={codes} onDone={() => setCodes(null)} />
        </Sheet>
      ) : (
        <>
          <Banner tone={isOn ? 'verified' : 'waiting'}>
            {isOn ? t('isOn', { count: me.recovery_codes_left }) : t('isOff')}
          </Banner>
          {isOn && me.recovery_codes_left < FEW_CODES && <Banner tone="warning">{t('fewCodes')}</Banner>}
          <Passkeys onCodes={setCodes} />
          <AppFactor again={me.totp_enabled} onCodes={setCodes} />
          {isOn && <NewCodes onCodes={setCodes} />}
        </>
      )}
    </AdminPage>
  );
}
